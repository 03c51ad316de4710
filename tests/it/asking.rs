//! `why-not`, `why`, `legal`, `sources`, `rulings`, as a person reads the answers.

use std::path::PathBuf;

use adit::cli::Exit;
use adit::library;

use crate::command::{adit, adit_to_a_full_disk, adit_unread, adit_with};
use crate::fixtures::width;

/// Asks a question and keeps it with its answer.
fn snapshot(name: &str, command: &str) {
    let ran = adit(command);
    let code = match ran.exit {
        Exit::Yes => 0,
        Exit::No => 1,
        Exit::Failure => 2,
    };
    let text = format!(
        "$ adit {command}\n{}{}[exit code {code}]\n",
        ran.out, ran.err
    );
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/asking");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

const TIC: &str = "tests/fixtures/games/tic_tac_toe.rules";
const KUHN: &str = "tests/fixtures/games/kuhn.rules";
const FOUR: &str = "tests/fixtures/games/connect_four.rules";

#[test]
fn a_clause_forbids() {
    snapshot(
        "why_not__values_do_not_match",
        "why-not tunnels \"match 7♠ with c1\" --moves \"swap 7s with a1\"",
    );
    snapshot(
        "why_not__card_is_covered",
        "why-not tunnels \"match 7s with c2\"",
    );
    snapshot(
        "why_not__card_is_not_in_hand",
        "why-not tunnels \"swap 8s with a1\"",
    );
    snapshot(
        "why_not__three_swaps_in_a_row",
        "why-not tunnels \"swap 9s with a1\" --ruling R-fourth-swap",
    );
    snapshot(
        "why_not__a_house_rule_forbids",
        "why-not tunnels \"swap Ks with c4\" --with no_take_back --ruling R-take-back",
    );
    snapshot(
        "why_not__another_reading_forbids",
        "why-not tunnels \"swap 7s with a1\" --set must_match_if_able=always",
    );
    snapshot(
        "why_not__square_is_taken",
        &format!("why-not {TIC} b2 --moves \"a1; b2\""),
    );
    snapshot(
        "why_not__plain",
        "--plain why-not tunnels \"match 7s with c2\"",
    );
}

#[test]
fn a_clause_is_told_with_its_brackets() {
    let game = "tests/fixtures/questions/brackets.rules";
    for (name, played, typed) in [
        ("in_a_set", "back 9", "go 3"),
        ("differences", "back 9", "back 4"),
        ("conditions", "open", "on 5"),
    ] {
        snapshot(
            &format!("why_not__brackets_{name}"),
            &format!("why-not {game} \"{typed}\" --moves \"{played}\""),
        );
    }
}

#[test]
fn no_rule_offers() {
    snapshot(
        "why_not__no_such_move",
        "why-not tunnels \"fly to the moon\"",
    );
    snapshot(
        "why_not__not_at_this_choice",
        "why-not tunnels \"discard 7s\"",
    );
    snapshot(
        "why_not__not_without_a_bet",
        &format!("why-not {KUHN} call"),
    );
    snapshot(
        "why_not__game_is_over",
        &format!("why-not {TIC} c1 --moves \"a1; a2; b1; b2; c1\""),
    );
}

#[test]
fn an_alternative_is_offered_only_where_its_condition_holds() {
    let game = "tests/fixtures/asking/where_twice.rules";
    for (name, asked) in [
        ("action", "\"inc 1\""),
        ("option", "nap"),
        ("value", "\"Card(1)\" --moves \"no; stay\""),
    ] {
        let name = format!("why_not__where_{name}");
        snapshot(&name, &format!("why-not {game} {asked}"));
    }
    adit(&format!("rulings {game}")).says(Exit::Yes, "1 hold");
}

#[test]
fn there_is_no_such_thing() {
    snapshot(
        "why_not__no_such_card",
        "why-not tunnels \"match 11s with a1\"",
    );
    snapshot(
        "why_not__no_such_place",
        "why-not tunnels \"match 7s with h1\"",
    );
    snapshot("why_not__no_such_square", &format!("why-not {TIC} d4"));
}

#[test]
fn a_move_is_legal() {
    snapshot("why__a_match", "why tunnels \"match 7s with c1\"");
    snapshot("why_not__but_it_is_legal", &format!("why-not {TIC} b2"));
}

#[test]
fn positions_are_drawn() {
    snapshot("legal__tunnels", "legal tunnels");
    snapshot("legal__tunnels_plain", "--plain legal tunnels");
    snapshot("legal__tunnels_json", "--json legal tunnels");
    snapshot(
        "legal__tic_tac_toe",
        &format!("legal {TIC} --moves \"b2; a1; c3\""),
    );
    snapshot(
        "legal__connect_four",
        &format!("legal {FOUR} --moves \"d; d; e\""),
    );
    snapshot("legal__nim", "legal tests/fixtures/games/nim.rules");
    snapshot(
        "legal__kuhn_hides_the_other_card",
        &format!("legal {KUHN} --seed 3"),
    );
}

#[test]
fn wrong_names_are_answered_with_the_right_ones() {
    snapshot("wrong__game", "legal tunels");
    snapshot("wrong__amendment", "legal tunnels --with no_takeback");
    snapshot(
        "wrong__amendment_of_another_game",
        &format!("legal {TIC} --with breather"),
    );
    snapshot("wrong__setting", "legal tunnels --set match_value=equal");
    snapshot("wrong__reading", "legal tunnels --set match_values=eqaul");
    snapshot("wrong__option", "legal tunnels --set target=1000000");
    snapshot(
        "wrong__set_twice",
        "legal tunnels --set target=5 --set target=7",
    );
    snapshot("wrong__seats", "play tunnels --seats random,random,random");
    snapshot("wrong__player", "play tunnels --seats humann,random");
    snapshot("wrong__players", "legal tunnels --players 5");
    snapshot("wrong__ruling", "legal tunnels --ruling R-fourth-swop");
    snapshot("wrong__file", "check no/such.rules");
    snapshot(
        "wrong__a_card_in_a_move",
        "legal tunnels --moves \"match 7z with c1\"",
    );
}

#[test]
fn every_sentence_of_tunnels_is_accounted_for() {
    let ran = adit("sources tunnels");
    let last = ran.out.lines().last().unwrap_or("");
    assert!(
        last.starts_with("Tunnels: 59 of 59 sentences accounted for, 0 uncited clauses"),
        "{last}"
    );
    assert_eq!(ran.exit, Exit::Yes);
    snapshot("sources__tunnels", "sources tunnels");
}

#[test]
fn every_sentence_of_channel_tunnel_is_accounted_for() {
    for command in [
        "sources channel_tunnel",
        "sources channel_tunnel --with agenda",
    ] {
        let ran = adit(command);
        let last = ran.out.lines().last().unwrap_or("");
        let all = "1987 Channel Tunnel: 156 of 156 sentences accounted for, 0 uncited clauses";
        assert!(last.starts_with(all), "{last}");
        assert_eq!(ran.exit, Exit::Yes);
    }
    snapshot(
        "sources__channel_tunnel",
        "sources channel_tunnel --with agenda",
    );
}

#[test]
fn plain_answers_are_ascii() {
    for line in [
        "settings agenda",
        "settings steal_second",
        "sources agenda",
        "show carcassonne_tunnel",
        "legal carcassonne_tunnel",
        "check steal_second --with both_at_once",
        "lint tests/fixtures/rulings/wrong_elsewhere.rules",
        "play agenda --seats random,random --seed 3",
        "games",
        "explain",
    ] {
        let ran = adit(&format!("--plain {line}"));
        let said = ran.out + &ran.err;
        assert!(said.len() > 10, "{line}");
        let other = said.lines().find(|it| !it.is_ascii());
        assert_eq!(other, None, "{line}");
    }
}

#[test]
fn settings_are_listed_with_their_readings() {
    snapshot("settings__tunnels", "settings tunnels");
}

#[test]
fn a_ruling_says_who_sees_what_and_who_is_told_what() {
    snapshot(
        "rulings__who_sees_what",
        "rulings tests/fixtures/rulings/witness.rules",
    );
}

#[test]
fn what_is_drawn_lies_there_and_is_compared() {
    snapshot(
        "rulings__drawn",
        "rulings tests/fixtures/rulings/drawn.rules",
    );
}

#[test]
fn what_is_not_chosen_and_what_comes() {
    snapshot(
        "rulings__nothing",
        "rulings tests/fixtures/rulings/nothing.rules",
    );
}

#[test]
fn a_ruling_says_who_wins() {
    snapshot(
        "rulings__winners",
        "rulings tests/fixtures/rulings/winners.rules",
    );
}

#[test]
fn a_ruling_names_the_clause_that_refuses() {
    snapshot(
        "rulings__refused",
        "rulings tests/fixtures/rulings/refused.rules",
    );
}

#[test]
fn a_ruling_goes_on_under_other_readings() {
    snapshot(
        "rulings__scenes",
        "rulings tests/fixtures/rulings/scenes.rules",
    );
    snapshot(
        "rulings__scenes_matrix",
        "rulings --matrix tests/fixtures/rulings/scenes.rules",
    );
    snapshot(
        "study__position",
        "study tests/fixtures/rulings/scenes.rules last",
    );
}

#[test]
fn a_ruling_is_wrong_if_it_is_wrong_under_a_reading_that_it_names() {
    let wrong = "--plain rulings carcassonne --with tests/fixtures/rulings/wrong_elsewhere.rules";
    let ran = adit(&format!("{wrong} W-wrong"));
    ran.says(
        Exit::No,
        ":6:5  expect count reserve[player1] == 7 under followers = 3",
    );
    assert!(
        ran.out
            .contains(":8:5  expect farmers under small_city = two, farmers = false")
    );
    assert!(
        !ran.out.contains(":7:5") && !ran.out.contains(":5:5"),
        "{}",
        ran.out
    );
    let ran = adit(&format!("{wrong} W-only"));
    ran.says(Exit::No, "1 ruling: 0 hold, 1 fail");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "minutes without optimising")]
