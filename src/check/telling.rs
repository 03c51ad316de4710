//! What is told on the way.

use crate::diagnostic::codes;
use crate::model::{
    Base, Expr, ExprKind, LocalId, Node, Reason, Stmt, StmtKind, Telling, TellingId, Template,
    TrackId, each_in_expr,
};
use crate::source::Span;
use crate::syntax::ast::{self, Audience};

use super::scope::{Binding, BodyKind, Me};
use super::{Checked, Checker};

impl Checker<'_> {
    /// Tells why what was just set has its new value.
    pub(super) fn assigned_because(
        &mut self,
        why: &ast::Template,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let Some(StmtKind::SetTrack(track, index, ..)) = out.last().map(|it| &it.kind) else {
            return Err(self.complain(
                codes::MISPLACED,
                why.span,
                "only a track has a reason for its value",
                "leave `because` out, or say it with `tell all \"…\"`",
            ));
        };
        let (track, index) = (*track, index.clone());
        let before = self.value_before(track, &index, why.span, out);
        let of = Reason {
            track,
            index,
            before,
        };
        let text = self.template(why)?;
        let kind = self.telling(None, text, Some(of), why.span);
        out.push(Stmt {
            kind,
            span: why.span,
        });
        Ok(())
    }

    /// Keeps the value that the last statement changes: how much it changed is told, and not what it was when the move began.
    fn value_before(
        &mut self,
        track: TrackId,
        index: &[Expr],
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Option<Expr> {
        let ty = self.game.tracks.get(track.index())?.ty;
        if matches!(ty.base, Base::Set(_)) {
            return None;
        }
        let kept = self.fresh("", ty, span);
        let value = Expr::new(ExprKind::Track(track, index.to_vec()), ty, span);
        let keeps = StmtKind::Let(kept, value);
        out.insert(out.len().saturating_sub(1), Stmt { kind: keeps, span });
        Some(self.local(kept, span))
    }

    /// `tell WHO "…"`.
    #[inline(never)]
    pub(super) fn tell(
        &mut self,
        audience: &Audience,
        text: &ast::Template,
        span: Span,
    ) -> Checked<StmtKind> {
        self.effect_allowed(span)?;
        if self.body.kind == BodyKind::After {
            return Err(self.complain(
                codes::MISPLACED,
                span,
                "nobody is told of what only would be",
                "tell it where it happens",
            ));
        }
        let to = match audience {
            Audience::All => None,
            Audience::Seat(who) => Some(self.listeners(who)?),
            Audience::Nobody => {
                return Err(self.error(codes::MISPLACED, span, "nothing is told to nobody"));
            }
        };
        let text = self.template(text)?;
        Ok(self.telling(to, text, None, span))
    }

    /// A seat or a set of seats.
    fn listeners(&mut self, who: &ast::Expr) -> Checked<Expr> {
        let seat = self.seat_type();
        let found = self.value(who, None)?;
        match (found.ty.base, seat.base) {
            (Base::Set(of), Base::Elem(seats)) if of == seats => Ok(found),
            _ => self.fit(found, seat),
        }
    }

    /// What is told when an event happens.
    pub(super) fn event_text(&mut self, text: &ast::Template) -> Checked<Stmt> {
        let span = text.span;
        let text = self.template(text)?;
        let kind = self.telling(None, text, None, span);
        Ok(Stmt { kind, span })
    }

    fn telling(
        &mut self,
        to: Option<Expr>,
        text: Template,
        of: Option<Reason>,
        span: Span,
    ) -> StmtKind {
        let mut telling = Telling {
            to,
            text,
            of,
            locals: Vec::new(),
        };
        let mut read = Vec::new();
        telling.exprs(&mut |it| free_locals(it, &mut read));
        let before = telling.of.as_ref().and_then(|it| it.before.as_ref());
        let is_before = |it: &LocalId| {
            before.is_some_and(|kept| matches!(kept.kind, ExprKind::Local(own) if own == *it))
        };
        if !read.iter().all(is_before) {
            // By these it is told who sees where it comes from and where it goes.
            let seats = self.seats_here();
            read.extend(
                seats
                    .into_iter()
                    .filter(|it| !read.contains(it))
                    .collect::<Vec<_>>(),
            );
        }
        let args = read.iter().map(|it| self.local(*it, span)).collect();
        telling.locals = read;
        let id = TellingId(u32::try_from(self.game.tellings.len()).unwrap_or(u32::MAX));
        self.game.tellings.push(telling);
        StmtKind::Tell(id, args)
    }
}

impl Checker<'_> {
    /// The locals here that are seats.
    fn seats_here(&self) -> Vec<LocalId> {
        let named = self.body.locals.iter().filter_map(|(_, it)| match it {
            Binding::Local(local, _) => Some(*local),
            _ => None,
        });
        let me = match self.body.me {
            Me::Bound(local) => Some(local),
            Me::Implicit(local) => {
                let is_read = |id| self.reads_me.iter().any(|(reader, _)| *reader == id);
                self.body.proc.filter(|id| is_read(*id)).map(|_| local)
            }
            Me::Nobody(_) => None,
        };
        let mut seats: Vec<LocalId> = named.chain(me).collect();
        seats.retain(|it| self.local_type(*it) == self.seat_type());
        seats.sort_unstable_by_key(|it| it.0);
        seats.dedup();
        seats
    }
}

/// Adds the locals that an expression reads and does not bind, each once.
fn free_locals(expr: &Expr, found: &mut Vec<LocalId>) {
    let (mut bound, mut read) = (Vec::new(), Vec::new());
    let mut note = |node: Node<'_>| match node {
        Node::Binds(local) => bound.push(local),
        Node::Expr(Expr {
            kind: ExprKind::Local(local),
            ..
        }) => read.push(*local),
        Node::Expr(_) | Node::Stmt(_) => {}
    };
    note(Node::Expr(expr));
    each_in_expr(expr, &mut note);
    for local in read {
        if !bound.contains(&local) && !found.contains(&local) {
            found.push(local);
        }
    }
}
