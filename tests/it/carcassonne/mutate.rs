//! Recorded games with one thing changed: a replay has to refuse each of them where it is changed.

use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::log::Log;
use super::replay::{Parted, Referee, replay};
use crate::baseline::chance::pick;

/// A change of a turn, and what the refusal has to name.
pub struct Change {
    pub name: &'static str,
    /// Makes the change, if there is something to change, and returns words of the refusal.
    make: fn(&mut Value, &mut ChaCha8Rng) -> Option<Vec<String>>,
}

pub const CHANGES: [Change; 20] = [
    change("placement added", |turn, rng| {
        let list = turn["legal"].as_array_mut()?;
        let mut near = list.get(pick(rng, list.len()))?.clone();
        while list.contains(&near) {
            let (axis, by) = (pick(rng, 2), [-1, 1][pick(rng, 2)]);
            near[axis] = json!(near[axis].as_i64()? + by);
            near[2] = json!(90 * pick(rng, 4));
        }
        list.insert(pick(rng, list.len() + 1), near.clone());
        let print = format!("placement [{},{},{}]", near[0], near[1], near[2]);
        Some(vec![print, "is in the log; legal is [".to_owned()])
    }),
    change("placement removed", |turn, rng| {
        let gone = take(&mut turn["legal"], rng)?;
        let print = format!("placement [{},{},{}]", gone[0], gone[1], gone[2]);
        Some(vec![print, "is not in the log; legal is [".to_owned()])
    }),
    change("placement twice", |turn, rng| {
        let list = turn["legal"].as_array_mut()?;
        let again = list.get(pick(rng, list.len()))?.clone();
        list.push(again);
        Some(vec!["is twice in the log; legal is [".to_owned()])
    }),
    change("tile laid where it can not lie", |turn, _| {
        turn["place"] = json!({"x": 60, "y": 60, "rot": 0});
        Some(vec!["[60,60,0]; legal is [".to_owned()])
    }),
    change("follower added", |turn, rng| {
        let list = options(turn, rng, "follower")?;
        let mut other = list.first()?.clone();
        other["feature"] = json!("road9");
        list.push(other);
        Some(vec![
            "road9] is in the log; legal is [".to_owned(),
            "follower".to_owned(),
        ])
    }),
    change("follower removed", |turn, rng| {
        let gone = take_option(turn, rng, "follower")?;
        let feature = gone["feature"].as_str()?;
        Some(vec![
            format!("{feature}] is not in the log; legal is ["),
            "follower".to_owned(),
        ])
    }),
    change("follower put where none may stand", |turn, rng| {
        act(turn, rng, "follower", "feature", json!("road9"))?;
        Some(vec!["road9]; legal is [".to_owned()])
    }),
    change("colour of tokens added", |turn, rng| {
        let list = options(turn, rng, "token_sets")?;
        list.push(json!("D"));
        Some(vec![
            "token D at [".to_owned(),
            "is in the log; legal is ".to_owned(),
        ])
    }),
    change("colour of tokens removed", |turn, rng| {
        let gone = take_option(turn, rng, "token_sets")?;
        Some(vec![format!("token {} at [", gone.as_str()?)])
    }),
    change("opening removed", |turn, rng| {
        let gone = take_option(turn, rng, "openings")?;
        let (feature, edge) = (gone["feature"].as_str()?, gone["edge"].as_str()?);
        let print = format!("{feature},{edge}] is not in the log; legal is ");
        Some(vec!["token ".to_owned(), print])
    }),
    change("opening at another edge", |turn, rng| {
        let list = options(turn, rng, "openings")?;
        let n = list.len();
        let opening = list.get_mut(pick(rng, n))?;
        opening["edge"] = json!("U");
        Some(vec![",U] is in the log; legal is ".to_owned()])
    }),
    change("token put where none may lie", |turn, rng| {
        act(turn, rng, "token", "x", json!(77))?;
        Some(vec!["[77,".to_owned(), "legal is ".to_owned()])
    }),
    change("decision left out", |turn, _| {
        turn["options"].as_array_mut()?.pop()?;
        turn["acts"].as_array_mut()?.pop()?;
        Some(vec![
            "the log has no further decision; legal is ".to_owned(),
        ])
    }),
    change("decision too much", |turn, _| {
        let more = json!({"phase": "token", "token_sets": ["A"], "openings": []});
        turn["options"].as_array_mut()?.push(more);
        Some(vec![])
    }),
    change("points", |turn, rng| {
        more(one(&mut turn["points"], rng)?, "points")?;
        Some(vec!["was not scored".to_owned()])
    }),
    change("points to another player", |turn, rng| {
        let points = one(&mut turn["points"], rng)?;
        points["player"] = json!(1 - points["player"].as_u64()?.min(1));
        Some(vec!["was not scored".to_owned()])
    }),
    change("points left out", |turn, rng| {
        take(&mut turn["points"], rng)?;
        Some(vec!["the log lacks points".to_owned()])
    }),
    change("score", |turn, rng| {
        let n = turn["scores"].as_array()?.len();
        more(&mut turn["scores"], pick(rng, n))?;
        Some(vec!["scores".to_owned()])
    }),
    change("followers in supply", |turn, rng| {
        let n = turn["supply"].as_array()?.len();
        more(&mut turn["supply"], pick(rng, n))?;
        Some(vec!["followers in supply".to_owned()])
    }),
    change("tokens left", |turn, rng| {
        let left = one(turn.get_mut("tokens_left")?, rng)?;
        more(left, "A")?;
        Some(vec!["tokens left".to_owned()])
    }),
];

