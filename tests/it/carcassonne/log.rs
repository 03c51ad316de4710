//! Games of Carcassonne that another engine recorded, with every legal option at every decision.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// A recorded game. Places are `x` eastward and `y` southward from the start tile, rotations are
/// degrees clockwise, features have the names of the unrotated tile. What else a log notes besides
/// is passed over; a setting or a kind of option that nobody knows is not.
#[derive(Clone, Debug, Deserialize)]
pub struct Log {
    pub format: String,
    #[serde(rename = "name")]
    pub _name: String,
    #[serde(rename = "engine")]
    pub _engine: String,
    pub config: Config,
    pub start: Start,
    pub tokens_per_player: Vec<Tokens>,
    pub turns: Vec<Turn>,
    #[serde(default)]
    pub discarded_at_end: Vec<String>,
    pub final_points: Vec<Points>,
    pub final_scores: Vec<u32>,
    pub final_followers: Vec<Standing>,
    pub final_features: Vec<Feature>,
    /// The line of the file that each turn stands on.
    #[serde(skip)]
    pub lines: Vec<usize>,
}

/// How many tokens there are by colour; colours of a player are `A`, `B`, `C`.
pub type Tokens = BTreeMap<String, u32>;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    pub players: usize,
    pub farmers: bool,
    pub tunnel: bool,
    /// How often the tiles of The Tunnel are in.
    pub tunnel_sets: usize,
    pub token_rule: Option<TokenRule>,
    pub small_city: SmallCity,
    pub followers: u8,
}

/// How many colours two and three players have each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum TokenRule {
    #[serde(rename = "3/2")]
    ThreeTwo,
    #[serde(rename = "2/1")]
    TwoOne,
    #[serde(rename = "1/1")]
    OneOne,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum SmallCity {
    #[serde(rename = "2 tiles score 4")]
    Four,
    #[serde(rename = "2 tiles score 2")]
    Two,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    pub design: String,
    pub x: i32,
    pub y: i32,
    pub rot: u32,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Turn {
    pub n: usize,
    pub player: usize,
    #[serde(default)]
    pub discarded_before: Vec<String>,
    pub tile: String,
    pub legal: Vec<Placement>,
    pub pack_left: usize,
    pub place: Place,
    pub options: Vec<Options>,
    pub acts: Vec<Act>,
    pub points: Vec<Points>,
    pub scores: Vec<u32>,
    pub supply: Vec<u32>,
    /// Absent without The Tunnel.
    pub tokens_left: Option<Vec<Tokens>>,
}

/// `[x, y, rotation]`.
pub type Placement = (i32, i32, u32);

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    pub x: i32,
    pub y: i32,
    pub rot: u32,
}

/// A piece of a tile that lies there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    pub x: i32,
    pub y: i32,
    pub feature: String,
}

/// An opening of a tunnel: the edge is that of the table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    pub x: i32,
    pub y: i32,
    pub feature: String,
    pub edge: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// A follower or a token.
    Action,
    /// A token, after a follower or none.
    Token,
}

/// A decision; what is absent was not on offer.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    pub phase: Phase,
    #[serde(default)]
    pub follower: Vec<Part>,
    #[serde(default)]
    pub token_sets: Vec<String>,
    #[serde(default)]
    pub openings: Vec<Opening>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum Act {
    Follower {
        x: i32,
        y: i32,
        feature: String,
    },
    Token {
        set: String,
        x: i32,
        y: i32,
        feature: String,
        edge: String,
    },
    Pass {
        phase: Phase,
    },
}

/// What a player got for a feature.
#[derive(Clone, Debug, Deserialize)]
pub struct Points {
    pub player: usize,
    pub points: u32,
    /// `road`, `city`, `city.tiny`, `monastery`, with `.incomplete` at the end of the game; `field`.
    pub what: String,
    /// What was counted: its name, how many, and the points for it.
    pub items: Vec<(String, u32, u32)>,
    /// One of the followers of the player on the feature.
    pub follower_at: Part,
}

/// A follower that stands there at the end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Standing {
    pub player: usize,
    pub x: i32,
    pub y: i32,
    pub feature: String,
}

/// A road, city or field at the end of the game, and who has most followers on it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    pub kind: String,
    pub parts: Vec<(i32, i32, String)>,
    pub owners: Vec<usize>,
}

impl Log {
    /// Reads a log; the error says what is wrong with the text.
    pub fn read(text: &str) -> Result<Log, String> {
        let text = text.trim_start_matches('\u{feff}');
        let mut log: Log = serde_json::from_str(text).map_err(|it| it.to_string())?;
        if log.format != "carcassonne-oracle-1" {
            return Err(format!("the format is {}", log.format));
        }
        if log.config.tunnel != (log.config.tunnel_sets > 0)
            || log.config.tunnel != log.config.token_rule.is_some()
        {
            return Err(format!("the tunnel is in and out: {:?}", log.config));
        }
        let in_order = log.turns.iter().enumerate().all(|(i, it)| it.n == i + 1);
        if !in_order {
            return Err("the turns are not in order".to_owned());
        }
        let starts = |(_, line): &(usize, &str)| line.trim_start().starts_with("{\"n\":");
        let lines = text.lines().enumerate().filter(starts);
        log.lines = lines.map(|(i, _)| i + 1).collect();
        if log.lines.len() != log.turns.len() {
            // Not one turn a line.
            log.lines.clear();
        }
        Ok(log)
    }

