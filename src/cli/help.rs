//! How the commands are told: by what people want, each with a line and with examples.

use clap::{Command, CommandFactory};

use super::{Cli, completing};

/// What people want, and the commands that do it; each command stands in one of them.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "Play",
        &[
            "games", "play", "resume", "hint", "replay", "review", "run", "show",
        ],
    ),
    (
        "Ask",
        &[
            "legal", "why", "why-not", "settings", "rulings", "explain", "doc", "sources", "study",
            "solve",
        ],
    ),
    (
        "Write rules and house rules",
        &[
            "new", "outline", "try", "diff", "check", "lint", "watch", "fmt", "upgrade",
        ],
    ),
    (
        "Measure",
        &["simulate", "compare", "shard", "perft", "bench", "profile"],
    ),
    ("Tools", &["lsp", "completions", "man", "dump"]),
];

/// For each command what somebody may type.
const EXAMPLES: &[(&str, &[&str])] = &[
    ("games", &["adit games", "adit games --json"]),
    (
        "play",
        &[
            "adit play",
            "adit play tunnels --seats human,hard",
            "adit play tunnels --with no_take_back --journal game.jsonl",
        ],
    ),
    (
        "resume",
        &["adit resume", "adit resume 1", "adit resume game.jsonl"],
    ),
    (
        "hint",
        &[
            "adit hint tunnels --seed 7",
            "adit hint --at game.jsonl --iterations 2000",
        ],
    ),
    (
        "review",
        &[
            "adit review game.jsonl",
            "adit review game.jsonl --seat south --svg course.svg",
        ],
    ),
    (
        "replay",
        &[
            "adit replay game.jsonl",
            "adit replay game.jsonl --as south",
        ],
    ),
    ("run", &["adit run tunnels moves.txt --seed 7"]),
    (
        "show",
        &[
            "adit show chess --moves \"e2-e4; e7-e5\"",
            "adit show chess --at game.jsonl --svg board.svg",
        ],
    ),
    (
        "legal",
        &[
            "adit legal connect_four",
            "adit legal chess --moves \"e2-e4\" --plain",
        ],
    ),
    ("why", &["adit why chess e2-e4"]),
    (
        "why-not",
        &[
            "adit why-not chess e2-e5",
            "adit why-not tunnels \"swap Ks with c4\" --with no_take_back --ruling R-take-back",
        ],
    ),
    ("settings", &["adit settings tunnels"]),
    (
        "rulings",
        &[
            "adit rulings tunnels",
            "adit rulings carcassonne_tunnel --matrix",
        ],
    ),
    (
        "explain",
        &[
            "adit explain E0301",
            "adit explain tunnels match.at",
            "adit explain tunnels T-15",
        ],
    ),
    (
        "doc",
        &[
            "adit doc tunnels",
            "adit doc tunnels --with breather --format html -o tunnels.html",
        ],
    ),
    ("sources", &["adit sources tunnels --missing"]),
    ("study", &["adit study carcassonne_blocking"]),
    (
        "solve",
        &["adit solve tic_tac_toe", "adit solve kuhn_poker --cfr 1000"],
    ),
    (
        "new",
        &[
            "adit new game my_game --players 3",
            "adit new variant my_rule --for tunnels --edit swap.stalemate",
            "adit new ruling R-mine --from line.jsonl --for my_rule.rules",
        ],
    ),
    (
        "outline",
        &[
            "adit outline tunnels",
            "adit outline connect_four drop",
            "adit outline tunnels --find swap",
        ],
    ),
    (
        "try",
        &[
            "adit try no_take_back",
            "adit try my_rule.rules --games 1000 --save line.jsonl",
        ],
    ),
    ("diff", &["adit diff carcassonne --but-set farmers=false"]),
    ("check", &["adit check tunnels", "adit check my_rule.rules"]),
    (
        "watch",
        &[
            "adit watch my_rule.rules",
            "adit watch tunnels --with my_rule.rules --games 20",
        ],
    ),
    (
        "lint",
        &["adit lint my_rule.rules", "adit lint rules/ --format sarif"],
    ),
    (
        "fmt",
        &["adit fmt my_rule.rules", "adit fmt --check my_rule.rules"],
    ),
    ("upgrade", &["adit upgrade my_rule.rules"]),
    (
        "simulate",
        &[
            "adit simulate tunnels --games 10000",
            "adit simulate whist --until 1%",
        ],
    ),
    (
        "compare",
        &["adit compare tunnels --but-with breather --games 5000"],
    ),
    (
        "shard",
        &[
            "adit shard plan --of 64 -o plan.json simulate tunnels --games 1000000",
            "adit shard run plan.json 17",
            "adit shard merge plan.json plan.0.part plan.1.part",
        ],
    ),
    ("perft", &["adit perft chess 3"]),
    ("bench", &["adit bench tunnels"]),
    ("profile", &["adit profile tunnels"]),
    ("lsp", &["adit lsp"]),
    (
        "completions",
        &["adit completions bash", "adit completions fish"],
    ),
    (
        "man",
        &["adit man", "adit man why-not", "adit man --into man1"],
    ),
    ("dump", &["adit dump tic_tac_toe"]),
];

/// The commands with their groups, examples and completions.
pub fn command() -> Command {
    let plain = Cli::command();
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}Options:\n{{options}}{{after-help}}",
        groups(&plain)
    );
    let mut command = plain.help_template(template);
    for (name, examples) in EXAMPLES {
        let lines: String = examples.iter().map(|it| format!("\n  {it}")).collect();
        command = command.mut_subcommand(name, |it| it.after_help(format!("Examples:{lines}")));
    }
    completing::teach(command)
}

/// The commands by what people want, a line each.
fn groups(command: &Command) -> String {
    let all = || GROUPS.iter().flat_map(|it| it.1);
    let width = all().map(|it| it.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (title, names) in GROUPS {
        text += &format!("{title}:\n");
        for name in *names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            text += &format!("  {name:width$}  {about}\n");
        }
        text.push('\n');
    }
    text
}

/// Each command with its examples.
pub fn examples() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    EXAMPLES.iter().copied()
}

/// The commands that are listed, in the order in which they are.
pub fn listed() -> impl Iterator<Item = &'static str> {
    GROUPS.iter().flat_map(|it| it.1.iter().copied())
}