const fn change(
    name: &'static str,
    make: fn(&mut Value, &mut ChaCha8Rng) -> Option<Vec<String>>,
) -> Change {
    Change { name, make }
}

fn one<'v>(list: &'v mut Value, rng: &mut ChaCha8Rng) -> Option<&'v mut Value> {
    let list = list.as_array_mut().filter(|it| !it.is_empty())?;
    let n = list.len();
    list.get_mut(pick(rng, n))
}

fn take(list: &mut Value, rng: &mut ChaCha8Rng) -> Option<Value> {
    let list = list.as_array_mut().filter(|it| !it.is_empty())?;
    Some(list.remove(pick(rng, list.len())))
}

/// A list of options of one of the decisions.
fn options<'v>(turn: &'v mut Value, rng: &mut ChaCha8Rng, key: &str) -> Option<&'v mut Vec<Value>> {
    one(&mut turn["options"], rng)?.get_mut(key)?.as_array_mut()
}

/// Takes out one of several: a list without anything would be another log format.
fn take_option(turn: &mut Value, rng: &mut ChaCha8Rng, key: &str) -> Option<Value> {
    let list = options(turn, rng, key)?;
    (list.len() > 1).then(|| list.remove(pick(rng, list.len())))
}

/// Changes an act of a kind.
fn act(turn: &mut Value, _: &mut ChaCha8Rng, kind: &str, key: &str, value: Value) -> Option<()> {
    let acts = turn["acts"].as_array_mut()?;
    let act = acts.iter_mut().find(|it| it["type"] == kind)?;
    act[key] = value;
    Some(())
}

fn more(holder: &mut Value, key: impl serde_json::value::Index) -> Option<()> {
    let value = holder.get_mut(key)?;
    *value = json!(value.as_u64()? + 1);
    Some(())
}

/// Makes a change on one line of a log that allows it, and tells what the replay says of it.
/// None if no line allows it.
pub fn changed(
    text: &str,
    change: &Change,
    rng: &mut ChaCha8Rng,
) -> Option<(String, String, Vec<String>)> {
    let log = Log::read(text).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let start = pick(rng, log.turns.len());
    for turn in 0..log.turns.len() {
        let turn = (start + turn) % log.turns.len();
        let line = &mut lines[log.lines[turn] - 1];
        let bare = line.trim().trim_end_matches(',');
        let comma = &line[line.trim_end_matches(',').len()..];
        let mut value: Value = serde_json::from_str(bare).unwrap();
        if let Some(words) = (change.make)(&mut value, rng) {
            *line = format!("{value}{comma}");
            return Some((lines.join("\n"), log.place_of(turn + 1), words));
        }
    }
    None
}

/// Replays a log with a change and panics unless it is refused where it was changed, in these words.
/// Whether there was anything to change.
pub fn must_refuse<R: Referee>(text: &str, change: &Change, rng: &mut ChaCha8Rng) -> bool {
    let Some((text, place, words)) = changed(text, change, rng) else {
        return false;
    };
    let name = change.name;
    let log = Log::read(&text).unwrap_or_else(|it| panic!("{name}: {it}"));
    match replay::<R>(&log) {
        Ok(_) => panic!("{name} at {place} was not noticed"),
        Err(Parted { place: at, why }) => {
            assert_eq!(at, place, "{name}: {why}");
            for word in words {
                assert!(
                    why.contains(&word),
                    "{name} at {at}: no `{word}` in `{why}`"
                );
            }
        }
    }
    true
}
