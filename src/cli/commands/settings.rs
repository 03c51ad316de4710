use clap::Args;
use serde::Serialize;

use crate::cli::load::{self, GameArgs};
use crate::cli::ui::Tone;
use crate::cli::{CliError, Exit, Ui};
use crate::model::{Base, Game, Setting};
use crate::play::{citations, setting_value};

/// List the options and questions of a game with what they can be set to.
#[derive(Args, Debug)]
pub struct SettingsArgs {
    #[command(flatten)]
    game: GameArgs,
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
    cites: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
}

#[derive(Serialize)]
struct ValueJson {
    name: String,
    title: String,
}

/// Lists what `--set` takes.
pub fn run(args: &SettingsArgs, ui: &mut Ui<'_>) -> Result<Exit, CliError> {
    let loaded = load::load(args.game.asked())?;
    let game = &loaded.program.game;
    let all: Vec<SettingJson> = game.settings.iter().map(|it| describe(game, it)).collect();
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

fn describe(game: &Game, setting: &Setting) -> SettingJson {
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
        cites: clause.map_or_else(String::new, |clause| citations(game, &clause.cites)),
        status: clause.and_then(|clause| clause.status.clone()),
    }
}

fn show(setting: &SettingJson, ui: &mut Ui<'_>) -> Result<(), CliError> {
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
    }
    Ok(())
}
