//! The code of a program, one line for each operation.

use std::fmt::Write;

use super::layout::Layout;
use super::op::{CONSTS, Code, Op, Pc, Reg, word};
use super::operands::{List, Operand};
use super::program::Program;
use crate::source::Span;

/// A line of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The number of the operation.
    pub pc: u16,
    /// Whether some operation or choice goes on here.
    pub is_target: bool,
    /// The name of the operation.
    pub name: &'static str,
    /// Its operands, each with its name.
    pub operands: String,
    /// The place of the rulebook that it comes from.
    pub span: Option<Span>,
}

impl Program {
    /// Lists the bytecode: as lowered, or as the rules are written. Nothing where the rules as written do
    /// not fit.
    ///
    /// Words of the state are called by the track that begins there, or `s` and their number; temporaries
    /// `t` and a number; constants stand as `=` and their value.
    #[must_use]
    pub fn listing(&self, as_written: bool) -> Vec<Listed> {
        let code = if as_written {
            self.plain()
        } else {
            Some(&self.code)
        };
        code.map_or_else(Vec::new, |code| self.listing_of(code))
    }

    /// Conditions that are asked of one thing after the other only because a field is read in them of a place where
    /// nothing need lie, each with the place of that read.
    #[must_use]
    pub fn unguarded(&self) -> &[(Span, Span)] {
        &self.code.unguarded
    }

    fn listing_of(&self, code: &Code) -> Vec<Listed> {
        let mut targets: Vec<Pc> = vec![code.start];
        for op in &code.ops {
            let mut op = *op;
            op.each_target(&mut |to| targets.push(*to));
        }
        for point in &code.points {
            targets.push(point.list);
            targets.extend(point.alts.iter().map(|alt| alt.entry));
        }
        targets.sort_unstable();
        let ops = code.ops.iter().zip(0..);
        ops.map(|(op, pc)| Listed {
            pc,
            is_target: targets.binary_search(&pc).is_ok(),
            name: op.name(),
            operands: self.operands_of(*op, code),
            span: code.span(pc),
        })
        .collect()
    }

    fn operands_of(&self, mut op: Op, code: &Code) -> String {
        let mut text = String::new();
        op.operands(&mut |name, operand| {
            let value = match operand {
                Operand::Use(reg, n) | Operand::Def(reg, n) | Operand::Both(reg, n) => {
                    self.register(*reg, n.unwrap_or(1), code)
                }
                Operand::To(to) => format!("@{to}"),
                Operand::Index(List::Zone, at) => match self.game.zones.get(at) {
                    Some(zone) => zone.name.clone(),
                    None => at.to_string(),
                },
                Operand::Index(_, at) => at.to_string(),
                Operand::Number(number) => number.to_string(),
                Operand::Fault(fault) => format!("{fault:?}"),
                Operand::Around(which) => format!("{which:?}"),
            };
            let gap = if text.is_empty() { "" } else { " " };
            // Writing to a text cannot fail.
            let _ = write!(text, "{gap}{name}:{value}");
        });
        text
    }

    fn register(&self, reg: Reg, n: u16, code: &Code) -> String {
        if let Some(at) = reg.checked_sub(CONSTS) {
            let words = (0..n).map(|w| code.consts.get(usize::from(at) + usize::from(w)));
            let words: Vec<String> = words
                .map(|word| match word {
                    Some(word) if *word as i64 == crate::model::NONE => "none".to_owned(),
                    Some(word) => (*word as i64).to_string(),
                    None => "?".to_owned(),
                })
                .collect();
            return format!("={}", words.join(","));
        }
        match reg {
            word::WHO => "who".to_owned(),
            word::POINT => "point".to_owned(),
            word::ENDING => "ending".to_owned(),
            word::MOVE => "move".to_owned(),
            word::RETURN => "return".to_owned(),
            word::STOPPED => "stopped".to_owned(),
            word::ARGS..word::FREE_TEMP => format!("arg{}", reg - word::ARGS),
            word::FREE_TEMP.. => format!("t{}", reg - word::FREE_TEMP),
            _ => name_in_state(&self.layout, &self.game, reg).unwrap_or_else(|| format!("s{reg}")),
        }
    }
}

/// The track whose values begin at a word.
fn name_in_state(layout: &Layout, game: &crate::model::Game, reg: Reg) -> Option<String> {
    let slots = layout.tracks.iter().zip(&game.tracks);
    let mut named = slots.filter(|(slot, _)| slot.array.base == reg && slot.len > 0);
    named.next().map(|(_, track)| track.name.clone())
}