    /// Where a turn stands in the file, for a person.
    pub fn place_of(&self, turn: usize) -> String {
        match self.lines.get(turn - 1) {
            Some(line) => format!("line {line}, turn {turn}"),
            None => format!("turn {turn}"),
        }
    }

    /// How many colours each player has.
    pub fn colours_each(&self) -> usize {
        match (self.config.token_rule, self.config.players) {
            (None, _) => 0,
            (Some(TokenRule::ThreeTwo), 2) => 3,
            (Some(TokenRule::ThreeTwo), 3) | (Some(TokenRule::TwoOne), 2) => 2,
            _ => 1,
        }
    }

    /// The designs in the order in which they were drawn.
    pub fn drawn(&self) -> Vec<String> {
        let turn = |it: &Turn| [it.discarded_before.clone(), vec![it.tile.clone()]].concat();
        let mut drawn: Vec<String> = self.turns.iter().flat_map(turn).collect();
        drawn.extend(self.discarded_at_end.iter().cloned());
        drawn
    }
}

/// The logs of the other engine that come with the project.
pub fn own() -> Vec<PathBuf> {
    in_folder(&fixtures().join("logs"))
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/carcassonne")
}

/// The logs that come with the project and those in the folder named by `ADIT_LOGS`. Some of the first were made by a
/// third program, of what no log of the other engine shows: tiles without a place, other numbers of followers.
pub fn paths() -> Vec<PathBuf> {
    let mut paths = own();
    paths.extend(in_folder(&fixtures().join("more_logs")));
    if let Some(folder) = std::env::var_os("ADIT_LOGS") {
        paths.extend(in_folder(Path::new(&folder)));
    }
    paths
}

fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .unwrap_or_else(|it| panic!("{} can not be read: {it}", folder.display()));
    let files = entries.map(|it| it.unwrap().path());
    let mut logs: Vec<PathBuf> = files
        .filter(|it| it.extension().is_some_and(|it| it == "json"))
        .filter(|it| is_log(&text(it)))
        .collect();
    assert!(!logs.is_empty(), "no logs in {}", folder.display());
    logs.sort();
    logs
}

/// Whether a file of JSON is meant to be a log, good or bad, and not a table that lies beside the logs.
fn is_log(text: &str) -> bool {
    let value = serde_json::from_str::<serde_json::Value>(text.trim_start_matches('\u{feff}'));
    value.map_or(true, |it| {
        it.get("format").is_some() || it.get("turns").is_some()
    })
}

pub fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|it| panic!("{}: {it}", path.display()))
}

pub fn load(path: &Path) -> Log {
    Log::read(&text(path)).unwrap_or_else(|it| panic!("{}: {it}", path.display()))
}

#[test]
fn a_log_that_is_written_otherwise_is_the_same_log() {
    let text = text(&own()[0]);
    let read = |text: &str| {
        let log = Log::read(text).unwrap();
        (
            log.place_of(2),
            format!(
                "{:?}",
                Log {
                    lines: vec![],
                    ..log
                }
            ),
        )
    };
    let (place, logged) = read(&text);
    assert_eq!(
        read(&text.replace('\n', "\r\n")),
        (place.clone(), logged.clone())
    );
    assert_eq!(
        read(&format!("\u{feff}{text}\n\n")),
        (place, logged.clone())
    );
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    // Keys in another order, one line for each value, then one line for all.
    let in_lines = serde_json::to_string_pretty(&value).unwrap();
    assert_eq!(read(&in_lines), ("turn 2".to_owned(), logged.clone()));
    assert_eq!(
        read(&value.to_string()),
        ("turn 2".to_owned(), logged.clone())
    );
    let noted = text.replace("\"n\":2,", "\"n\":2,\"seconds\":[1.5],");
    assert_ne!(noted, text);
    let noted = noted.replace("\"name\":", "\"seed\":7,\"name\":");
    assert_eq!(read(&noted).1, logged);
    let rule = text.replace("\"players\":", "\"river\":true,\"players\":");
    let option = text.replace("\"phase\":", "\"wagon\":[],\"phase\":");
    for (other, word) in [(rule, "river"), (option, "wagon")] {
        assert!(Log::read(&other).unwrap_err().contains(word), "{word}");
    }
}

#[test]
fn tables_beside_the_logs_are_no_logs() {
    assert!(!is_log(r#"{"base2-01": {"final_scores": [1, 2]}}"#));
    assert!(!is_log("[1]"));
    assert!(is_log(r#"{"format": "another"}"#));
    assert!(is_log(r#"{"turns": []}"#));
    assert!(is_log("{ broken"));
}
