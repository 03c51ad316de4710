//! What the seats are ranked by when a game is over.

use super::board::{Artist, UNSEEN, WIDTH};
use super::seat_name;
use super::sighted::named;
use crate::engine::{Fault, Machine, TrackValue, View, first_figure};
use crate::model::text::{Form, spelt};
use crate::model::{
    Base, DomainKind, Expr, ExprKind, Game, Proc, ProcKind, ShownWhat, StmtKind, Type, UnaryOp,
    names_winners,
};
use crate::source::Span;

/// What the figures of an ending are called, most important first: by their names on the table, or else
/// in the rules; none for one that is calculated on the spot. None at all where it ranks nobody.
pub fn figures_of(game: &Game, ending: &str) -> Option<Vec<Figure>> {
    let mut procs = game.procs.iter();
    let ending = procs.find(|it| it.kind == ProcKind::Ending && it.name == ending)?;
    let keys = ending.body.iter().find_map(|it| match &it.kind {
        StmtKind::Ranking(_, keys) => Some(keys),
        _ => None,
    })?;
    let name = |key: &Expr| -> Option<String> {
        let (what, name) = match &key.kind {
            ExprKind::Call(id, _) => (ShownWhat::Define(*id), &game.defines.get(id.index())?.name),
            ExprKind::Track(id, _) => (ShownWhat::Track(*id), &game.tracks.get(id.index())?.name),
            _ => return None,
        };
        let shown = game.shown.iter().find(|it| it.what == what);
        let label = shown.map(|it| it.label.clone()).filter(|it| !it.is_empty());
        Some(label.unwrap_or_else(|| spelt(name)))
    };
    let figure = |key: &Expr| {
        let (key, least) = without_sign(key);
        Figure {
            name: name(key),
            least,
            is_truth: is_truth(key),
            says_who_wins: names_winners(keys),
        }
    };
    Some(keys.iter().map(figure).collect())
}

/// By seat the figure that the game is won by, as a viewer sees it, and what it is called; none where no ending ranks by one
/// figure of a seat, or where the viewer sees nobody's. It is the figure of the first such ending as long as the game goes on,
/// whatever is seen of it, so that two of them may be compared; of a game that is over that of its ending, which all are told.
pub fn main_figure(
    machine: &mut Machine<'_>,
    view: &View,
) -> Result<Option<(String, Vec<String>)>, Fault> {
    let game = &*machine.program().game;
    if machine.outcome().is_some() {
        let over = final_figures(machine);
        return Ok(over.and_then(|(figure, told)| Some((figure.name?, told))));
    }
    let endings = game.procs.iter().filter(|it| it.kind == ProcKind::Ending);
    let keys = endings.filter_map(|ending| {
        let (_, name) = named_first(figures_of(game, &ending.name)?)?;
        Some((name, key_of(ending)?))
    });
    let is_of_seat = |it: &(String, &Expr)| match &it.1.kind {
        ExprKind::Call(_, args) => args.len() == 1,
        ExprKind::Track(_, index) => index.len() == 1,
        _ => false,
    };
    let Some((name, key)) = keys.into_iter().find(is_of_seat) else {
        return Ok(None);
    };
    let mut figures = Vec::new();
    for seat in 0..game.n_seats {
        let figure = match &key.kind {
            ExprKind::Call(id, _) => {
                let value = machine.defined_for(view.viewer, *id, &[i64::from(seat)])?;
                value.map(|it| it.scalar().to_string())
            }
            ExprKind::Track(id, _) => {
                let track = view.tracks.get(id.index());
                match track.and_then(|it| it.values.get(seat as usize)) {
                    Some(Some(TrackValue::Scalar(value))) => Some(value.to_string()),
                    _ => None,
                }
            }
            _ => None,
        };
        figures.push(figure.unwrap_or_else(|| UNSEEN.to_owned()));
    }
    let is_seen = figures.iter().any(|it| it != UNSEEN);
    Ok(is_seen.then_some((name, figures)))
}

/// The first of several figures and its name, if it has one and is counted.
fn named_first(figures: Vec<Figure>) -> Option<(Figure, String)> {
    let figure = figures.into_iter().next().filter(|it| !it.is_truth)?;
    let name = figure.name.clone()?;
    Some((figure, name))
}

/// What is counted at a table.
pub struct Score {
    /// What the figures of the seats are called; none where each has its own name.
    pub title: Option<String>,
    /// By name what there is.
    pub figures: Vec<(String, String)>,
}

impl Score {
    /// What each figure is called where it is told that it has changed.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.figures.iter().map(|(name, _)| match &self.title {
            Some(title) => format!("{name} {title}"),
            None => name.clone(),
        })
    }
}

