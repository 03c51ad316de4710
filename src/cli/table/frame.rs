//! A screen of a terminal: status, table, what happened last and what can be done, with the prompt on its last line.

use std::collections::{BTreeMap, BTreeSet};

use super::Table;
use super::happened::{self, Last};
use super::parts::{Part, fill, part_of, parts_of_values, seats_beside};
use crate::cli::columns::{clipped, long};
use crate::cli::drawing::{self, Known};
use crate::cli::ui::Tone;
use crate::cli::{CliError, Ui, show};
use crate::model::text::spelt;
use crate::play::entries::wrapped;
use crate::play::figures::main_figure;
use crate::play::groups::phrases_of;
use crate::play::part::{Block, Kind};
use crate::play::picture::{self, Scene};
use crate::play::seat_with_sign;
use crate::play::tableau::{self, BETWEEN, Drawn};

/// What is asked where the rulebook has no sentence for it.
const NOTHING_SAID: &str = "What do you choose?";
/// Columns from which on words stand beside a board.
const WIDE: usize = 72;
/// Columns that words beside a board have at least.
const SIDE: usize = 28;
/// Columns beside a landscape, and beside one with something that is about to be laid.
const BESIDE_LAND: usize = 30;
const BESIDE_WAYS: usize = 40;
/// Lines that what happened last has at least.
const LEAST_LAST: usize = 3;

