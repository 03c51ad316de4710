//! A position in words, line by line and without a picture: for who hears it read.

mod lines;
mod marks;

use std::collections::BTreeSet;

use super::board::{Artist, FEW, UNSEEN, WIDTH, unseen};
use super::names::{is_called, seat_name};
use super::tableau::{index_of, is_truth, n_params};
use crate::engine::text::print_value;
use crate::engine::{Fault, Machine, Value, View, Viewer};
use crate::model::text::Form;
use crate::model::{
    Base, DefineId, DomainId, DomainKind, Field, Game, NONE, Shape, Shown, ShownWhat, TrackId,
    Type, ZoneId,
};

/// Something on the table: a zone, a track or a value.
struct Thing {
    name: String,
    /// Whose it is, if it is a seat's.
    seat: Option<u32>,
    /// What its places are named by, without the seat.
    index: Vec<DomainId>,
    /// The places that hold something, by number, with their names.
    cells: Vec<Cell>,
    n_places: usize,
    /// Whether nobody is told what changes here, but by what is drawn.
    is_untold: bool,
}

struct Cell {
    place: usize,
    name: String,
    what: String,
}

/// What somebody sees of a position.
pub struct Spoken<'g> {
    game: &'g Game,
    viewer: Viewer,
    form: Form,
    things: Vec<Thing>,
    marks: Vec<marks::Marked>,
}

/// What is nowhere told when it changes: addresses with what lies there.
pub type Untold = std::collections::BTreeMap<String, String>;

impl<'g> Spoken<'g> {
    /// Takes down what a viewer sees.
    ///
    /// # Errors
    /// A fault of a definition that is shown.
    pub fn of(machine: &mut Machine<'g>, view: &View, form: Form) -> Result<Self, Fault> {
        let game = &*machine.program().game;
        let artist = artist(game, form);
        let mut things = Vec::new();
        for shown in game.shown.iter().filter(|it| !it.label.is_empty()) {
            match shown.what {
                ShownWhat::Define(id) => {
                    things.extend(defined(machine, view, id, (&shown.label, form))?)
                }
                ShownWhat::Zone(_) | ShownWhat::Track(_) => {
                    things.extend(placed(&artist, view, shown, false));
                }
                ShownWhat::Table(_) => {}
            }
        }
        for (what, name) in unnamed(game) {
            let shown = Shown {
                what,
                label: name,
                chequered: false,
                side: None,
            };
            things.extend(placed(&artist, view, &shown, true));
        }
        Ok(Self {
            game,
            viewer: view.viewer,
            form,
            things,
            marks: marks::marks(machine, view)?,
        })
    }

    /// All of it in few lines: what belongs to the seats, theirs first who looks, then the rest; of what lies at many
    /// places only how many.
    #[must_use]
    pub fn overview(&self) -> Vec<String> {
        let mut seats: Vec<u32> = (0..self.game.n_seats).collect();
        seats.sort_by_key(|it| self.viewer != Viewer::Seat(*it));
        let seats = seats.into_iter().map(Some).chain([None]);
        let mut lines = Vec::new();
        for seat in seats {
            let own = self.things.iter().filter(|it| it.seat == seat);
            let own: Vec<&Thing> = own.collect();
            let (mut long, short): (Vec<&Thing>, Vec<&Thing>) =
                own.iter().partition(|it| it.cells.len() > FEW);
            long.dedup_by(|one, other| one.is_called_like(other));
            let words: Vec<String> = short.iter().filter_map(|it| it.in_short()).collect();
            let title = seat.map_or_else(String::new, |it| format!("{}: ", self.called(it)));
            if !words.is_empty() {
                lines.push(format!("{title}{}", words.join("; ")));
            }
            lines.extend(long.iter().map(|it| {
                // What lies open and what lies hidden may go by one name.
                let alike = own.iter().filter(|other| other.is_called_like(it));
                let filled = alike.flat_map(|it| it.cells.iter().map(|it| it.place));
                let filled = filled.collect::<BTreeSet<usize>>().len();
                let all = it.n_places;
                let of = if it.is_land() {
                    String::new()
                } else {
                    format!(" of {all}")
                };
                format!(
                    "{title}{}: {filled}{of} places; `look {}`",
                    it.name, it.name
                )
            }));
        }
        lines
    }

