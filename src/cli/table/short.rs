//! Moves typed in fewer letters or by a number, and in several steps.

use super::{Table, orders};
use crate::cli::{CliError, Ui, drawing, show};
use crate::diagnostic::codes;
use crate::engine::Move;
use crate::model::text::Form;
use crate::play::groups::{Groups, phrases_of};
use crate::play::{Meant, Problem, all_of_line, meant, names_word};

/// What a line that is no whole move led to.
pub(super) enum Short {
    /// It means this one.
    Means(Move),
    /// It can mean several, which were shown.
    Asked,
}

impl Table<'_> {
    /// Reads a line that is no whole move; none where it means nothing.
    pub(super) fn in_short(
        &mut self,
        line: &str,
        problem: &Problem,
        ui: &mut Ui<'_>,
    ) -> Result<Option<Short>, CliError> {
        // What names a move that is not legal stands for that one.
        if problem.code == codes::ILLEGAL_MOVE {
            return Ok(None);
        }
        if self.begun.is_empty()
            && let Some(number) = number_of(line)
        {
            // Whoever has a picture before the eyes means its numbers, unless a move has that very word.
            let drawn = drawing::numbered(&mut self.session, number);
            let is_plain = !line.ends_with(['.', ')']);
            if is_plain && !drawn.is_empty() && !names_word(self.session.machine(), line) {
                let nth = number.checked_sub(1).filter(|_| self.is_listed);
                let n_moves = self.session.machine().moves().len();
                if let Some(nth) = nth.filter(|it| drawn != [*it] && *it < n_moves) {
                    self.say_listed(nth, ui)?;
                }
                return self.drawn(&drawn, ui).map(Some);
            }
            // The same goes for the list; but what begins words of moves may mean these as well.
            if self.is_listed {
                let asked = self.ask_number(line, number, ui)?;
                return match asked {
                    Some(asked) => Ok(Some(asked)),
                    None => self.listed(number, ui).map(Some),
                };
            }
        }
        let behind = format!("{} {line}", self.begun);
        let both = if self.begun.is_empty() { line } else { &behind };
        let mut words = both.trim().to_owned();
        let mut found = self.meant(both);
        // Of what was asked about, whatever is named again.
        if found == Meant::Nothing && !self.begun.is_empty() {
            let mut among = self.all_meant(&self.begun.clone());
            let named = self.all_meant(line);
            among.retain(|it| named.contains(it));
            if let Some(first) = among.first() {
                found = match self.session.machine().moves().get(*first) {
                    Some(only) if among.len() == 1 => Meant::One(*only),
                    _ => Meant::Several(among),
                };
            }
        }
        if found == Meant::Nothing && self.begun.is_empty() {
            let whole = all_of_line(self.session.machine(), line);
            if let Some(whole) = whole {
                words = self.said_by_all(&whole, ui.form());
                found = Meant::Several(whole);
            }
        }
        // A number alone would name another spot than the one that was asked about.
        if found == Meant::Nothing && !self.begun.is_empty() && number_of(line).is_none() {
            words = line.to_owned();
            found = self.meant(line);
            if found != Meant::Nothing {
                let text = format!(
                    "`{line}` does not go with `{}`, which is forgotten",
                    self.begun
                );
                ui.line(show::paragraph(&text, ui))?;
            }
        }
        match found {
            Meant::One(chosen) => {
                // Nobody who wants to leave makes a move by the first letter.
                let order = orders::begun(line).filter(|_| self.begun.is_empty());
                let order = order.filter(|_| !names_word(self.session.machine(), line));
                let Some(order) = order else {
                    return Ok(Some(Short::Means(chosen)));
                };
                let name = self.session.machine().name(chosen, ui.form());
                ui.line(format!("`{line}` begins `{order}` as well as `{name}`"))?;
                return Ok(Some(Short::Asked));
            }
            Meant::Several(several) => {
                self.begun = words;
                return self.ask_which(&several, ui).map(Some);
            }
            Meant::Nothing => {}
        }
        let with_number = self.with_number(both);
        if !with_number.is_empty() {
            return self.drawn(&with_number, ui).map(Some);
        }
        // Lists are often numbered so.
        let Some(number) = number_of(line) else {
            return Ok(None);
        };
        // With a point it is one of the list, never one of the picture.
        let is_plain = !line.ends_with(['.', ')']);
        let mut drawn = match is_plain {
            true => drawing::numbered(&mut self.session, number),
            false => Vec::new(),
        };
        // Behind words that were asked about, a number means no other move than these.
        if let Meant::Several(among) = self.meant(&self.begun.clone()) {
            drawn.retain(|it| among.contains(it));
            let nth = number.checked_sub(1).filter(|_| self.is_listed);
            if drawn.is_empty() && !nth.is_some_and(|it| among.contains(&it)) {
                let text = format!(
                    "`{number}` is none of these; an empty line forgets `{}`",
                    self.begun
                );
                ui.line(text)?;
                return self.ask_which(&among, ui).map(Some);
            }
        }
        if self.is_listed {
            return Ok(Some(self.listed(number, ui)?));
        }
        if !drawn.is_empty() {
            return self.drawn(&drawn, ui).map(Some);
        }
        if is_plain && !drawing::numbers(&mut self.session).is_empty() {
            let text = format!("the picture has no {number}; `list` numbers the moves one by one");
            ui.line(text)?;
            return Ok(Some(Short::Asked));
        }
        ui.line("numbers are those of this list:")?;
        self.list(ui)?;
        Ok(Some(Short::Asked))
    }

    /// The moves at a number of the picture: the only one, or those among which is asked.
    fn drawn(&mut self, moves: &[usize], ui: &mut Ui<'_>) -> Result<Short, CliError> {
        let machine = self.session.machine();
        if let [only] = moves
            && let Some(only) = machine.moves().get(*only)
        {
            return Ok(Short::Means(*only));
        }
        self.begun = self.said_by_all(moves, ui.form());
        self.ask_which(moves, ui)
    }

    /// The moves at a number of the picture that have the other words of a line as well: `9 e`.
    fn with_number(&mut self, line: &str) -> Vec<usize> {
        let (numbers, words): (Vec<&str>, Vec<&str>) = line
            .split_whitespace()
            .partition(|it| it.parse::<usize>().is_ok());
        let [number] = numbers.as_slice() else {
            return Vec::new();
        };
        let number = number.parse().unwrap_or(usize::MAX);
        let mut drawn = drawing::numbered(&mut self.session, number);
        let among = self.all_meant(&words.join(" "));
        drawn.retain(|it| among.contains(it));
        drawn
    }

    /// The move that has a number in the list.
    fn listed(&mut self, number: usize, ui: &mut Ui<'_>) -> Result<Short, CliError> {
        let moves = self.session.machine().moves();
        let nth = number.checked_sub(1).and_then(|at| moves.get(at));
        if let Some(nth) = nth {
            return Ok(Short::Means(*nth));
        }
        let n = moves.len();
        ui.line(format!("the list goes from 1 to {n}"))?;
        Ok(Short::Asked)
    }

    /// Asks which is meant, the number in the list or the moves that have it as a word; none where that is the same move.
    fn ask_number(
        &mut self,
        line: &str,
        number: usize,
        ui: &mut Ui<'_>,
    ) -> Result<Option<Short>, CliError> {
        let moves = self.session.machine().moves().to_vec();
        let nth = number.checked_sub(1).filter(|at| *at < moves.len());
        let (Some(nth), false) = (nth, line.ends_with(['.', ')'])) else {
            return Ok(None);
        };
        let mut several = self.all_meant(line);
        if several.is_empty() || several == [nth] {
            return Ok(None);
        }
        several.retain(|it| *it != nth);
        self.say_listed(nth, ui)?;
        self.ask_which(&several, ui).map(Some)
    }

    /// Says how a number of the list is typed where the number alone means something else.
    fn say_listed(&mut self, nth: usize, ui: &mut Ui<'_>) -> Result<(), CliError> {
        let name = self.session.machine().names(ui.form());
        let name = name.get(nth).map_or("", String::as_str);
        let number = nth + 1;
        ui.line(format!(
            "`{number}.` is number {number} of the list, {name}"
        ))
    }

    /// Whether what begins with the word of an order is a word of a move as well, and what follows goes with it.
    pub(super) fn begins_move(&mut self, line: &str) -> bool {
        let word = line.split(' ').next().unwrap_or_default();
        names_word(self.session.machine(), word) && self.meant(line) != Meant::Nothing
    }

    fn meant(&mut self, line: &str) -> Meant {
        meant(self.session.machine(), line)
    }

    /// The numbers of the moves that a line can mean, from nought.
    fn all_meant(&mut self, line: &str) -> Vec<usize> {
        match self.meant(line) {
            Meant::One(only) => {
                let mut moves = self.session.machine().moves().iter();
                moves.position(|it| *it == only).into_iter().collect()
            }
            Meant::Several(several) => several,
            Meant::Nothing => Vec::new(),
        }
    }

    /// Shows the moves that words can mean.
    fn ask_which(&mut self, several: &[usize], ui: &mut Ui<'_>) -> Result<Short, CliError> {
        let phrases = phrases_of(self.session.machine(), ui.form());
        let groups = Groups::among(&phrases, several);
        ui.line("which of these?")?;
        let most = ui.on_terminal().then_some(super::MOST_LINES);
        for line in show::offers(&groups, most, ui) {
            ui.line(line)?;
        }
        Ok(Short::Asked)
    }

    /// The words that are the same in all of these moves, as they are typed.
    fn said_by_all(&mut self, several: &[usize], form: Form) -> String {
        let phrases = phrases_of(self.session.machine(), form);
        let mut phrases = several.iter().filter_map(|at| phrases.get(*at));
        let mut same: Vec<String> = phrases.next().map_or_else(Vec::new, |it| {
            it.iter().map(|it| it.text.trim().to_owned()).collect()
        });
        for other in phrases {
            same.retain(|text| other.iter().any(|it| it.text.trim() == text));
        }
        same.join(" ").trim().to_owned()
    }

    /// Shows the list, of which the numbers can be typed from now on.
    pub(super) fn list(&mut self, ui: &mut Ui<'_>) -> Result<(), CliError> {
        self.is_listed = true;
        show::moves(&mut self.session, ui.form(), ui)
    }
}

/// A number as it stands before a line of a list.
fn number_of(line: &str) -> Option<usize> {
    line.trim_end_matches(['.', ')']).parse().ok()
}
