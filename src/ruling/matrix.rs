//! Rulings under many rule sets: which disputed case moves with which reading.

use std::fmt::Write;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Ran, Verdict};

/// What a ruling says under one rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// The rule set has no such ruling, or the ruling says nothing about it.
    Silent,
    /// What is expected holds; a label is that of the clause that refuses the move in question.
    Holds(Option<String>),
    /// It turns out otherwise than by default, and the ruling does not speak of this rule set.
    Differs(Option<String>),
    /// There was not enough work left to find out.
    Unfinished,
    /// What is expected of this very rule set does not hold.
    Failed,
    /// The rule set cannot be played: the code of the first finding.
    Conflict(String),
}

impl Cell {
    fn text(&self, plain: bool) -> String {
        let label = |mark: &str, label: &Option<String>| match label {
            Some(label) => format!("{mark}X:{label}"),
            None => mark.to_owned(),
        };
        match self {
            Cell::Silent => String::from("-"),
            Cell::Holds(None) => String::from("ok"),
            Cell::Holds(by) => label("", by),
            Cell::Differs(by) => label(if plain { "~" } else { "±" }, by),
            Cell::Unfinished => String::from("?"),
            Cell::Failed => String::from("!"),
            Cell::Conflict(code) => format!("{}{code}", if plain { "#" } else { "⊘" }),
        }
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text(false))
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Cell, D::Error> {
        let text = String::deserialize(deserializer)?;
        let label = |text: &str| text.strip_prefix("X:").map(str::to_owned);
        let cell = match text.as_str() {
            "-" => Some(Cell::Silent),
            "?" => Some(Cell::Unfinished),
            "!" => Some(Cell::Failed),
            "ok" => Some(Cell::Holds(None)),
            "±" => Some(Cell::Differs(None)),
            other => match (other.strip_prefix('⊘'), other.strip_prefix('±')) {
                (Some(code), _) => Some(Cell::Conflict(code.to_owned())),
                (_, Some(by)) => label(by).map(|it| Cell::Differs(Some(it))),
                _ => label(other).map(|it| Cell::Holds(Some(it))),
            },
        };
        cell.ok_or_else(|| de::Error::custom(format!("`{text}` is no cell of a matrix")))
    }
}

/// Rulings × rule sets; the first rule set is the default.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Matrix {
    /// The names of the rule sets.
    pub sets: Vec<String>,
    /// Each ruling with a cell for every rule set.
    pub rows: Vec<Row>,
    /// The rule sets that cannot be played, with the code of the first finding.
    pub conflicts: Vec<(String, String)>,
    /// How many more rule sets there are, for which there was no time.
    #[serde(skip_serializing_if = "is_zero")]
    pub left_out: usize,
    /// Whether somebody stopped it before these were looked at.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// A ruling under every rule set.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Its id.
    pub id: String,
    /// The question.
    pub title: String,
    /// The first rule set that it was written for.
    pub home: Option<usize>,
    /// One for each rule set.
    pub cells: Vec<Cell>,
}

/// What all rulings came to under one rule set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// The name of the rule set.
    pub set: String,
    /// What they came to.
    pub came: Came,
}

/// What a rule set came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Came {
    /// Its rulings, in the order in which they ran.
    Ran(Vec<Told>),
    /// It cannot be played: the code of the first finding.
    Conflict(String),
}

/// What one ruling came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// Its id.
    pub id: String,
    /// The question.
    pub title: String,
    /// Whether it was written for this rule set.
    pub at_home: bool,
    /// What it says.
    pub cell: Cell,
}

impl Told {
    /// What there is to tell of a ruling that ran.
    #[must_use]
    pub fn of(ran: Ran) -> Told {
        Told {
            cell: cell_of(&ran),
            id: ran.id,
            title: ran.title,
            at_home: ran.at_home,
        }
    }
}

impl Matrix {
    /// Notes what came of one more rule set.
    pub fn add(&mut self, Column { set, came }: Column) {
        let all = match came {
            Came::Ran(all) => all,
            Came::Conflict(code) => {
                self.conflicts.push((set.clone(), code.clone()));
                return self.close(&set, &Cell::Conflict(code));
            }
        };
        for told in all {
            let row = match self.rows.iter_mut().position(|row| row.id == told.id) {
                Some(at) => at,
                None => {
                    let cells = vec![Cell::Silent; self.sets.len()];
                    self.rows.push(Row {
                        id: told.id,
                        title: told.title,
                        home: None,
                        cells,
                    });
                    self.rows.len() - 1
                }
            };
            if let Some(row) = self.rows.get_mut(row) {
                row.cells.push(told.cell);
                if told.at_home && row.home.is_none() {
                    row.home = Some(self.sets.len());
                }
            }
        }
        self.close(&set, &Cell::Silent);
    }