/// The figure that the game is won by; where no ending ranks by one, all numbers on the table that belong to seats or sides.
pub fn score(machine: &mut Machine<'_>, view: &View, form: Form) -> Result<Score, Fault> {
    let game = &*machine.program().game;
    if let Some((title, figures)) = main_figure(machine, view)? {
        let seats = (0..game.n_seats).map(|it| seat_name(game, it, form));
        return Ok(Score {
            title: Some(title),
            figures: seats.zip(figures).collect(),
        });
    }
    let artist = Artist {
        game,
        form,
        width: WIDTH,
    };
    let mut figures = Vec::new();
    for shown in game.shown.iter().filter(|it| !it.label.is_empty()) {
        let ShownWhat::Track(id) = shown.what else {
            continue;
        };
        let Some(track) = game.tracks.get(id.index()) else {
            continue;
        };
        let of_several = track.index.first().filter(|_| track.index.len() == 1);
        let of_several = of_several.and_then(|it| game.domains.get(it.index()));
        let is_counted = matches!(track.ty.base, Base::Int(..))
            && of_several.is_some_and(|it| matches!(it.kind, DomainKind::Enum { .. }));
        if is_counted {
            let values = artist.values(view, id.index(), track).into_iter();
            let named = values.enumerate().filter_map(|(at, value)| {
                Some((named(&artist, &shown.label, &track.index, at), value?))
            });
            figures.extend(named);
        }
    }
    Ok(Score {
        title: None,
        figures,
    })
}

/// By seat the first figure of a ranking that has no name, as far as a viewer sees it: of a game that goes on the first that
/// follows from the position. None where nobody's is seen, or where it only says yes or no.
pub fn unnamed_figure(
    machine: &mut Machine<'_>,
    view: &View,
) -> Result<Option<Vec<String>>, Fault> {
    let program = machine.program();
    let game = &*program.game;
    if machine.outcome().is_some() {
        return Ok(final_figures(machine).map(|(_, told)| told));
    }
    let Some((it, key)) = first_figure(game).filter(|it| !is_truth(it.1)) else {
        return Ok(None);
    };
    let (key, _) = without_sign(key);
    let mut figures = Vec::new();
    for seat in 0..game.n_seats {
        let of_seat = ExprKind::Let(it, Box::new(seat_value(game, seat)), Box::new(key.clone()));
        let asked = Expr {
            kind: of_seat,
            ..key.clone()
        };
        let figure = machine.evaluate_for(view.viewer, &asked)?;
        let figure = figure.map(|it| it.scalar().to_string());
        figures.push(figure.unwrap_or_else(|| UNSEEN.to_owned()));
    }
    Ok(figures.iter().any(|it| it != UNSEEN).then_some(figures))
}

/// What an ending that was reached ranks by first, unless it only says yes or no, and by seat what that came to.
fn final_figures(machine: &Machine<'_>) -> Option<(Figure, Vec<String>)> {
    let outcome = machine.outcome()?;
    let game = &*machine.program().game;
    let figures = figures_of(game, &game.procs.get(outcome.ending.index())?.name)?;
    let figure = figures.into_iter().next().filter(|it| !it.is_truth)?;
    let keys = outcome.keys.iter().filter_map(|it| it.first());
    let told = keys.map(|it| if figure.least { -it } else { *it }.to_string());
    let told = told.collect();
    Some((figure, told))
}

fn seat_value(game: &Game, seat: u32) -> Expr {
    Expr {
        kind: ExprKind::Value(i64::from(seat)),
        ty: Type::of(Base::Elem(game.seat)),
        span: Span::default(),
    }
}

/// A figure without the sign that turns it round, and whether it has one.
fn without_sign(key: &Expr) -> (&Expr, bool) {
    match &key.kind {
        ExprKind::Unary(UnaryOp::Neg, inner) => (inner, true),
        _ => (key, false),
    }
}

/// What an ending ranks by first, without its sign.
fn key_of(ending: &Proc) -> Option<&Expr> {
    let keys = ending.body.iter().find_map(|it| match &it.kind {
        StmtKind::Ranking(_, keys) => Some(keys),
        _ => None,
    });
    keys?.first().map(|key| without_sign(key).0)
}

/// A figure that an ending ranks by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// What it is called, if it is not calculated on the spot.
    pub name: Option<String>,
    /// Whether less is better; it is kept with its sign turned round.
    pub least: bool,
    /// Whether it only says yes or no.
    pub is_truth: bool,
    /// Whether it only says who is among those who win.
    pub says_who_wins: bool,
}

fn is_truth(figure: &Expr) -> bool {
    let is = |it: &Expr, value| matches!(it.kind, ExprKind::Value(it) if it == value);
    matches!(&figure.kind, ExprKind::If(_, yes, no) if is(yes, 1) && is(no, 0))
}
