//! The boards that a seat has of its own.

use super::aspect::Aspect;
use super::board::{Artist, unseen};
use super::part::Part;
use super::tableau::{cells, index_of};
use crate::engine::View;
use crate::model::{DomainId, Shown, ShownWhat};

/// A board of a seat, and whether nothing lies on it.
pub(super) struct Own {
    pub picture: Part,
    is_empty: bool,
}

/// Of boards over the same places those on which something lies; where there are none, the first.
pub(super) fn filled(boards: &[(Option<&[DomainId]>, Own)]) -> Vec<Part> {
    let is_meant = |(at, (over, it)): &(usize, &(Option<&[DomainId]>, Own))| {
        let (before, behind) = boards.split_at(*at);
        let same = |other: &&(Option<&[DomainId]>, Own)| other.0 == *over;
        let stands = |other: &&(Option<&[DomainId]>, Own)| !other.1.is_empty;
        let is_only =
            !before.iter().any(|it| same(&it)) && !behind.iter().filter(same).any(|it| stands(&it));
        !it.is_empty || is_only
    };
    let meant = boards.iter().enumerate().filter(is_meant);
    meant.map(|(_, (_, it))| it.picture.clone()).collect()
}

/// The board that a seat has of its own.
pub(super) fn board_of(artist: &Artist<'_>, view: &View, shown: &Shown, seat: u32) -> Option<Own> {
    let [first, own] = index_of(artist.game, shown)? else {
        return None;
    };
    if *first != artist.game.seat {
        return None;
    }
    let own = std::slice::from_ref(own);
    let cells = cells(artist, view, shown);
    let each = artist.n_places(own).max(1);
    let (at, mine) = cells.chunks(each).enumerate().nth(seat as usize)?;
    // Where things lie that nobody sees is seen; of values there is nothing to draw.
    if matches!(shown.what, ShownWhat::Track(_)) && unseen(mine).is_some() {
        return None;
    }
    let picture = artist.board(&shown.label, own, (at * each, mine), &Aspect::over(shown))?;
    let is_empty = mine.iter().all(String::is_empty);
    Some(Own { picture, is_empty })
}
