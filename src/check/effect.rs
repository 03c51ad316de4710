//! What procedures do: whether they choose, whether they come to an end.

use crate::model::{Picker, ProcId, Stmt, StmtKind};

use super::Checker;
use super::guard::each_statement;

impl Checker<'_> {
    /// Marks the procedures that stop at a choice of a seat, themselves or in what they call.
    pub(super) fn find_choices(&mut self) {
        let calls = self.calls_below();
        let chooses = |stmt: &Stmt| match &stmt.kind {
            StmtKind::Choose(_) | StmtKind::Window(_) => true,
            StmtKind::Pick(pick) => matches!(pick.who, Picker::Seat(_)),
            _ => false,
        };
        let mut choosing = Vec::new();
        for proc in &self.game.procs {
            let mut found = false;
            each_statement(&proc.body, &mut |stmt| found |= chooses(stmt));
            choosing.push(found);
        }
        loop {
            let mut changed = false;
            for (id, called) in &calls {
                let is = |id: &ProcId| choosing.get(id.index()).copied().unwrap_or(false);
                if !is(id) && called.iter().any(is) {
                    if let Some(it) = choosing.get_mut(id.index()) {
                        *it = true;
                    }
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for (proc, chooses) in self.game.procs.iter_mut().zip(choosing) {
            proc.chooses = chooses;
        }
    }
}