    /// What is called so, read in lines: a thing, a seat, a row or column, a place, or `near` a place. Empty where there is
    /// nothing of the name.
    #[must_use]
    pub fn about(&self, name: &str) -> Vec<String> {
        let wanted = name.trim().to_lowercase().replace('_', " ");
        let named = |it: &&Thing| {
            let own = it.name.to_lowercase();
            let of = it.seat.map(|seat| seat_name(self.game, seat, self.form));
            let of = of.map(|seat| format!("{} {own}", seat.to_lowercase()));
            own == wanted || of.is_some_and(|it| it == wanted)
        };
        let whole = |found: &[&Thing]| found.iter().flat_map(|it| self.whole(it)).collect();
        let found: Vec<&Thing> = self.things.iter().filter(named).collect();
        if !found.is_empty() {
            return whole(&found);
        }
        if let Some(place) = wanted.strip_prefix("near ") {
            return self.near(place.trim());
        }
        for found in [
            self.at(&wanted),
            self.in_line(&wanted),
            self.marked(&wanted),
        ] {
            if !found.is_empty() {
                return found;
            }
        }
        let is_of = |it: &&Thing| {
            let name = it.seat.map(|seat| seat_name(self.game, seat, self.form));
            !it.cells.is_empty() && name.is_some_and(|it| it.to_lowercase() == wanted)
        };
        let found: Vec<&Thing> = self.things.iter().filter(is_of).collect();
        if !found.is_empty() {
            return whole(&found);
        }
        let begins = |it: &&Thing| it.name.to_lowercase().starts_with(&wanted);
        let found: Vec<&Thing> = self.things.iter().filter(begins).collect();
        match found.is_empty() {
            true => self.lying(&wanted),
            false => whole(&found),
        }
    }

    /// The names of all things, each once.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for it in &self.things {
            if !names.contains(&it.name.as_str()) {
                names.push(&it.name);
            }
        }
        names
    }

    /// What nobody is told of when it changes.
    #[must_use]
    pub fn untold(&self) -> Untold {
        let things = self.things.iter().filter(|it| it.is_untold);
        let cells = things.flat_map(|it| {
            let cells = it.cells.iter();
            cells.map(|cell| (self.address(it, cell), cell.what.clone()))
        });
        cells.collect()
    }

    /// Which row or column a place lies in: `row 7`.
    fn on_axis(&self, axis: &Field, place: usize) -> String {
        let label = artist(self.game, self.form).axis_label(axis, at_axis(axis, place));
        format!("{} {label}", axis.name)
    }

    fn called(&self, seat: u32) -> String {
        let name = seat_name(self.game, seat, self.form);
        match self.viewer == Viewer::Seat(seat) {
            true => format!("{name}, you"),
            false => name,
        }
    }

    fn address(&self, thing: &Thing, cell: &Cell) -> String {
        let seat = thing.seat.map(|it| seat_name(self.game, it, self.form));
        let words = [seat.as_deref().unwrap_or(""), &thing.name, &cell.name];
        let words: Vec<&str> = words.into_iter().filter(|it| !it.is_empty()).collect();
        words.join(" ")
    }

    /// A thing with all that lies there: a line for each row of a board, and for each few places of a list.
    fn whole(&self, thing: &Thing) -> Vec<String> {
        let seat = thing
            .seat
            .map(|it| format!("{} ", seat_name(self.game, it, self.form)));
        let title = format!("{}{}", seat.unwrap_or_default(), thing.name);
        if thing.cells.is_empty() {
            return vec![format!("{title}: nothing")];
        }
        let rows = axis_of(self.game, &thing.index, 1);
        let mut lines: Vec<(String, Vec<String>)> = Vec::new();
        let mut cells: Vec<&Cell> = thing.cells.iter().collect();
        if let Some(rows) = rows {
            cells.sort_by_key(|it| at_axis(rows, it.place));
        }
        for cell in cells {
            let head = match rows {
                Some(rows) => format!("{title}, {}", self.on_axis(rows, cell.place)),
                None => title.clone(),
            };
            let what = match cell.name.as_str() {
                "" => cell.what.clone(),
                name => format!("{name} {}", cell.what).trim_end().to_owned(),
            };
            match lines
                .last_mut()
                .filter(|(it, words)| *it == head && words.len() < 2 * FEW)
            {
                Some((_, words)) => words.push(what),
                None => lines.push((head, vec![what])),
            }
        }
        let lines = lines.into_iter();
        lines
            .map(|(head, words)| format!("{head}: {}", words.join(", ")))
            .collect()
    }

    /// What lies at a place, wherever something has one of the name.
    fn at(&self, place: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for thing in self.things.iter().filter(|it| !it.index.is_empty()) {
            let cells = thing.cells.iter();
            let here = cells.filter(|it| is_called(&it.name, place));
            lines.extend(here.map(|it| {
                let marks = self.marks_at(thing, it.place);
                format!("{}: {}{marks}", self.address(thing, it), it.what)
            }));
        }
        lines
    }

    /// What lies at a place, also where that is nothing.
    fn at_all(&self, place: &str) -> Vec<String> {
        let lines = self.at(place);
        if !lines.is_empty() {
            return lines;
        }
        let placed = self.things.iter().filter(|it| !it.index.is_empty());
        let names = (self.game, self.form);
        let at = placed.filter_map(|it| Some((it, place_called(names, it, place)?)));
        let marks: String = at.clone().map(|(it, at)| self.marks_at(it, at)).collect();
        let is_place = at.count() > 0;
        let line = is_place.then(|| format!("{place}: nothing{marks}"));
        line.into_iter().collect()
    }

    /// Where something lies that is called so; of an empty place, that nothing lies there.
    fn lying(&self, name: &str) -> Vec<String> {
        let is_it = |what: &str| pieces(what).iter().any(|it| it.to_lowercase() == name);
        let all = self.things.iter().flat_map(|thing| {
            let here = thing.cells.iter().filter(|it| is_it(&it.what));
            here.map(|it| format!("{}: {}", self.address(thing, it), it.what))
        });
        let lines: Vec<String> = all.collect();
        match lines.is_empty() {
            true => self.at_all(name),
            false => lines,
        }
    }

    /// What is called so where the same position is told in another form; none where nothing is.
    #[must_use]
    pub fn called_in(&self, other: &Self, name: &str) -> Option<String> {
        let wanted = name.trim().to_lowercase();
        let both = self.things.iter().zip(&other.things);
        let mut cells = both.flat_map(|(own, other)| own.cells.iter().zip(&other.cells));
        cells.find_map(|(own, other)| {
            let (own, other) = (pieces(&own.what), pieces(&other.what));
            let at = other.iter().position(|it| it.to_lowercase() == wanted)?;
            let is_alike = own.len() == other.len();
            own.get(at).filter(|_| is_alike).map(|it| (*it).to_owned())
        })
    }
}