    /// Returns whether all was looked at, to its end.
    pub fn is_finished(&self) -> bool {
        self.left_out == 0 && !self.runs_short()
    }

    /// Returns whether some ruling ran out of work.
    pub fn runs_short(&self) -> bool {
        let mut cells = self.rows.iter().flat_map(|row| &row.cells);
        cells.any(|it| *it == Cell::Unfinished)
    }

    /// Returns whether some ruling failed.
    pub fn failed(&self) -> bool {
        self.rows
            .iter()
            .any(|row| row.cells.contains(&Cell::Failed))
    }

    /// Writes the table: each ruling with its cell under the rules it was written for, then the rule sets
    /// under which it has another one.
    pub fn text(&self, plain: bool) -> String {
        let n_sets = self.sets.len();
        let mut text = format!("{} rulings x {n_sets} rule sets\n", self.rows.len());
        let own = self.rows.iter();
        let own = own.filter(|it| it.cells.first().is_some_and(|it| *it != Cell::Silent));
        let own = own.count();
        // Writing into a string cannot fail.
        if own < self.rows.len() {
            let _ = writeln!(
                text,
                "  {own} of the rules as they are, {} that only other rule sets bring or speak of",
                self.rows.len() - own
            );
        }
        if self.stopped {
            let _ = writeln!(
                text,
                "  stopped: this is what is known; {} more rule sets were not looked at",
                self.left_out
            );
        } else if self.left_out > 0 {
            let _ = writeln!(
                text,
                "  {} more rule sets were not looked at: all would take too long; name one with `--set` or `--with`",
                self.left_out
            );
        }
        for (set, code) in &self.conflicts {
            let cell = Cell::Conflict(code.clone());
            let _ = writeln!(text, "  {set:<52} {}", cell.text(plain));
        }
        for row in &self.rows {
            let at = row.home.unwrap_or(0);
            let home = row.cells.get(at).unwrap_or(&Cell::Silent);
            let native = match self.sets.get(at) {
                Some(set) if at > 0 => format!(" {set}:"),
                _ => String::new(),
            };
            let _ = writeln!(
                text,
                "\n{:<24}{native} {}  {}",
                row.id,
                home.text(plain),
                row.title
            );
            // An amendment's ruling is not missed where the amendment is missing.
            let told = |cell: &Cell| match cell {
                Cell::Conflict(_) => false,
                Cell::Silent => at == 0,
                Cell::Holds(_) | Cell::Differs(_) | Cell::Unfinished | Cell::Failed => true,
            };
            let others = self.sets.iter().zip(&row.cells);
            for (set, cell) in others.filter(|(_, cell)| *cell != home && told(cell)) {
                let _ = writeln!(text, "  {:<52} {}", set, cell.text(plain));
            }
        }
        let count = |wanted: fn(&Cell) -> bool| {
            self.rows
                .iter()
                .flat_map(|row| &row.cells)
                .filter(|cell| wanted(cell))
                .count()
        };
        let unfinished = match count(|it| matches!(it, Cell::Unfinished)) {
            0 => String::new(),
            n => format!(" {n} not finished (?),"),
        };
        let _ = writeln!(
            text,
            "\n{} hold, {} differ, {} failed,{unfinished} {} say nothing; {} rule sets cannot be played",
            count(|it| matches!(it, Cell::Holds(_))),
            count(|it| matches!(it, Cell::Differs(_))),
            count(|it| matches!(it, Cell::Failed)),
            count(|it| matches!(it, Cell::Silent)),
            self.conflicts.len(),
        );
        let (differs, conflict) = if plain { ("~", "#") } else { ("±", "⊘") };
        let _ = writeln!(
            text,
            "ok: as expected · X:label: illegal by this clause, as expected · {differs}: otherwise than \
             under the rules it was written for · !: not as expected · {conflict}: these rules conflict · -: says nothing here"
        );
        if plain { text.replace('·', "|") } else { text }
    }

    fn close(&mut self, set: &str, cell: &Cell) {
        self.sets.push(set.to_owned());
        for row in &mut self.rows {
            row.cells.resize(self.sets.len(), cell.clone());
        }
    }
}

fn cell_of(ran: &Ran) -> Cell {
    let label = |holds: bool| {
        let judged = ran.judged.iter().filter(|it| it.holds == holds);
        judged.filter_map(|it| it.label.clone()).next()
    };
    match ran.verdict() {
        Verdict::Holds => Cell::Holds(label(true)),
        Verdict::Differs => Cell::Differs(label(false)),
        Verdict::Unfinished => Cell::Unfinished,
        Verdict::Failed => Cell::Failed,
    }
}
