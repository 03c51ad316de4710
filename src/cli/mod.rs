//! The `adit` command: the only place with files, clock, environment and terminal.

mod assumed;
mod booklet;
pub mod columns;
mod commands;
mod compared;
mod completing;
mod diff;
mod drawing;
mod editing;
mod editor;
mod error;
mod exit;
mod files;
mod help;
mod hinted;
mod journal;
mod linted;
mod load;
mod locked;
pub mod pages;
mod position;
mod render;
mod reviewed;
mod rulebooks;
mod several;
mod sharded;
mod shelf;
mod show;
mod simulated;
mod strangers;
mod table;
mod thinking;
mod tried;
mod ui;
mod wire;
mod written;

pub use completing::candidates;
pub use editing::{Edit, Typed};
pub use editor::serve;
pub use error::CliError;
pub use exit::Exit;
pub use help::{examples, listed};
pub use ui::{Host, Ui};

use clap::{FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;

use crate::source::hidden;
use commands as c;

/// A referee for tabletop games.
///
/// Reads rulebooks, offers the legal moves, and says which clause forbids others.
#[derive(Parser, Debug)]
#[command(name = "adit", version, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 yes, 1 the answer is no, 2 misuse or failure.")]
struct Cli {
    #[command(flatten)]
    looks: Looks,
    #[command(subcommand)]
    command: Command,
}

/// How answers are written.
#[derive(clap::Args, Debug, Clone, Default)]
struct Looks {
    /// Write ASCII only, one fact per line
    #[arg(long, global = true)]
    plain: bool,
    /// The same, to be read aloud: words for signs
    #[arg(long, global = true)]
    spoken: bool,
    /// Write JSON for programs
    #[arg(long, global = true)]
    json: bool,
    /// Colour the answers; NO_COLOR in the environment means never
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    color: Color,
}

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Color {
    /// On a terminal.
    #[default]
    Auto,
    /// Even into a file.
    Always,
    /// Not at all.
    Never,
}

#[derive(Subcommand, Debug)]
enum Command {
    Play(c::play::PlayArgs),
    Legal(c::legal::LegalArgs),
    Show(c::show::ShowArgs),
    Why(c::why::WhyArgs),
    WhyNot(c::why_not::WhyNotArgs),
    Run(c::run::RunArgs),
    Resume(c::resume::ResumeArgs),
    Replay(c::replay::ReplayArgs),
    Hint(c::hint::HintArgs),
    Review(c::review::ReviewArgs),
    Rulings(c::rulings::RulingsArgs),
    Study(c::study::StudyArgs),
    Perft(c::perft::PerftArgs),
    Solve(c::solve::SolveArgs),
    Simulate(c::simulate::SimulateArgs),
    Compare(c::compare::CompareArgs),
    Try(c::trying::TryArgs),
    Diff(c::diff::DiffArgs),
    Shard(Box<c::shard::ShardArgs>),
    Bench(c::bench::BenchArgs),
    Profile(c::profile::ProfileArgs),
    Dump(c::dump::DumpArgs),
    New(c::new::NewArgs),
    Outline(c::outline::OutlineArgs),
    Sources(c::sources::SourcesArgs),
    Settings(c::settings::SettingsArgs),
    Games(c::games::GamesArgs),
    Check(c::check::CheckArgs),
    Lint(c::lint::LintArgs),
    Fmt(c::fmt::FmtArgs),
    Watch(c::watch::WatchArgs),
    Lsp(c::lsp::LspArgs),
    Upgrade(c::upgrade::UpgradeArgs),
    Explain(c::explain::ExplainArgs),
    Doc(c::doc::DocArgs),
    Completions(c::completions::CompletionsArgs),
    Man(c::man::ManArgs),
}

/// Runs the program with its arguments, the first of which is its own name.
pub fn run(args: impl IntoIterator<Item = OsString>, host: Host<'_>) -> Exit {
    crate::stack::with_room(|| run_here(args, host))
}

fn run_here(args: impl IntoIterator<Item = OsString>, host: Host<'_>) -> Exit {
    let args: Vec<OsString> = args
        .into_iter()
        .map(|it| foreign(it, ui::foreign))
        .collect();
    let cli = match understood(&args) {
        Ok(cli) => cli,
        Err(error) => {
            // What is wrong is said with the arguments as they can be shown.
            let shown = |text: String| hidden::on_one_line(&text).into_owned();
            let shown: Vec<OsString> = args.into_iter().map(|it| foreign(it, shown)).collect();
            let shown = understood(&shown);
            return misuse(&shown.err().unwrap_or(error), host);
        }
    };
    let mut ui = Ui::new(host, &cli.looks);
    let ui = &mut ui;
    let result = match &cli.command {
        Command::Play(args) => c::play::run(args, ui),
        Command::Legal(args) => c::legal::run(args, ui),
        Command::Show(args) => c::show::run(args, ui),
        Command::Why(args) => c::why::run(args, ui),
        Command::WhyNot(args) => c::why_not::run(args, ui),
        Command::Run(args) => c::run::run(args, ui),
        Command::Resume(args) => c::resume::run(args, ui),
        Command::Replay(args) => c::replay::run(args, ui),
        Command::Hint(args) => c::hint::run(args, ui),
        Command::Review(args) => c::review::run(args, ui),
        Command::Rulings(args) => c::rulings::run(args, ui),
        Command::Study(args) => c::study::run(args, ui),
        Command::Perft(args) => c::perft::run(args, ui),
        Command::Solve(args) => c::solve::run(args, ui),
        Command::Simulate(args) => c::simulate::run(args, ui),
        Command::Compare(args) => c::compare::run(args, ui),
        Command::Try(args) => c::trying::run(args, ui),
        Command::Diff(args) => c::diff::run(args, ui),
        Command::Shard(args) => c::shard::run(args, ui),
        Command::Bench(args) => c::bench::run(args, ui),
        Command::Profile(args) => c::profile::run(args, ui),
        Command::Dump(args) => c::dump::run(args, ui),
        Command::New(args) => c::new::run(args, ui),
        Command::Outline(args) => c::outline::run(args, ui),
        Command::Sources(args) => c::sources::run(args, ui),
        Command::Settings(args) => c::settings::run(args, ui),
        Command::Games(args) => c::games::run(args, ui),
        Command::Check(args) => c::check::run(args, ui),
        Command::Lint(args) => c::lint::run(args, ui),
        Command::Fmt(args) => c::fmt::run(args, ui),
        Command::Watch(args) => c::watch::run(args, ui),
        Command::Lsp(args) => c::lsp::run(args, ui),
        Command::Upgrade(args) => c::upgrade::run(args, ui),
        Command::Explain(args) => c::explain::run(args, ui),
        Command::Doc(args) => c::doc::run(args, ui),
        Command::Completions(args) => c::completions::run(args, ui),
        Command::Man(args) => c::man::run(args, ui),
    };
    result.unwrap_or_else(|error| error.show(ui))
}

fn understood(args: &[OsString]) -> Result<Cli, clap::Error> {
    let matches = help::command().try_get_matches_from(args)?;
    Cli::from_arg_matches(&matches)
}

/// Returns whether some words are a command with its arguments, whatever it comes to.
pub fn understands(args: &[&str]) -> bool {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    understood(&args).is_ok()
}

/// Answers a shell that asks what can be typed, and ends the program then; else does nothing.
pub fn complete() {
    clap_complete::CompleteEnv::with_factory(help::command).complete();
}

/// Returns an argument with its text changed; what is no text stays, and is refused where one is needed.
fn foreign(argument: OsString, change: impl Fn(String) -> String) -> OsString {
    match argument.into_string() {
        Ok(text) => change(text).into(),
        Err(other) => other,
    }
}

/// Shows clap's own answer: help and version on the one side, misuse on the other.
fn misuse(error: &clap::Error, mut host: Host<'_>) -> Exit {
    let styled = error.render();
    let text = if host.err_is_terminal && (host.env)("NO_COLOR").is_none() {
        styled.ansi().to_string()
    } else {
        styled.to_string()
    };
    if error.use_stderr() {
        // Nobody is left to tell if this cannot be written.
        let _ = host.err.write_all(text.as_bytes());
        return Exit::Failure;
    }
    let written = host.out.write_all(text.as_bytes());
    match written.and_then(|()| host.out.flush()) {
        Ok(()) => Exit::Yes,
        Err(error) => error::unwritten(&error, |said| {
            let _ = writeln!(host.err, "{said}");
        }),
    }
}

/// Returns the reference of every command as Markdown, from the same definitions that parse.
pub fn reference() -> String {
    let mut root = help::command().term_width(96);
    root.build();
    let mut text = String::from(
        "# Commands\n\nWritten from the definitions of the commands by a test; \
         `adit help COMMAND` says the same.\n",
    );
    let mut section = |title: &str, command: &mut clap::Command| {
        let help = command.render_long_help().to_string();
        let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
        text.push_str(&format!(
            "\n## {title}\n\n```text\n{}\n```\n",
            lines.join("\n").trim_end()
        ));
    };
    section("adit", &mut root.clone());
    for command in root.get_subcommands_mut() {
        let name = command.get_name().to_owned();
        if name == "help" {
            continue;
        }
        section(&format!("adit {name}"), command);
        let below = command.get_subcommands_mut();
        for part in below.filter(|it| it.get_name() != "help") {
            section(&format!("adit {name} {}", part.get_name()), part);
        }
    }
    text
}
