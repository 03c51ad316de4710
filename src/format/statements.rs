//! Statements, one on a line or a block on one line.

use super::{Printer, flat};
use crate::syntax::ast::{
    Alternative, Among, Block, Choose, Expr, Role, Slot, Statement, StatementKind, Tree, Visitor,
};

impl Printer<'_> {
    pub(super) fn block(&mut self, it: &Block) {
        let text = flat::block(it);
        if self.is_one_line(it.span) && self.fits(&text) {
            self.out.push_str(&text);
            self.last = self.last.max(it.span.end as usize);
            return;
        }
        self.braces(it.span, &it.statements, Self::statement);
    }

    pub(super) fn statement(&mut self, it: &Statement) {
        if has_lines(&it.kind) {
            self.begin(&it.docs, it.span);
        } else {
            self.begin_whole(&it.docs, it.span);
        }
        self.statement_text(it);
        self.end(it.span);
    }

    fn statement_text(&mut self, it: &Statement) {
        let text = flat::statement(it);
        if self.is_one_line(it.span) && self.fits(&text) {
            self.out.push_str(&text);
            return;
        }
        match &it.kind {
            StatementKind::If {
                branches,
                otherwise,
            } => {
                for (at, branch) in branches.iter().enumerate() {
                    self.out.push_str(if at == 0 { "if " } else { " else if " });
                    self.expr(&branch.condition);
                    self.out.push(' ');
                    self.block(&branch.body);
                }
                if let Some(otherwise) = otherwise {
                    self.out.push_str(" else ");
                    self.block(otherwise);
                }
            }
            StatementKind::By { subject, arms } => {
                self.out.push_str(&format!("by {} ", flat::expr(subject)));
                let heads = arms.iter().map(|arm| flat::arm_head(arm).chars().count());
                let longest = heads.max().unwrap_or(0);
                self.braces(it.span, arms, |printer, arm| {
                    printer.begin(&[], arm.span);
                    printer
                        .out
                        .push_str(&format!("{:longest$} => ", flat::arm_head(arm)));
                    printer.block(&arm.body);
                    printer.end(arm.span);
                });
            }
            StatementKind::Window { who, slots } => {
                self.out.push_str(&format!("window {} ", flat::expr(who)));
                self.braces(it.span, slots, Self::slot);
            }
            StatementKind::Choose(choose) => self.choose(choose),
            StatementKind::While { condition, body } => {
                self.out.push_str("while ");
                self.expr(condition);
                self.out.push(' ');
                self.block(body);
            }
            StatementKind::Repeat { times, body } => {
                self.out.push_str(&flat::head(it));
                self.out.push(' ');
                self.block(body);
                if let crate::syntax::ast::Times::Until(condition) = times {
                    self.out.push_str(" until ");
                    self.expr(condition);
                }
            }
            StatementKind::ForEach { body, .. }
            | StatementKind::Step { body, .. }
            | StatementKind::Turns { body, .. } => {
                self.out.push_str(&flat::head(it));
                self.out.push(' ');
                self.block(body);
            }
            StatementKind::Let { name, value } => {
                self.out.push_str(&format!("let {name} = "));
                self.expr(value);
            }
            StatementKind::Assign { target, op, value } => {
                self.out
                    .push_str(&format!("{} {} ", flat::expr(target), op.word()));
                self.expr(value);
            }
            StatementKind::Return(Some(value)) => {
                self.out.push_str("return ");
                self.expr(value);
            }
            StatementKind::Call(_)
            | StatementKind::Move(_)
            | StatementKind::Draw { .. }
            | StatementKind::Exchange { .. }
            | StatementKind::Shuffle { .. }
            | StatementKind::Show { .. }
            | StatementKind::Ranking { .. }
            | StatementKind::Winner(_)
            | StatementKind::End(_)
            | StatementKind::Return(None)
            | StatementKind::Next
            | StatementKind::Again => self.out.push_str(&text),
        }
    }

    fn choose(&mut self, it: &Choose) {
        self.out.push_str(&flat::chooser(it));
        match &it.among {
            Among::Alternatives(these) => {
                self.out.push_str(": ");
                self.alternatives(these);
            }
            Among::Members {
                binder,
                weight,
                body,
            } => {
                self.out.push_str(&format!(
                    " {}{}",
                    flat::binder(binder),
                    flat::opt(" weighted ", weight.as_ref())
                ));
                if let Some(body) = body {
                    self.out.push(' ');
                    self.block(body);
                }
            }
        }
        self.out.push_str(&flat::tail(&it.tail));
        if let Some(otherwise) = &it.otherwise {
            self.out.push('\n');
            self.indent += 1;
            self.push_indent();
            self.out.push_str("otherwise ");
            self.block(otherwise);
            self.indent -= 1;
        }
    }

    pub(super) fn alternatives(&mut self, alternatives: &[Alternative]) {
        let text = flat::alternatives(alternatives);
        let whole = alternatives.first().zip(alternatives.last());
        let are_one_line =
            whole.is_none_or(|(first, last)| self.is_one_line(first.span.to(last.span)));
        if are_one_line && self.fits(&text) {
            self.out.push_str(&text);
            return;
        }
        self.indent += 1;
        for (at, it) in alternatives.iter().enumerate() {
            if at > 0 {
                self.out.push('\n');
                self.push_indent();
                self.out.push_str("| ");
            }
            self.out.push_str(&flat::alternative_head(it));
            if let Some(body) = &it.body {
                self.out.push(' ');
                self.block(body);
            }
        }
        self.indent -= 1;
    }

    pub(super) fn slot(&mut self, it: &Slot) {
        self.begin(&[], it.span);
        self.out.push_str(&flat::slot_head(it));
        self.alternatives(&it.alternatives);
        self.out.push_str(&flat::tail(&it.tail));
        self.end(it.span);
    }
}

/// Returns whether a statement has lines inside of it where comments may stand.
fn has_lines(it: &StatementKind) -> bool {
    let mut blocks = Blocks(false);
    it.walk(&mut blocks, Role::Plain);
    blocks.0 || matches!(it, StatementKind::Choose(_) | StatementKind::Window { .. })
}

/// Whether there is a block that stands in no expression.
struct Blocks(bool);

impl<'t> Visitor<'t> for Blocks {
    fn expr(&mut self, _expr: &'t Expr, _role: Role) {}

    fn block(&mut self, _block: &'t Block, _role: Role) {
        self.0 = true;
    }
}
