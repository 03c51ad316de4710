//! Rulings and studies over which an editor shows what may be asked about them, and the answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use lsp_server::{ErrorCode, Message, Notification, RequestId, Response};
use serde_json::{Value, json};

use super::Server;
use super::analysis::guarded;
use super::documents::range;
use super::protocol::{About, Command};
use super::uri;
use crate::assist;
use crate::diagnostic::Diagnostic;

/// What may be asked about a ruling or a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether a ruling holds.
    Ruling,
    /// Why it comes out as it does.
    Why,
    /// Under which other readings it comes out otherwise.
    Flips,
    /// What a study finds.
    Study,
}

/// The names of the questions in the protocol, with what stands over the ruling or the study.
pub(super) const QUESTIONS: &[(&str, &str, Question)] = &[
    ("adit.ruling", "run", Question::Ruling),
    ("adit.why", "why", Question::Why),
    ("adit.flips", "which reading turns it", Question::Flips),
    ("adit.study", "search", Question::Study),
];

/// No question takes longer.
const MOST: Duration = Duration::from_secs(20);

/// How an editor shows an answer.
const SAID: u8 = 3;
/// How it shows what is wrong.
const WRONG: u8 = 1;

impl Server<'_> {
    pub(super) fn lenses(&mut self, about: &About) -> Option<Value> {
        let analysis = self.known(&about.text_document.uri)?;
        let source = analysis.sources.get(analysis.file)?;
        let uri = &about.text_document.uri;
        let cases = assist::cases(&analysis.compiled.files, analysis.file);
        let lenses = cases.into_iter().flat_map(|case| {
            let range = range(source, case.span, self.units);
            let asked = QUESTIONS.iter();
            let asked = asked.filter(move |it| (it.2 == Question::Study) == case.is_study);
            asked.map(move |(command, title, _)| {
                let arguments = json!([uri, case.id]);
                let command = json!({ "title": title, "command": command, "arguments": arguments });
                json!({ "range": range, "command": command })
            })
        });
        Some(json!(lenses.collect::<Vec<_>>()))
    }

    /// Answers a question in a thread of its own: what is typed meanwhile does not wait for it.
    pub(super) fn command(&mut self, id: RequestId, asked: Value) {
        let asked: Option<Command> = serde_json::from_value(asked).ok();
        let question = asked.and_then(|it| {
            let known = QUESTIONS.iter().find(|(name, ..)| *name == it.command)?;
            let [address, case] = it.arguments.as_slice() else {
                return None;
            };
            Some((known.2, uri::path(address), case.clone()))
        });
        let Some((question, path, case)) = question else {
            let message = String::from("there is no such command");
            let code = ErrorCode::InvalidParams as i32;
            return self.send(Response::new_err(id, code, message));
        };
        let stop = Arc::new(AtomicBool::new(false));
        // Those that are done are held by nobody else.
        self.asked.retain(|_, it| Arc::strong_count(it) > 1);
        self.asked.insert(id.clone(), Arc::clone(&stop));
        let (world, out) = (Arc::clone(&self.world), self.out.clone());
        let texts = self.documents.texts();
        let answer = move || {
            let start = Instant::now();
            let is_stopped = || stop.load(Ordering::Relaxed) || start.elapsed() > MOST;
            let told = guarded("answered", || {
                world.tell(question, &path, &case, &texts, &is_stopped)
            });
            if stop.load(Ordering::Relaxed) {
                let message = String::from("it was called off");
                let code = ErrorCode::RequestCanceled as i32;
                let _ = out.send(Message::from(Response::new_err(id, code, message)));
                return;
            }
            let (kind, text) = match told {
                Ok(Ok(text)) => (SAID, text),
                Ok(Err(found)) => (WRONG, in_words(&found)),
                Err(message) => (WRONG, message),
            };
            let message = json!({ "type": kind, "message": text });
            let shown = Notification::new(String::from("window/showMessage"), message);
            // Nobody is left to tell if it cannot be sent.
            let _ = out.send(Message::from(shown));
            let _ = out.send(Message::from(Response::new_ok(id, text)));
        };
        // Where no thread can be had, nobody is answered, and the editor goes on.
        let _ = thread::Builder::new().spawn(answer);
    }

    /// Ends the answer to a question; all of them, if none is named.
    pub(super) fn stop(&mut self, id: Option<&RequestId>) {
        let asked = self.asked.iter();
        let meant = asked.filter(|(it, _)| id.is_none_or(|id| *it == id));
        meant.for_each(|(_, stop)| stop.store(true, Ordering::Relaxed));
    }
}

fn in_words(found: &[Diagnostic]) -> String {
    let lines = found.iter().map(|it| match &it.help {
        Some(help) => format!("{}\n{help}", it.message),
        None => it.message.clone(),
    });
    lines.collect::<Vec<_>>().join("\n")
}
