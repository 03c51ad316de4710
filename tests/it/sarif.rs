//! What `adit lint --format sarif` writes is SARIF 2.1.0: of all members that it writes, what the standard says of them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::command::{Ran, adit};

/// What a member holds.
#[derive(Clone, Copy)]
enum Holds {
    Text,
    One(&'static [&'static str]),
    /// A reference to a URI, as RFC 3986 writes it.
    Uri,
    /// A whole number, at least so great.
    Whole(i64),
    /// Texts by name.
    Texts,
    Of(&'static str),
    /// At least so many objects.
    List(&'static str, usize),
    /// The same, of which no two are alike.
    Unique(&'static str, usize),
}
use Holds::{List, Of, One, Text, Texts, Unique, Uri, Whole};

const LEVELS: &[&str] = &["none", "note", "warning", "error"];

/// A member: its name, whether it must be there, and what it holds.
type Member = (&'static str, bool, Holds);

/// The objects that are written. A member that is not here is one that nobody has looked up.
const OBJECTS: &[(&str, &[Member])] = &[
    (
        "sarifLog",
        &[
            ("version", true, One(&["2.1.0"])),
            ("$schema", false, Uri),
            ("runs", true, List("run", 0)),
        ],
    ),
    (
        "run",
        &[
            ("tool", true, Of("tool")),
            (
                "columnKind",
                false,
                One(&["utf16CodeUnits", "unicodeCodePoints"]),
            ),
            ("results", false, List("result", 0)),
        ],
    ),
    ("tool", &[("driver", true, Of("toolComponent"))]),
    (
        "toolComponent",
        &[
            ("name", true, Text),
            ("version", false, Text),
            ("rules", false, Unique("reportingDescriptor", 0)),
        ],
    ),
    (
        "reportingDescriptor",
        &[
            ("id", true, Text),
            ("name", false, Text),
            ("shortDescription", false, Of("message")),
            ("defaultConfiguration", false, Of("reportingConfiguration")),
        ],
    ),
    ("reportingConfiguration", &[("level", false, One(LEVELS))]),
    (
        "result",
        &[
            ("ruleId", false, Text),
            ("ruleIndex", false, Whole(-1)),
            (
                "kind",
                false,
                One(&[
                    "notApplicable",
                    "pass",
                    "fail",
                    "review",
                    "open",
                    "informational",
                ]),
            ),
            ("level", false, One(LEVELS)),
            ("message", true, Of("message")),
            ("locations", false, List("location", 0)),
            ("relatedLocations", false, Unique("location", 0)),
            ("partialFingerprints", false, Texts),
            ("fixes", false, Unique("fix", 0)),
        ],
    ),
    // A message may have an id in place of its text; these have texts.
    ("message", &[("text", true, Text)]),
    (
        "location",
        &[
            ("physicalLocation", false, Of("physicalLocation")),
            ("message", false, Of("message")),
        ],
    ),
    (
        "physicalLocation",
        &[
            ("artifactLocation", true, Of("artifactLocation")),
            ("region", false, Of("region")),
        ],
    ),
    ("artifactLocation", &[("uri", true, Uri)]),
    (
        "region",
        &[
            ("startLine", true, Whole(1)),
            ("startColumn", false, Whole(1)),
            ("endLine", false, Whole(1)),
            ("endColumn", false, Whole(1)),
        ],
    ),
    (
        "fix",
        &[
            ("description", false, Of("message")),
            ("artifactChanges", true, Unique("artifactChange", 1)),
        ],
    ),
    (
        "artifactChange",
        &[
            ("artifactLocation", true, Of("artifactLocation")),
            ("replacements", true, List("replacement", 1)),
        ],
    ),
    (
        "replacement",
        &[
            ("deletedRegion", true, Of("region")),
            ("insertedContent", false, Of("artifactContent")),
        ],
    ),
    ("artifactContent", &[("text", false, Text)]),
];

/// Whether a text is a reference to a URI. A file that is named by its whole path has the scheme `file`; another one is named as
/// it is seen from here, and its first part holds no colon, which would end a scheme. What begins a query or a part stands in no path.
fn is_uri(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_hex = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
    let written = bytes.iter().enumerate().all(|(at, byte)| match byte {
        b'%' => is_hex(at + 1) && is_hex(at + 2),
        byte => byte.is_ascii_alphanumeric() || b"-._~:/@!$&'()*+,;=".contains(byte),
    });
    let first = text.split('/').next().unwrap_or_default();
    let begins = match first.strip_suffix(':') {
        Some(scheme) => match scheme {
            "file" => text.starts_with("file:///"),
            scheme => ["http", "https"].contains(&scheme),
        },
        None => !first.is_empty() && !first.contains(':'),
    };
    written && begins
}

/// Notes what is wrong with a value.
fn look(value: &Value, holds: Holds, path: &str, wrong: &mut Vec<String>) {
    let is_right = match holds {
        Text => value.is_string(),
        One(words) => value.as_str().is_some_and(|it| words.contains(&it)),
        Uri => value.as_str().is_some_and(is_uri),
        Whole(least) => value.as_i64().is_some_and(|it| it >= least),
        Texts => value
            .as_object()
            .is_some_and(|it| !it.is_empty() && it.values().all(Value::is_string)),
        Of(kind) => match value.as_object() {
            Some(members) => {
                look_into(members, kind, path, wrong);
                true
            }
            None => false,
        },
        List(kind, least) | Unique(kind, least) => match value.as_array() {
            Some(all) => {
                for (at, one) in all.iter().enumerate() {
                    look(one, Of(kind), &format!("{path}[{at}]"), wrong);
                }
                let texts: BTreeSet<String> = all.iter().map(Value::to_string).collect();
                let may_repeat = matches!(holds, List(..));
                all.len() >= least && (may_repeat || texts.len() == all.len())
            }
            None => false,
        },
    };
    if !is_right {
        wrong.push(path.to_owned());
    }
}

/// Notes what is wrong with the members of an object.
fn look_into(members: &Map<String, Value>, kind: &str, path: &str, wrong: &mut Vec<String>) {
    let (_, known) = OBJECTS.iter().find(|it| it.0 == kind).expect("an object");
    for (name, is_needed, holds) in *known {
        let path = format!("{path}.{name}");
        match members.get(*name) {
            Some(value) => look(value, *holds, &path, wrong),
            None if *is_needed => wrong.push(path),
            None => {}
        }
    }
    let unknown = members
        .keys()
        .filter(|name| !known.iter().any(|it| it.0 == *name));
    wrong.extend(unknown.map(|name| format!("{path}.{name}")));
    let number = |name: &str| members.get(name).and_then(Value::as_i64);
    if kind == "region" {
        // Without an end it ends on its line, without a column it begins with it.
        let line = number("startLine").unwrap_or(1);
        let last = number("endLine").unwrap_or(line);
        let column = number("startColumn").unwrap_or(1);
        let end = number("endColumn").unwrap_or(i64::MAX);
        if (last, end) < (line, column) {
            wrong.push(format!("{path} ends before it begins"));
        }
    }
    if kind == "result" {
        // Only what failed has a level.
        let failed = members.get("kind").is_none_or(|it| it == "fail");
        if !failed && members.get("level").is_some_and(|it| it != "none") {
            wrong.push(format!("{path}.level of what has not failed"));
        }
    }
}

/// Returns what is wrong with a log.
fn faults(log: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    look(log, Of("sarifLog"), "log", &mut wrong);
    for run in log["runs"].as_array().into_iter().flatten() {
        let rules = run["tool"]["driver"]["rules"].as_array();
        let rules = rules.map_or(&[][..], Vec::as_slice);
        let ids: BTreeSet<&str> = rules.iter().filter_map(|it| it["id"].as_str()).collect();
        if ids.len() != rules.len() {
            wrong.push(String::from("two rules with one id"));
        }
        for result in run["results"].as_array().into_iter().flatten() {
            let rule = result["ruleIndex"].as_i64().filter(|it| *it >= 0);
            let rule = rule.map(|it| rules.get(usize::try_from(it).unwrap_or(usize::MAX)));
            match rule {
                Some(Some(rule)) if rule["id"] == result["ruleId"] => {}
                Some(_) => wrong.push(format!("{} has another rule", result["ruleId"])),
                None => {}
            }
        }
    }
    wrong
}

const HALL: &str = "game hall \"A hall\" { seats anna, bert }\n\n\
    track coins[seat]: 0..9 = 3\n\
    define rich(s: seat): bool = (coins[s] > 3)\n\
    action pay() \"pay ♣\" { require poor: not rich(me)  do { coins[me] -= 1 } }\n\
    flow main() { turns me from anna once { choose me: pay }  end over() }\n\
    ending over() { ranking seat by coins[it] }\n";

fn log_of(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).expect(&ran.err)
}

/// The findings of a rulebook in a folder whose name has to be written in other signs.
fn found_in(name: &str, text: &str) -> Value {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sarif 100% [a] #1 ♠");
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    fs::write(&path, text).expect("a file");
    log_of(&adit(&format!(
        "lint \"{}\" --format sarif",
        path.display()
    )))
}

#[test]
fn what_is_written_is_sarif() {
    let twice = HALL.replace("define rich", "track coins: 0..3 = 0\ndefine rich");
    let quiet = "game hall \"A hall\" { seats a, b }\nflow main() { end over }\nending over() { winner none }\n";
    let logs = vec![
        found_in("hall.rules", HALL),
        found_in("broken.rules", &HALL.replace("-= 1", "-= one")),
        found_in("twice.rules", &twice),
        found_in("quiet.rules", quiet),
        // As it is seen from here.
        log_of(&adit(
            "lint tests/fixtures/meaning/pack.rules --format sarif",
        )),
    ];
    for log in &logs {
        assert_eq!(faults(log), [""; 0], "{log:#}");
    }
    let whole = Value::from(logs).to_string();
    for member in ["\"fixes\"", "\"relatedLocations\"", "\"results\":[]"] {
        assert!(whole.contains(member), "{member}");
    }
    for level in ["error", "warning"] {
        assert!(whole.contains(&format!("\"level\":\"{level}\"")), "{level}");
    }
}

/// What the standard refuses is refused here.
#[test]
fn what_is_no_sarif_is_seen() {
    let sound = found_in("sound.rules", HALL);
    assert_eq!(faults(&sound), [""; 0]);
    let with = |pointer: &str, name: &str, value: Option<Value>| {
        let mut log = sound.clone();
        let members = log.pointer_mut(pointer).expect(pointer);
        let members = members.as_object_mut().expect(pointer);
        match value {
            Some(value) => members.insert(name.to_owned(), value),
            None => members.remove(name),
        };
        faults(&log)
    };
    let results = "/runs/0/results/0";
    let place = "/runs/0/results/0/locations/0/physicalLocation";
    for (pointer, name, value) in [
        ("", "version", Some(json!("2.0.0"))),
        ("", "runs", None),
        ("", "run", Some(json!([]))),
        ("/runs/0", "tool", None),
        ("/runs/0", "columnKind", Some(json!("bytes"))),
        ("/runs/0/tool/driver", "name", None),
        ("/runs/0/tool/driver/rules/0", "id", Some(json!("L0"))),
        (results, "message", None),
        (results, "message", Some(json!("a text"))),
        (results, "level", Some(json!("info"))),
        (results, "kind", Some(json!("pass"))),
        (results, "ruleIndex", Some(json!(99))),
        (results, "partialFingerprints", Some(json!({"adit/v1": 7}))),
        (results, "fixes", Some(json!([{"artifactChanges": []}]))),
        (place, "artifactLocation", None),
        (
            &format!("{place}/artifactLocation"),
            "uri",
            Some(json!("a b.rules")),
        ),
        (
            &format!("{place}/artifactLocation"),
            "uri",
            Some(json!("C:/a.rules")),
        ),
        (
            &format!("{place}/artifactLocation"),
            "uri",
            Some(json!("100%.rules")),
        ),
        (
            &format!("{place}/artifactLocation"),
            "uri",
            Some(json!("file://a.rules")),
        ),
        (
            &format!("{place}/artifactLocation"),
            "uri",
            Some(json!("a\\b.rules")),
        ),
        (&format!("{place}/region"), "startLine", Some(json!(0))),
        (&format!("{place}/region"), "endLine", Some(json!(1))),
        (&format!("{place}/region"), "startColumn", Some(json!("3"))),
    ] {
        let found = with(pointer, name, value);
        assert!(!found.is_empty(), "{pointer} {name}");
    }
}