impl Thing {
    /// Whether something else has the same places by the same name.
    fn is_called_like(&self, other: &Self) -> bool {
        (&self.name, &self.index) == (&other.name, &other.index)
    }

    fn is_land(&self) -> bool {
        self.n_places == 0
    }

    /// The name and what there is; none where there is nothing.
    fn in_short(&self) -> Option<String> {
        let words = self.cells.iter().map(|it| match it.name.as_str() {
            "" => it.what.clone(),
            name => format!("{name} {}", it.what).trim_end().to_owned(),
        });
        let words: Vec<String> = words.collect();
        (!words.is_empty()).then(|| {
            format!("{} {}", self.name, words.join(", "))
                .trim_end()
                .to_owned()
        })
    }
}

/// What lies at a place, thing by thing, without how many of each; short names stand there without commas.
fn pieces(what: &str) -> Vec<&str> {
    let is_number = |it: &str| !it.is_empty() && it.chars().all(|it| it.is_ascii_digit());
    let one = |it: &'_ str| -> usize {
        let many = it.split_once(' ').filter(|(many, _)| is_number(many));
        many.map_or(0, |(many, _)| many.len() + 1)
    };
    let has_commas = what.contains(", ");
    let short = what.split(' ').filter(|_| !has_commas);
    let all = what.split(", ").chain(short);
    all.map(|it| it.get(one(it)..).unwrap_or(it)).collect()
}

fn artist(game: &Game, form: Form) -> Artist<'_> {
    Artist {
        game,
        form,
        width: WIDTH,
    }
}

/// Zones and tracks of which the rulebook does not say how they are shown, with their names in the rules, as words.
fn unnamed(game: &Game) -> Vec<(ShownWhat, String)> {
    let words = |name: &str| name.replace('_', " ");
    let zones = game.zones.iter().zip(0..);
    let zones = zones.map(|(it, id)| (ShownWhat::Zone(ZoneId(id)), words(&it.name)));
    let tracks = game.tracks.iter().zip(0..);
    let tracks = tracks.map(|(it, id)| (ShownWhat::Track(TrackId(id)), words(&it.name)));
    let is_named = |what: &ShownWhat| game.shown.iter().any(|it| it.what == *what);
    let all = zones.chain(tracks);
    all.filter(|(what, _)| !is_named(what)).collect()
}

