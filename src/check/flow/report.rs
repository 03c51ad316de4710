//! What is said about a secret that gets out: the way it goes.

use super::Analysis;
use super::label::{How, What};
use super::needs::{Asks, Need};
use super::sym::Sym;
use crate::diagnostic::{Diagnostic, codes};
use crate::model::{ActionId, LocalId, Visibility};
use crate::source::Span;

/// So many secrets that get out are told at once.
const MOST_FOUND: usize = 100;

impl Analysis<'_> {
    pub(super) fn report(&self) -> Vec<Diagnostic> {
        let mut findings: Vec<Diagnostic> = Vec::new();
        for need in &self.found {
            if findings.len() >= MOST_FOUND {
                break;
            }
            let Some(finding) = self.finding(need) else {
                continue;
            };
            let is_it = |it: &Diagnostic| {
                let place = it.span().zip(finding.span());
                it.message == finding.message
                    && place.is_some_and(|(one, other)| one.same_place(other))
            };
            if !findings.iter().any(is_it) {
                findings.push(finding);
            }
        }
        if let Some(span) = self.tangled {
            findings.push(entangled(span));
        }
        findings
    }

    fn finding(&self, need: &Need) -> Option<Diagnostic> {
        let label = &need.label;
        let what = match label.what {
            What::Zone(id) => &self.game.zones.get(id.index())?.name,
            What::Track(id) => &self.game.tracks.get(id.index())?.name,
            What::Many => return Some(entangled(label.span)),
            // What nobody hands on is no secret.
            What::Param(_) | What::Entry { .. } => return None,
        };
        let of = match need.asks {
            Asks::Whether => "whether a seat is asked".to_owned(),
            Asks::Told => "whether this is told".to_owned(),
            Asks::Among => "what there is to choose".to_owned(),
            Asks::Legal(id) => format!("whether `{}` is legal", self.action(id)?),
            Asks::Said(id) => format!("what is said of `{}`", self.action(id)?),
        };
        let code = match need.asks {
            Asks::Whether => codes::ASKED_BY_SECRET,
            Asks::Told => codes::TOLD_BY_SECRET,
            _ => codes::READS_HIDDEN,
        };
        let who = match need.asks {
            Asks::Told => "which not everybody who hears it sees",
            _ => "which the seat does not see",
        };
        let message = format!("{of} depends on `{what}`, {who}");
        let mut steps = Vec::new();
        let mut step = label.way.as_ref();
        while let Some(it) = step {
            steps.push(it);
            step = it.before.as_ref();
        }
        steps.reverse();
        let direct = steps.is_empty();
        let mut finding = match (direct, label.within) {
            // Who wrote that clause into another file may never have seen the place that asks for it.
            (true, Some(within)) if within.file != label.span.file => {
                Diagnostic::at(code, within, message)
                    .label(label.span, "here it is asked whether that can be done")
            }
            (true, _) => Diagnostic::at(code, label.span, message),
            (false, _) => {
                Diagnostic::new(code, message).label(label.span, format!("`{what}` is read here"))
            }
        };
        for step in &steps {
            let text = match step.how {
                How::Kept(local) => format!("kept as `{}`", self.name(local)?),
                How::Handed(local) => format!("handed on as `{}`", self.name(local)?),
                How::Offered => "offered so".to_owned(),
                How::Decides if step.span.same_place(label.span) => {
                    if let Some(first) = finding.labels.first_mut() {
                        first.text = format!("`{what}` decides here how it goes on");
                    }
                    continue;
                }
                How::Decides => "decides here how it goes on".to_owned(),
            };
            finding = finding.label(step.span, text);
        }
        if !direct {
            finding = finding.label(
                need.span,
                match need.asks {
                    Asks::Told => "and here it is told",
                    _ => "and here the seat chooses",
                },
            );
        }
        let asks_several =
            matches!(label.what, What::Zone(_)) && !label.at.iter().all(Sym::is_told);
        Some(finding.help(match need.asks {
            Asks::Told if asks_several => {
                "`show` every place that it asks, as by a `for each` over the same set, written the same way; or let it come to lie open first; or write what all may know to an open track and ask that; or tell only those who see it, or leave the words out"
            }
            Asks::Told => {
                "let it come to lie open first, or `show` it; or write what all may know to an open track and ask that; or tell only those who see it, or leave the words out"
            }
            Asks::Whether => {
                "ask the seat in any case; or `show` it before, or write what all may know to an open track and ask that"
            }
            _ if matches!(label.seen, Visibility::Others(_)) => {
                "ask only of those who are not the seat: let it choose `s in { t in seat where t != me }`"
            }
            _ => "ask only for what the seat sees, or `show` it before",
        }))
    }

    fn action(&self, id: ActionId) -> Option<&str> {
        self.game.actions.get(id.index()).map(|it| it.name.as_str())
    }

    fn name(&self, local: LocalId) -> Option<&str> {
        self.game
            .locals
            .get(local.index())
            .map(|it| it.name.as_str())
    }
}

fn entangled(span: Span) -> Diagnostic {
    let message = "who knows what here is too entangled to be followed";
    let help = "part it into definitions and flows of which each reads less that is hidden";
    Diagnostic::at(codes::TOO_ENTANGLED, span, message).help(help)
}
