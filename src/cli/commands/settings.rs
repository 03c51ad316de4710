use std::collections::BTreeMap;
use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use crate::cli::load::{self, GameArgs};
use crate::cli::ui::Tone;
use crate::cli::{CliError, Exit, Ui};
use crate::model::{Base, Game, Setting};
use crate::play::{citations, setting_value};
use crate::syntax::ast::{Item, ItemKind};

/// List options and questions with what they can be set to.
#[derive(Args, Debug)]
pub struct SettingsArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Show what each reading changes of the rules
    #[arg(long)]
    edits: bool,
}

#[derive(Serialize)]
struct SettingJson {
    name: String,
    kind: &'static str,
    title: String,
    value: String,
    default: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<(i64, i64)>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<ValueJson>,
    /// What changes where an option is not at its default.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    edits: Vec<String>,
    /// Where it is asked; left out if it always is.
    #[serde(skip_serializing_if = "Option::is_none")]
    under: Option<String>,
    asked: bool,
    cites: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
}

#[derive(Serialize)]
struct ValueJson {
    name: String,
    title: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    edits: Vec<String>,
}

/// Lists what `--set` takes.
pub fn run(args: &SettingsArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let edits = if args.edits {
        edits(&load::compile(&args.game.asked().for_few_moves())?)
    } else {
        Edits::new()
    };
    let loaded = load::load(args.game.asked().for_few_moves())?;
    let game = &loaded.program.game;
    let all = game.settings.iter().map(|it| describe(game, it, &edits));
    let all: Vec<SettingJson> = all.collect();
    if ui.json {
        ui.json_value(&all)?;
        return Ok(Exit::Yes);
    }
    for setting in &all {
        show(setting, ui)?;
    }
    if all.is_empty() {
        ui.line(format!("{} has no options and no questions", game.title))?;
    }
    for amendment in super::games::amendments_of(&game.name) {
        ui.line(ui.paint(Tone::Cyan, format!("--with {amendment}")))?;
    }
    Ok(Exit::Yes)
}

/// The edits as they are written, by the setting and, where there is one, the reading.
type Edits = BTreeMap<(String, Option<String>), Vec<String>>;

fn edits(read: &load::Read) -> Edits {
    let mut all = Edits::new();
    let items = read.compiled.composed.iter().flat_map(|it| &it.items);
    for composite in items {
        let ItemKind::Setting(setting) = &composite.item.kind else {
            continue;
        };
        let own = [(None, &setting.edits)].into_iter();
        let own = own.chain(
            setting
                .readings()
                .iter()
                .map(|it| (Some(it.name.text.clone()), &it.edits)),
        );
        for (reading, edits) in own {
            let text = |it: &Arc<Item>| read.sources.slice(it.span).to_owned();
            let texts = edits.iter().flatten().map(text).collect();
            all.insert((setting.name.text.clone(), reading), texts);
        }
    }
    all
}

fn describe(game: &Game, setting: &Setting, edits: &Edits) -> SettingJson {
    let edits = |reading: Option<String>| {
        let texts = edits.get(&(setting.name.clone(), reading));
        texts.cloned().unwrap_or_default()
    };
    let clause = game.clauses.get(setting.clause.index());
    let (bounds, n_values) = match setting.ty.base {
        Base::Int(least, most) => (Some((least, most)), 0),
        Base::Bool => (None, 2),
        Base::Elem(domain) => (
            None,
            game.domains.get(domain.index()).map_or(0, |it| it.size),
        ),
        Base::Set(_) | Base::Unit => (None, 0),
    };
    // A question has a handful of readings; an option over a large domain is described by its bounds.
    let values = (0..i64::try_from(n_values).unwrap_or(0).min(64)).map(|value| ValueJson {
        name: setting_value(game, setting, value),
        title: usize::try_from(value)
            .ok()
            .and_then(|value| setting.readings.get(value))
            .cloned()
            .unwrap_or_default(),
        edits: edits(Some(setting_value(game, setting, value))),
    });
    SettingJson {
        name: setting.name.clone(),
        kind: if setting.question {
            "question"
        } else {
            "option"
        },
        title: setting.title.clone(),
        value: setting_value(game, setting, setting.value),
        default: setting_value(game, setting, setting.default),
        bounds,
        values: values.collect(),
        edits: edits(None),
        under: Some(setting.under.clone()).filter(|it| !it.is_empty()),
        asked: setting.asked,
        cites: clause.map_or_else(String::new, |clause| citations(game, &clause.cites)),
        status: clause.and_then(|clause| clause.status.clone()),
    }
}

fn show(setting: &SettingJson, ui: &mut Ui<'_>) -> Result<(), CliError> {
    if let Some(under) = setting.under.as_ref().filter(|_| !setting.asked) {
        let text = format!("  {}  {}  only under {under}", setting.name, setting.title);
        return ui.line(ui.paint(Tone::Dim, text));
    }
    let name = ui.paint(Tone::Bold, &setting.name);
    let status = setting.status.as_deref().unwrap_or("");
    let cites = ui.paint(Tone::Dim, format!("{} {status}", setting.cites).trim());
    match setting.bounds {
        Some((least, most)) => {
            let value = ui.paint(Tone::Cyan, format!("{} = {}", setting.name, setting.value));
            ui.line(format!(
                "{value}  ({least}..{most})  {}  {cites}",
                setting.title
            ))?;
        }
        None => ui.line(format!("{name}  {}  {cites}", setting.title))?,
    }
    for value in &setting.values {
        let mark = if value.name == setting.value {
            "*"
        } else {
            " "
        };
        let default = if value.name == setting.default {
            " (default)"
        } else {
            ""
        };
        let name = ui.paint(Tone::Cyan, &value.name);
        ui.line(format!("  {mark} {name}  {}{default}", value.title).trim_end())?;
        show_edits(&value.edits, ui)?;
    }
    show_edits(&setting.edits, ui)
}

/// Writes edits below what they stand behind; lines of theirs that are further in stay so.
fn show_edits(edits: &[String], ui: &mut Ui<'_>) -> Result<(), CliError> {
    for edit in edits {
        let last = edit.lines().last().unwrap_or_default();
        let indent = last.len() - last.trim_start().len();
        for (at, line) in edit.lines().enumerate() {
            let line = if at == 0 {
                line
            } else {
                line.get(indent..).unwrap_or(line.trim_start())
            };
            ui.line(ui.paint(Tone::Dim, format!("        {line}")))?;
        }
    }
    Ok(())
}