impl Table<'_> {
    /// The columns and lines of a screen; none where the table is not drawn on one.
    pub(super) fn screen(&self, ui: &Ui<'_>) -> Option<(usize, usize)> {
        let height = ui.height().filter(|_| !ui.plain && !ui.json);
        height.map(|rows| (ui.width(), rows))
    }

    /// What is asked, in as few lines as there may be.
    pub(super) fn question(&mut self, columns: usize, ui: &Ui<'_>) -> Vec<String> {
        let is_only = self.session.machine().moves().len() == 1;
        let asked = self.asked_for();
        let asked = asked.as_deref().unwrap_or(NOTHING_SAID);
        let only = if is_only { " Enter does so." } else { "" };
        let words = format!("{asked}{only}");
        let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let text = wrapped("", &words, " ", columns);
        let (head, rest) = text.trim_end().split_once('\n').unwrap_or((&text, ""));
        let rest = rest.replace('\n', " ");
        let lines = [head.trim_end(), &rest].into_iter();
        let lines = lines.filter(|it| !it.is_empty());
        lines
            .map(|it| ui.paint(Tone::Dim, clipped(it, columns)))
            .collect()
    }

    /// Draws the parts of the table that are called so; says what there is where none is.
    pub(super) fn draw_part(
        &mut self,
        seat: u32,
        name: &str,
        ui: &mut Ui<'_>,
    ) -> Result<(), CliError> {
        let view = drawing::view_of(&mut self.session, Some(seat));
        let width = show::text_width(ui);
        let blocks = drawing::blocks(&mut self.session, &view, Drawn::default(), width)?;
        // By its name in the rulebook it is called as well.
        let called = |name: &str| spelt(name).to_lowercase();
        let wanted = called(name);
        if drawing::land_called(&mut self.session, seat, &wanted, ui)? {
            return Ok(());
        }
        let begins = |it: &&Block| called(&it.name).starts_with(&wanted);
        let has_word = |it: &&Block| {
            let name = called(&it.name);
            let mut words = name.split(|it: char| !it.is_alphanumeric());
            words.any(|it| it.starts_with(&wanted))
        };
        let mut found: Vec<&Block> = blocks.iter().filter(begins).collect();
        if found.is_empty() {
            found = blocks.iter().filter(has_word).collect();
        }
        for line in found.iter().flat_map(|it| &it.lines) {
            ui.line(heard(line, ui))?;
        }
        if !found.is_empty() && !ui.plain {
            let view = drawing::view_of(&mut self.session, Some(seat));
            let parts = picture::read(self.session.machine(), &view, name, ui.form());
            for line in parts.map_err(drawing::fault)? {
                ui.line(line)?;
            }
        }
        // A place has no picture of its own, but can be told.
        if found.is_empty() && (ui.plain || !self.read_called(seat, name, ui)?) {
            let names = blocks.iter().map(|it| it.name.as_str());
            let mut names: Vec<&str> = names.filter(|it| !it.is_empty()).collect();
            names.dedup();
            let names = names.join(", ");
            let text = format!("nothing on the table is called `{name}`; there is: {names}");
            ui.line(show::paragraph(&text, ui))?;
        }
        Ok(())
    }

    /// What is printed on a thing of a name that lies on the table, in lines.
    pub(super) fn printed_on(
        &mut self,
        seat: u32,
        name: &str,
        ui: &Ui<'_>,
    ) -> Result<Vec<String>, CliError> {
        let view = drawing::view_of(&mut self.session, Some(seat));
        let width = show::text_width(ui);
        let blocks = drawing::blocks(&mut self.session, &view, Drawn::default(), width)?;
        let printed = blocks.iter().filter(|it| it.kind == Kind::Printed);
        let lines: Vec<&String> = printed.flat_map(|it| &it.lines).collect();
        let depth = |line: &str| line.len() - line.trim_start().len();
        let wanted = format!("{}  ", name.trim().to_lowercase());
        let is_of = |line: &&String| line.trim_start().to_lowercase().starts_with(&wanted);
        let Some(at) = lines.iter().position(is_of) else {
            return Ok(Vec::new());
        };
        let (first, rest) = lines.split_at(at + 1);
        let head = first.last().map_or("", |it| it.as_str());
        let more = rest.iter().take_while(|it| depth(it) > depth(head));
        let own = std::iter::once(head).chain(more.map(|it| it.as_str()));
        Ok(own.map(|it| heard(it, ui)).collect())
    }

    /// Writes a frame for a person, of which `below` are the last lines before the prompt.
    pub(super) fn frame(
        &mut self,
        seat: u32,
        (columns, rows): (usize, usize),
        below: &[String],
        ui: &mut Ui<'_>,
    ) -> Result<(), CliError> {
        let body = rows.saturating_sub(2 + below.len()).max(LEAST_LAST);
        let (status, told) = self.status(seat, columns, ui)?;
        let (mut lines, known) = self.body((seat, &told), columns, body, ui)?;
        lines.resize(body, String::new());
        ui.line(clipped(&status, columns))?;
        for line in lines.iter().chain(below) {
            ui.line(clipped(line, columns))?;
        }
        self.known.insert(seat, known);
        self.drawn_at = self.session.machine().clause();
        Ok(())
    }

    /// The game, as many of the values that stand by themselves as there is room for, and by seat the figure that it is
    /// won by; with those values.
    fn status(
        &mut self,
        seat: u32,
        columns: usize,
        ui: &Ui<'_>,
    ) -> Result<(String, BTreeSet<String>), CliError> {
        let game = self.session.game();
        let view = drawing::view_of(&mut self.session, Some(seat));
        let figure = main_figure(self.session.machine(), &view).map_err(drawing::fault)?;
        let seats = (0..game.n_seats).map(|it| {
            let own = if it == seat { " (you)" } else { "" };
            let figure = figure.as_ref().and_then(|(_, all)| all.get(it as usize));
            let figure = figure.map_or_else(String::new, |it| format!(" {it}"));
            format!("{}{own}{figure}", seat_with_sign(game, it))
        });
        let mut seats = seats.collect::<Vec<_>>().join(" · ");
        if let Some((name, _)) = &figure {
            seats = format!("{name}  {seats}");
        }
        let title = game.title.as_str();
        let gap = columns.saturating_sub(long(title) + long(&seats));
        if gap < 2 {
            return Ok((ui.paint(Tone::Bold, seats), BTreeSet::new()));
        }
        let blocks = drawing::blocks(&mut self.session, &view, Drawn::default(), columns)?;
        let mut text = String::new();
        let mut told = BTreeSet::new();
        for line in values_of(&blocks) {
            let between = if told.is_empty() { "  " } else { BETWEEN };
            let more = format!("{between}{line}");
            if long(&text) + long(&more) + 2 <= gap {
                text.push_str(&more);
                told.insert(line.to_owned());
            }
        }
        let gap = gap.saturating_sub(long(&text));
        // Where there is room, also by which amendments.
        let with = self.loaded.title();
        let more = long(&with).saturating_sub(long(title));
        let (title, gap) = match more + 2 <= gap {
            true => (with.as_str(), gap - more),
            false => (title, gap),
        };
        let gap = " ".repeat(gap);
        let title = ui.paint(Tone::Bold, title);
        Ok((format!("{title}{text}{gap}{seats}"), told))
    }

    /// The lines between status and moves, and what is known to whom they were shown.
    fn body(
        &mut self,
        (seat, told): (u32, &BTreeSet<String>),
        columns: usize,
        room: usize,
        ui: &Ui<'_>,
    ) -> Result<(Vec<String>, Known), CliError> {
        let numbers = drawing::numbers(&mut self.session);
        let game = self.game();
        let view = drawing::view_of(&mut self.session, Some(seat));
        let scenes = picture::scenes(self.session.machine(), &view, &numbers);
        let scenes = scenes.map_err(drawing::fault)?;
        let known = self.known.get(&seat);
        let mut drawn = Drawn {
            zones: scenes.iter().flat_map(|it| it.zones.clone()).collect(),
            tables: known.is_some(),
            in_brief: true,
            ..Drawn::default()
        };
        if let Some(known) = known {
            // What can be taken is weighed again each time.
            let offered = tableau::printed(game, &view, true);
            drawn.read = &known.printed - &offered;
        }
        let whole = drawing::blocks(&mut self.session, &view, drawn.clone(), columns)?;
        let (boards, words): (Vec<Block>, Vec<Block>) =
            whole.into_iter().partition(|it| it.kind == Kind::Board);
        let has_ways = scenes.iter().any(|it| !it.aside.is_empty());
        let wide = match (scenes.is_empty(), has_ways) {
            (true, _) => boards
                .iter()
                .flat_map(|it| &it.lines)
                .map(|it| long(it))
                .max(),
            (false, true) => Some(columns.saturating_sub(BESIDE_WAYS)),
            (false, false) => Some(columns.saturating_sub(BESIDE_LAND)),
        };
        let wide = wide.unwrap_or(0);
        let is_beside = columns >= WIDE && wide > 0 && wide + 2 + SIDE <= columns;
        let side = if is_beside {
            columns - wide - 2
        } else {
            columns
        };
        let words = match is_beside {
            true => {
                let mut words = drawing::blocks(&mut self.session, &view, drawn, side)?;
                words.retain(|it| it.kind != Kind::Board);
                words
            }
            false => words,
        };
        let of_words = words.iter().filter(|it| it.kind != Kind::Value);
        let asked = self.asked_words(ui);
        let mut parts: Vec<Part> = of_words.map(|it| part_of(it, seat, &asked)).collect();
        let values = words.iter().filter(|it| it.kind == Kind::Value);
        let values = values.filter(|it| !it.lines.iter().any(|line| told.contains(line)));
        // What has just come to be is mostly what is asked about.
        let is_new = |it: &&Block| self.is_newest(seat, &it.lines.join(" "));
        let (new, old): (Vec<&Block>, Vec<&Block>) = values.partition(is_new);
        parts.extend(parts_of_values(new, side, 3));
        parts.extend(parts_of_values(old, side, 4));
        let known = self.known.get(&seat);
        let land = |scene: &Scene<'_>, width: usize, lines: usize| {
            drawing::land_in(scene, (width, lines), known, ui)
        };
        for scene in &scenes {
            let rest = land(scene, side, 0);
            parts.insert(0, Part::new(&scene.name, rest.aside, 1));
            let legend = wrapped_lines(&rest.legend.join("   "), side);
            parts.push(Part::new(drawing::LEGEND, legend, 6));
        }
        parts.retain(|it| !it.lines.is_empty());
        let parts = seats_beside(parts, side);
        let last = self.last(seat, side);
        let n_last = last.iter().map(|it| it.lines.len()).sum::<usize>();
        let least_last = last.iter().map(Last::n_needed).sum::<usize>();
        let needed_last = last.iter().filter(|it| it.is_needed);
        let needed_last = needed_last.map(|it| it.lines.len()).sum::<usize>();
        // Beside a board what happened goes before what is as it always was.
        let least = n_last.min(LEAST_LAST);
        let n_last = match is_beside {
            true => needed_last
                .max(least_last)
                .clamp(least, least.max(room / 2)),
            false => least_last.clamp(least, least.max(room / 3)),
        };
        let needed = |parts: &[Part], most: usize| -> usize {
            let parts = parts.iter().filter(|it| it.rank <= most);
            parts.map(|it| it.lines.len()).sum()
        };
        let mut left_out: Vec<String> = Vec::new();
        let mut middles = BTreeMap::new();
        let mut left = Vec::new();
        let mut room_left = match is_beside {
            true => room,
            false => room
                .saturating_sub(needed(&parts, 2) + n_last + 1)
                .max(room / 3),
        };
        for scene in &scenes {
            let width = if is_beside { wide } else { columns };
            let written = land(scene, width, room_left);
            left.extend(written.land.into_iter().take(room_left));
            room_left = room_left.saturating_sub(left.len());
            left_out.extend(written.left_out.map(|_| scene.name.clone()));
            middles.extend(written.middle.map(|it| (scene.name.clone(), it)));
        }
        for board in &boards {
            let is_first = left.is_empty();
            let is_whole = board.lines.len() <= if is_first { room } else { room_left };
            if !is_whole {
                left_out.push(board.name.clone());
            }
            if is_whole || is_first {
                // Below the first one stands that it is cut.
                let most = if is_whole { room } else { room - 1 };
                left.extend(board.lines.iter().take(most).cloned());
                room_left = room_left.saturating_sub(board.lines.len());
            }
        }
        let mut right_room = if is_beside {
            room
        } else {
            room.saturating_sub(left.len())
        };
        if needed(&parts, usize::MAX) + n_last > right_room || !left_out.is_empty() {
            right_room = right_room.saturating_sub(1);
        }
        let mut right = fill(parts, right_room.saturating_sub(n_last), &mut left_out);
        let n_last = right_room.saturating_sub(right.len());
        right.extend(happened::newest(&last, n_last));
        if !left_out.is_empty() {
            let mut named = BTreeSet::new();
            left_out.retain(|it| !it.is_empty() && named.insert(it.clone()));
            // What has no name is drawn with all others.
            let (names, order) = match left_out.is_empty() {
                true => (String::from("…"), "board"),
                false => (left_out.join(", "), "board NAME"),
            };
            let aside = format!("more: {names}");
            let with_order = format!("{aside} (`{order}`)");
            let aside = if long(&with_order) <= side {
                with_order
            } else {
                aside
            };
            right.push(ui.paint(Tone::Dim, clipped(&aside, side)));
        }
        let mut known = drawing::known(&mut self.session, &view, &scenes);
        known.middles = middles;
        if !is_beside {
            left.append(&mut right);
            return Ok((left, known));
        }
        let n_lines = left.len().max(right.len());
        left.resize(n_lines, String::new());
        right.resize(n_lines, String::new());
        let both = left.iter().zip(&right).map(|(left, right)| {
            if right.is_empty() {
                return left.clone();
            }
            let gap = (wide + 2).saturating_sub(long(left));
            format!("{left}{}{right}", " ".repeat(gap))
        });
        Ok((both.collect(), known))
    }

    /// The values that the legal moves name: what tells of them is needed more than other things.
    fn asked_words(&mut self, ui: &Ui<'_>) -> BTreeSet<String> {
        let phrases = phrases_of(self.session.machine(), ui.form());
        let values = phrases.into_iter().flatten().filter(|it| it.of.is_some());
        let values = values.map(|it| it.text.trim().to_owned());
        values.filter(|it| !it.is_empty()).collect()
    }
}

/// A line of the table, for ears too.
fn heard(line: &str, ui: &Ui<'_>) -> String {
    match ui.plain {
        true => line.replace(BETWEEN, "; "),
        false => line.to_owned(),
    }
}

/// The values that stand by themselves.
fn values_of(blocks: &[Block]) -> impl Iterator<Item = &str> {
    let values = blocks.iter().filter(|it| it.kind == Kind::Value);
    values.flat_map(|it| &it.lines).map(String::as_str)
}

/// Words of a text in lines of a width; what goes together has no more than two spaces in it.
fn wrapped_lines(text: &str, width: usize) -> Vec<String> {
    let pieces = text.split("   ").map(|it| it.trim().to_owned());
    let pieces: Vec<String> = pieces.filter(|it| !it.is_empty()).collect();
    let text = wrapped("", &pieces, "   ", width);
    text.lines().map(str::to_owned).collect()
}