/// A value for everybody, or one for each seat.
fn defined(
    machine: &mut Machine<'_>,
    view: &View,
    id: DefineId,
    (label, form): (&str, Form),
) -> Result<Vec<Thing>, Fault> {
    let game = &*machine.program().game;
    let seats: Vec<Option<u32>> = match n_params(game, id) {
        Some(0) => vec![None],
        Some(1) => (0..game.n_seats).map(Some).collect(),
        _ => Vec::new(),
    };
    let ty = game.defines.get(id.index()).map_or(Type::UNIT, |it| it.ty);
    let mut things = Vec::new();
    for seat in seats {
        let args: Vec<i64> = seat.into_iter().map(i64::from).collect();
        let value = machine.defined_for(view.viewer, id, &args)?;
        let value = value.as_ref().map(Value::scalar);
        let is_truth = ty.base == Base::Bool;
        if value == Some(NONE) || is_truth && value == Some(0) {
            continue;
        }
        let what = match value {
            None => "?".to_owned(),
            Some(_) if is_truth => String::new(),
            Some(it) => print_value(game, ty, it, form),
        };
        let cell = Cell {
            place: 0,
            name: String::new(),
            what,
        };
        things.push(Thing {
            name: label.to_owned(),
            seat,
            index: Vec::new(),
            cells: vec![cell],
            n_places: 1,
            is_untold: false,
        });
    }
    Ok(things)
}

/// What lies at the places of a zone, or holds at those of a track: of each seat, or of nobody.
fn placed(artist: &Artist<'_>, view: &View, shown: &Shown, is_untold: bool) -> Vec<Thing> {
    let game = artist.game;
    let Some(index) = index_of(game, shown) else {
        return Vec::new();
    };
    let thing = |seat, index: &[DomainId], cells, n_places| Thing {
        name: shown.label.clone(),
        seat,
        index: index.to_vec(),
        cells,
        n_places,
        is_untold,
    };
    if let ShownWhat::Zone(id) = shown.what
        && let Some(zone) = game.zones.get(id.index())
        && let Some(places) = artist.sparse(view, id.index(), zone)
    {
        let cells = places.map(|it| Cell {
            place: it.index.first().copied().unwrap_or(0),
            name: it.at.clone(),
            what: artist.what(zone, it),
        });
        let mut thing = thing(None, index, cells.collect(), 0);
        thing.is_untold = true;
        return vec![thing];
    }
    let all = super::tableau::cells(artist, view, shown);
    let (seats, rest) = match index {
        [first, rest @ ..] if *first == game.seat => ((0..game.n_seats).map(Some).collect(), rest),
        _ => (vec![None], index),
    };
    let n_places = artist.n_places(rest).max(1);
    let is_truth = is_truth(game, shown);
    let cells = |own: &[String]| -> Vec<Cell> {
        let own = own.iter().enumerate();
        let is_told = |it: &str| !it.is_empty() && (!is_truth || it == "true" || it == UNSEEN);
        let filled = own.filter(|(_, it)| is_told(it));
        let cells = filled.map(|(place, what)| Cell {
            place,
            name: artist.index_name(rest, place),
            // Of what is true or not, the name says it where it is true.
            what: if is_truth && what != UNSEEN {
                String::new()
            } else {
                what.clone()
            },
        });
        cells.collect()
    };
    let is_board = axis_of(game, rest, 0).is_some() && matches!(shown.what, ShownWhat::Zone(_));
    let each = all.chunks(n_places).zip(seats);
    each.map(|(own, seat)| match unseen(own).filter(|_| !is_board) {
        Some(what) => {
            let (place, name) = (0, String::new());
            thing(seat, &[], vec![Cell { place, name, what }], 1)
        }
        None => thing(seat, rest, cells(own), n_places),
    })
    .collect()
}

fn at_axis(axis: &Field, place: usize) -> u64 {
    place as u64 / axis.stride.max(1) % axis.size.max(1)
}

/// One of the two axes of a board.
fn axis_of<'g>(game: &'g Game, index: &[DomainId], axis: usize) -> Option<&'g Field> {
    let [space] = index else {
        return None;
    };
    match &game.domains.get(space.index())?.kind {
        DomainKind::Space {
            axes,
            shape: Shape::Grid | Shape::Hexes,
        } if axes.len() == 2 => axes.get(axis),
        _ => None,
    }
}

/// The number of the place of a thing that is called so.
fn place_called((game, form): (&Game, Form), thing: &Thing, name: &str) -> Option<usize> {
    let mut cells = thing.cells.iter();
    if let Some(cell) = cells.find(|it| is_called(&it.name, name)) {
        return Some(cell.place);
    }
    let artist = artist(game, form);
    (0..thing.n_places).find(|at| is_called(&artist.index_name(&thing.index, *at), name))
}
