use std::path::Path;

use clap::Args;
use serde::Serialize;

use crate::cli::{CliError, Exit, Ui, files, load};
use crate::format::format;
use crate::source::Sources;

/// Lay rulebook files out in the one usual way.
#[derive(Args, Debug)]
pub struct FmtArgs {
    /// Rulebook files; `-` reads the input and prints the answer
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Change nothing; name the files that would change
    #[arg(long)]
    check: bool,
}

#[derive(Serialize)]
struct Formatted {
    file: String,
    changed: bool,
}

/// Rewrites the files, or says which would change; then the answer is no.
pub fn run(args: &FmtArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let mut all = Vec::new();
    for path in &args.files {
        let text = load::read_text_or_input(ui, path)?;
        let mut sources = Sources::new();
        let file = sources.add(path.as_str(), text.as_str());
        let laid_out = format(file, &text).map_err(|found| CliError::found(sources, found))?;
        let changed = laid_out != text;
        if path == "-" && !args.check {
            ui.part(laid_out)?;
            return Ok(Exit::Yes);
        }
        if changed && !args.check {
            files::rewrite(Path::new(path), &laid_out)?;
        }
        all.push(Formatted {
            file: path.clone(),
            changed,
        });
    }
    if ui.json {
        ui.json_value(&all)?;
    } else {
        for it in all.iter().filter(|it| it.changed) {
            let did = if args.check {
                "would change"
            } else {
                "changed"
            };
            ui.line(format!("{}: {did}", it.file))?;
        }
    }
    let dirty = args.check && all.iter().any(|it| it.changed);
    Ok(if dirty { Exit::No } else { Exit::Yes })
}