fn shipped_rulings_hold_under_the_readings_that_they_name() {
    // The rules themselves run for each single reading in `rulebooks`.
    for file in library::FILES.iter().step_by(width(1, 3, 1) as usize) {
        let ran = adit(&format!("--plain rulings {}", file.name));
        assert_eq!(ran.exit, Exit::Yes, "{}\n{}", file.name, ran.out);
    }
}

/// Which disputed case moves with which reading and which amendment.
/// Runs all rulings of a game under every reading, every amendment and every two of them.
fn matrix(name: &str, game: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let ran = adit(&format!("rulings {game} --matrix"));
    settings.bind(|| insta::assert_snapshot!(name, ran.out));
    assert_eq!(ran.exit, Exit::Yes, "some ruling failed");
}

#[test]
fn rulings_of_tunnels_under_every_reading_and_amendment() {
    matrix("matrix__tunnels", "tunnels");
}

/// Thousands of rule sets, so not every day.
#[test]
fn rulings_of_the_greater_games_under_every_reading_and_amendment() {
    if width(0, 0, 1) == 1 {
        matrix("matrix__carcassonne", "carcassonne_tunnel");
        matrix("matrix__channel_tunnel", "channel_tunnel --with agenda");
    }
}

#[test]
fn house_rules_that_contradict_each_other_are_shown_with_both_places() {
    snapshot(
        "check__two_house_rules_in_conflict",
        "check steal_second --with both_at_once",
    );
}

