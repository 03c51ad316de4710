//! Statements, one on a line or a block on one line.

use super::Printer;
use super::flat::{self, joined};
use crate::source::Span;
use crate::syntax::ast::{
    Alternative, Among, Arm, Block, Branch, Choose, Expr, Role, Slot, Statement, StatementKind,
    Tail, Tree, Visitor, Writer,
};

impl Printer<'_> {
    pub(super) fn block(&mut self, it: &Block) {
        let text = flat::written(it);
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

    pub(super) fn by_cases(&mut self, span: Span, arms: &[Arm<Block>]) {
        let heads = arms
            .iter()
            .map(|arm| flat::written(&arm.head).chars().count());
        let longest = heads.max().unwrap_or(0);
        self.braces(span, arms, |printer, arm| {
            printer.begin(&[], arm.span);
            let head = flat::written(&arm.head);
            printer.out.push_str(&format!("{head:longest$} => "));
            printer.block(&arm.body);
            printer.end(arm.span);
        });
    }

    fn statement_text(&mut self, it: &Statement) {
        let text = flat::written(it);
        if self.is_one_line(it.span) && self.fits(&text) {
            self.out.push_str(&text);
            return;
        }
        match &it.kind {
            StatementKind::By { subject, arms } => {
                self.out
                    .push_str(&format!("by {} ", flat::written(subject)));
                self.by_cases(it.span, arms);
            }
            StatementKind::Window { who, slots } => {
                self.out
                    .push_str(&format!("window {} ", flat::written(who)));
                self.braces(it.span, slots, Self::slot);
            }
            StatementKind::Choose(choose) => self.choose(choose),
            StatementKind::If {
                branches,
                otherwise,
            } => self.cases_of_if(it, branches, otherwise.as_ref()),
            // Its head stays on one line.
            StatementKind::Turns { body, .. } => {
                let behind = flat::written(body);
                self.out
                    .push_str(text.strip_suffix(behind.as_str()).unwrap_or(&text));
                self.block(body);
            }
            kind => kind.write(&mut Lines(self), Role::Plain),
        }
    }

    /// Writes each case on a line of its own, or else the blocks of a chain on several each.
    fn cases_of_if(&mut self, it: &Statement, branches: &[Branch], otherwise: Option<&Block>) {
        let heads = (0..).zip(branches).map(|(at, branch)| {
            let word = if at == 0 { "if " } else { "else if " };
            let head = format!("{word}{} ", flat::written(&branch.condition));
            (head, &branch.body)
        });
        let cases: Vec<(String, &Block)> = heads
            .chain(otherwise.map(|body| (String::from("else "), body)))
            .collect();
        let fits = |(head, body): &(String, &Block)| {
            self.is_one_line(body.span) && self.fits(&format!("{head}{}", flat::written(*body)))
        };
        let are_lines = !self.has_comments(it.span) && cases.iter().all(fits);
        for (at, (head, body)) in cases.iter().enumerate() {
            if at > 0 && are_lines {
                self.out.push('\n');
                self.push_indent();
            } else if at > 0 {
                self.out.push(' ');
            }
            match branches.get(at) {
                Some(branch) if !self.fits(head) => {
                    self.out.push_str(if at == 0 { "if " } else { "else if " });
                    self.expr(&branch.condition);
                    self.out.push(' ');
                }
                _ => self.out.push_str(head),
            }
            if are_lines || branches.len() == 1 || body.statements.is_empty() {
                self.block(body);
            } else {
                self.braces(body.span, &body.statements, Self::statement);
            }
        }
    }

    fn choose(&mut self, it: &Choose) {
        let may = if it.may { "may " } else { "" };
        let who = flat::written(&it.who);
        self.out.push_str(&format!("{may}choose {who}"));
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
                    flat::written(binder),
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
        let text = joined(alternatives, " | ", flat::written);
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
            it.write(&mut Lines(self), Role::Plain);
        }
        self.indent -= 1;
    }

    pub(super) fn slot(&mut self, it: &Slot) {
        self.begin(&[], it.span);
        let often = if it.many { "many" } else { "once" };
        self.out.push_str(&format!("{often} {}: ", it.name));
        self.alternatives(&it.alternatives);
        self.out.push_str(&flat::tail(&it.tail));
        self.end(it.span);
    }
}

/// Writes expressions and blocks on several lines where they have to.
struct Lines<'p, 'a>(&'p mut Printer<'a>);

impl Writer for Lines<'_, '_> {
    fn word(&mut self, word: &str) {
        self.0.out.push_str(word);
    }

    fn text(&mut self, text: &str) {
        self.0.out.push_str(&flat::escaped(text));
    }

    fn expr(&mut self, expr: &Expr, role: Role) {
        match role {
            Role::Plain | Role::Kept => self.0.expr(expr),
            _ => self.0.out.push_str(&flat::written(expr)),
        }
    }

    fn block(&mut self, block: &Block) {
        self.0.block(block);
    }

    fn tail(&mut self, tail: &Tail) {
        self.0.out.push_str(&flat::tail(tail));
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
