use clap::Args;
use serde::Serialize;

use crate::cli::{CliError, Exit, Ui, pages};
use crate::diagnostic::{Code, closest, codes};

/// Explain a finding by its code.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// Code or name of the finding, such as `E0301`; without it, all are listed
    code: Option<String>,
}

#[derive(Serialize)]
struct Explained {
    code: &'static str,
    name: &'static str,
    severity: String,
    meaning: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<&'static str>,
}

/// Prints the page of a code.
pub fn run(args: &ExplainArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let Some(word) = &args.code else {
        return list(ui);
    };
    let code = Code::find(word).ok_or_else(|| unknown(word))?;
    if ui.json {
        ui.json_value(&explained(code, true))?;
    } else if let Some(page) = pages::page(code.id()) {
        ui.line(page.trim_end())?;
    } else {
        ui.line(format!(
            "# {} {}\n\n{}",
            code.id(),
            code.name(),
            code.meaning()
        ))?;
    }
    Ok(Exit::Yes)
}

fn list(ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    if ui.json {
        let all: Vec<Explained> = codes::ALL
            .iter()
            .map(|code| explained(*code, false))
            .collect();
        ui.json_value(&all)?;
        return Ok(Exit::Yes);
    }
    for code in codes::ALL {
        ui.line(format!(
            "{} {:<28} {}",
            code.id(),
            code.name(),
            code.meaning()
        ))?;
    }
    Ok(Exit::Yes)
}

fn explained(code: Code, with_page: bool) -> Explained {
    Explained {
        code: code.id(),
        name: code.name(),
        severity: format!("{:?}", code.severity()).to_lowercase(),
        meaning: code.meaning(),
        page: if with_page {
            pages::page(code.id())
        } else {
            None
        },
    }
}

fn unknown(word: &str) -> CliError {
    let names = codes::ALL.iter().flat_map(|code| [code.id(), code.name()]);
    let help = match closest(word, names) {
        Some(near) => format!("did you mean `{near}`? `adit explain` lists all codes"),
        None => String::from("`adit explain` lists all codes"),
    };
    CliError::new(
        codes::UNKNOWN_CODE,
        format!("no finding has the code `{word}`"),
        help,
    )
}