/// Each can be played, and both together leave no way to lay a token by itself.
#[test]
#[cfg_attr(debug_assertions, ignore = "half a minute without optimising")]
fn house_rules_that_together_make_a_move_impossible_are_found_by_playing() {
    for alone in ["own_follower", "both_at_once"] {
        let ran = adit(&format!("lint {alone} --games 40"));
        assert!(!ran.out.contains("L119"), "{alone}: {}", ran.out);
    }
    snapshot(
        "lint__two_house_rules_that_make_a_move_impossible",
        "lint own_follower --with both_at_once --games 40",
    );
}

/// What a house rule has put in place of a condition refuses in its own name, and no printed sentence says it.
#[test]
fn a_condition_that_was_replaced_refuses_in_the_name_of_the_house_rule() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("replaced_condition");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("room.rules");
    let text = "variant room \"Room\" for connect_four { }\nreplace drop.room = empty board[Cell(c, 5)] else \"{c} may hold four\"\n";
    std::fs::write(&path, text).unwrap();
    let path = path.display();
    let ran = adit(&format!("why-not {path} a --moves a;a;a;a;a"));
    assert_eq!(ran.exit, Exit::No, "{}{}", ran.out, ran.err);
    let line = ran
        .out
        .lines()
        .find(|it| it.contains("drop.room (of room)"));
    let line = line.unwrap_or_else(|| panic!("{}", ran.out));
    assert!(line.ends_with("room.rules:2:9"), "{line}");
    assert!(!line.contains("C-5"), "{line}");
}

/// How a command ends says what it has found, also where nobody reads the rest of it.
#[test]
fn a_reader_that_goes_changes_no_answer() {
    assert_eq!(adit_unread("why-not chess a1-a5", ""), Exit::No);
    assert_eq!(adit_unread("why chess e2-e4", ""), Exit::Yes);
    assert_eq!(adit_unread("why e2-e4", ""), Exit::Failure);
    // Nobody is left to choose.
    assert_eq!(
        adit_unread("play tic_tac_toe --seed 1", "a1\nb1\n"),
        Exit::Yes
    );
}

#[test]
fn an_answer_that_has_no_room_is_a_failure() {
    for line in ["help", "help rulings", "--version", "games", "legal chess"] {
        let ran = adit_to_a_full_disk(line);
        ran.complains(Exit::Failure, "error: the answer cannot be written");
    }
}

/// Where something does not lie is told as people say it, whosever the place is.
#[test]
fn a_place_is_told_in_words() {
    let about = |asked: &str, told: &str| {
        let command = "play tests/fixtures/asking/lying.rules --seats human,human --seed 1";
        let ran = adit_with(command, &format!("why not {asked}\nquit\n"));
        ran.says(Exit::Yes, told);
    };
    about("give tea", "tea is not in your hand");
    about("buy salt", "salt is not in the market row");
    about("win tea", "tea is not in the pot");
    about("fetch tea", "tea is not in your shed 2");
    about("rob anna of tea in 1", "tea is not in the shed 1 of anna");
}

/// A kept game stands for its rules and the position in which it stops; where a rulebook alone will do, it is said what it is.
#[test]
fn a_kept_game_in_the_place_of_a_rulebook() {
    let path = crate::prompt::fresh("kept_as_rules.jsonl");
    let path = path.display();
    let play = format!("play tunnels --seed 21 --seats human,first --journal {path}");
    adit_with(&play, "match 8h with f7\nquit\n");
    for command in ["hint --iterations 40", "legal", "show", "show --plain"] {
        let asked = adit(&format!("{command} {path}"));
        assert_eq!(asked.exit, Exit::Yes, "{}", asked.err);
        assert_eq!(
            asked.out,
            adit(&format!("{command} tunnels --at {path}")).out
        );
    }
    let told = "is a kept game, no rulebook";
    for command in ["check", "doc", "play", "legal --seed 3"] {
        let asked = adit(&format!("{command} {path}"));
        asked.complains(Exit::Failure, told);
        asked.complains(Exit::Failure, "adit resume");
    }
}

/// What a rulebook says of a set goes on behind a colon; a name keeps its capital letter.
#[test]
fn a_sentence_goes_on_behind_a_colon() {
    let told = |doc: &str| {
        let text = format!(
            "game g \"G\" {{ seats anna, bert }}
            enum Suit {{ clubs, hearts }}
            track told: Suit = clubs
            {doc}
            define fit: set of Suit = {{ told }}
            action take(x in fit) \"take {{x}}\" {{ do {{ told = x }} }}
            flow main() {{ choose anna: take  end over() }}
            ending over() {{ winner none }}"
        );
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("colon.rules");
        std::fs::write(&path, text).unwrap();
        adit(&format!("why-not {} \"take hearts\"", path.display())).out
    };
    for (doc, said) in [
        ("Cards of a suit", "cards of a suit"),
        ("Äcker am Fluss", "äcker am Fluss"),
        ("A card", "a card"),
        ("DNA strands", "DNA strands"),
    ] {
        let told = told(&format!("/// {doc}."));
        let wanted = format!("hearts is not one of these: {said}\n");
        assert!(told.contains(&wanted), "{told}");
    }
    let told = told("");
    assert!(told.contains("hearts is not in fit\n"), "{told}");
}
