//! A server for editors that speak the Language Server Protocol.
//!
//! One thread answers: it takes in all that the editor has sent, and looks at an open rulebook when nothing more is
//! waiting and nothing comes right behind. So what was typed meanwhile makes an older look needless before it begins, and every answer is about the
//! text as it is. What takes its time is looked at by a second thread, and thrown away if the text has changed.

mod analysis;
mod documents;
mod findings;
mod fixes;
mod lately;
mod lens;
mod named;
mod protocol;
mod renamed;
mod shown;
mod uri;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, select, unbounded};
use lsp_server::{
    Connection, ErrorCode, Message, Notification, ProtocolError, Request, RequestId, Response,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

pub use self::analysis::Gathered;
use self::analysis::{Analyses, Analysis, Slow, analyse, analyse_slowly, guarded};
use self::documents::Documents;
pub use self::lens::Question;
use self::protocol::Finding;
use crate::diagnostic::Diagnostic;
use crate::pipeline::{Compiled, Memory};
use crate::source::{FileId, Sources, Units};

/// What surrounds the server: files and the settings in them, and the commands.
pub trait World: Send + Sync {
    /// Finds the rulebook of a path with what it stands on and its parts, in the texts that are open before the disk.
    ///
    /// # Errors
    /// Why they cannot be put together.
    fn gather(&self, path: &str, open: &[(String, Arc<str>)]) -> Result<Gathered, Vec<Diagnostic>>;

    /// Leaves out findings that nobody wants, and gives others the weight that they should have.
    fn weigh(&self, path: &str, sources: &Sources, findings: &mut Vec<Diagnostic>);

    /// Returns what is named in some files and is nowhere, neither among these rulebooks nor beside them.
    fn strangers(
        &self,
        _among: (&Sources, &Compiled),
        _own: &[FileId],
        _open: &[(String, Arc<str>)],
    ) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// Returns the paths of the rulebooks that lie in the same folder, which may belong to what is open.
    fn beside(&self, _path: &str) -> Vec<String> {
        Vec::new()
    }

    /// Lays a text that comes with the program where the editor can read it, and returns its path.
    fn laid_out(&self, name: &str) -> Option<String>;

    /// Answers a question about a ruling or a study of a rulebook, as the commands do, until somebody wants no more.
    ///
    /// # Errors
    /// Why it cannot be answered.
    fn tell(
        &self,
        question: Question,
        path: &str,
        id: &str,
        open: &[(String, Arc<str>)],
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<String, Vec<Diagnostic>>;
}

/// How long nobody has to have typed before something is looked at that takes its time.
const QUIET: Duration = Duration::from_millis(300);

/// What an editor asks right behind a change comes within that time, and should not wait for a look at the text.
const BEHIND: Duration = Duration::from_millis(1);

/// What was found by taking time, and of what.
struct Seen {
    analysis: Arc<Analysis>,
    slow: Slow,
}

struct Server<'a> {
    world: Arc<dyn World>,
    out: &'a Sender<Message>,
    units: Units,
    documents: Documents,
    analyses: Analyses,
    /// What came of each open text when it was looked at last, be it as it was then or not.
    last: BTreeMap<String, Arc<Analysis>>,
    memory: Memory,
    /// The open texts that are to be looked at, the next one first.
    waiting: VecDeque<String>,
    slow: Vec<Seen>,
    /// Is set where the analysis that is looked at slowly does not hold any more.
    is_outdated: Arc<AtomicBool>,
    /// When a text has changed last.
    typed: Instant,
    /// The questions that are being answered, each with what ends that.
    asked: BTreeMap<RequestId, Arc<AtomicBool>>,
    /// Whether the editor asks for hints again when it is told to.
    asks_again: bool,
    /// What each editor's address was last told.
    told: BTreeMap<String, (Option<i64>, Vec<Finding>)>,
    is_shut: bool,
}

/// Answers an editor until it ends; returns whether it has said before that it would.
///
/// # Errors
/// What was sent is not the protocol.
pub fn serve(connection: &Connection, world: Arc<dyn World>) -> Result<bool, ProtocolError> {
    let (id, params) = connection.initialize_start()?;
    let asked: protocol::Initialize = serde_json::from_value(params).unwrap_or_default();
    let abilities = asked.capabilities;
    let utf8 = abilities
        .general
        .position_encodings
        .iter()
        .any(|it| it == "utf-8");
    let (units, encoding) = match utf8 {
        true => (Units::Utf8, "utf-8"),
        false => (Units::Utf16, "utf-16"),
    };
    connection.initialize_finish(id, protocol::abilities(encoding))?;
    let mut server = Server {
        world,
        out: &connection.sender,
        units,
        documents: Documents::default(),
        analyses: Analyses::default(),
        last: BTreeMap::new(),
        memory: Memory::default(),
        waiting: VecDeque::new(),
        slow: Vec::new(),
        is_outdated: Arc::default(),
        typed: Instant::now(),
        asked: BTreeMap::new(),
        asks_again: abilities.workspace.inlay_hint.refresh_support,
        told: BTreeMap::new(),
        is_shut: false,
    };
    if abilities
        .workspace
        .did_change_watched_files
        .dynamic_registration
    {
        server.watch();
    }
    Ok(server.run(&connection.receiver))
}

impl Server<'_> {
    fn run(&mut self, messages: &Receiver<Message>) -> bool {
        let messages = &taken_in(messages);
        let (hand_out, jobs) = unbounded::<(Arc<Analysis>, Arc<AtomicBool>)>();
        let (hand_in, results) = unbounded();
        // Where no thread can be had, only what takes its time is missing.
        let _ = thread::Builder::new().spawn(move || {
            for (analysis, is_outdated) in jobs {
                let slow = analyse_slowly(&analysis, &|| !is_outdated.load(Ordering::Relaxed));
                if hand_in
                    .send(slow.map(|slow| Seen { analysis, slow }))
                    .is_err()
                {
                    break;
                }
            }
        });
        let mut is_busy = false;
        loop {
            let message = if self.waiting.is_empty() {
                let next = match is_busy {
                    true => None,
                    false => self.next_slow(),
                };
                select! {
                    recv(messages) -> message => message.map_err(|_| RecvTimeoutError::Disconnected),
                    recv(results) -> done => {
                        is_busy = false;
                        self.took_its_time(done.ok().flatten());
                        continue;
                    }
                    default(next.as_ref().map_or(Duration::MAX, |_| self.still_quiet())) => {
                        if let Some(next) = next {
                            self.is_outdated = Arc::default();
                            let job = (next, Arc::clone(&self.is_outdated));
                            is_busy = hand_out.send(job).is_ok();
                        }
                        continue;
                    }
                }
            } else {
                match messages.recv_timeout(BEHIND) {
                    Err(RecvTimeoutError::Timeout) => {
                        self.look_at_next();
                        continue;
                    }
                    next => next,
                }
            };
            match message {
                Ok(Message::Request(request)) => self.request(request),
                Ok(Message::Notification(it)) if it.method == "exit" => return self.is_shut,
                Ok(Message::Notification(notification)) => self.notification(notification),
                Ok(Message::Response(_)) => {}
                Err(_) => return self.is_shut,
            }
        }
    }

    /// Returns how long nobody must type yet.
    fn still_quiet(&self) -> Duration {
        QUIET.saturating_sub(self.typed.elapsed())
    }

    /// Returns an analysis of which the other readings were not looked at.
    fn next_slow(&mut self) -> Option<Arc<Analysis>> {
        let analyses = &self.analyses;
        let holds = |it: &Seen| {
            analyses
                .iter()
                .any(|(_, now)| Arc::ptr_eq(now, &it.analysis))
        };
        self.slow.retain(holds);
        let mut all = self.analyses.iter().map(|(_, it)| it);
        let is_new = |it: &&Arc<Analysis>| {
            let is_it = |seen: &Seen| Arc::ptr_eq(&seen.analysis, it);
            it.compiled.game.is_some() && !self.slow.iter().any(is_it)
        };
        all.find(is_new).cloned()
    }

    fn took_its_time(&mut self, done: Option<Seen>) {
        let Some(done) = done else { return };
        let paths: Vec<String> = done
            .analysis
            .sources
            .iter()
            .map(|(_, it)| it.name.clone())
            .collect();
        self.slow.push(done);
        paths.iter().for_each(|path| self.tell(path));
        if self.asks_again {
            let method = String::from("workspace/inlayHint/refresh");
            self.send(Request::new(
                String::from("hints").into(),
                method,
                Value::Null,
            ));
        }
    }

    fn look_at_next(&mut self) {
        let Some(path) = self.waiting.pop_front() else {
            return;
        };
        // To take it apart can wait until the findings are told.
        let _before = self.last.get(&path).cloned();
        self.look_at(&path);
        let touched = self.analyses.get(&path).map(|it| {
            let all = it.sources.iter().map(|(_, it)| it.name.clone());
            all.collect::<Vec<_>>()
        });
        self.tell(&path);
        for other in touched.unwrap_or_default() {
            // Those that wait are told soon enough.
            if other != path && !self.waiting.contains(&other) {
                self.tell(&other);
            }
        }
    }

    /// Sees to it that a text that is open was looked at as it is now.
    fn look_at(&mut self, path: &str) {
        if self.documents.get(path).is_some() && self.analyses.get(path).is_none() {
            let made = analyse(&*self.world, path, &self.documents.texts(), &self.memory);
            for (path, text) in made.readable() {
                if self.documents.get(path).is_some() {
                    self.memory.keep(path, text);
                }
            }
            let made = Arc::new(made);
            self.last.insert(path.to_owned(), Arc::clone(&made));
            self.analyses.put(path, made);
        }
    }

    /// Tells the editor what was found about an open text, if that is news.
    fn tell(&mut self, path: &str) {
        let Some(open) = self.documents.get(path) else {
            return;
        };
        if self.analyses.get(path).is_none() {
            return;
        }
        let found: Vec<Finding> = self.about(path).iter().map(|it| self.shown(it)).collect();
        let now = (open.version, found);
        let uri = open.uri.clone();
        if self.told.get(&uri) != Some(&now) {
            self.publish(&uri, now.0, &now.1);
            self.told.insert(uri, now);
        }
    }

    fn publish(&self, uri: &str, version: Option<i64>, found: &[Finding]) {
        let mut params = json!({ "uri": uri, "diagnostics": found });
        if let Some(version) = version {
            params["version"] = json!(version);
        }
        self.send(Notification::new(
            String::from("textDocument/publishDiagnostics"),
            params,
        ));
    }

    fn send(&self, message: impl Into<Message>) {
        // Nobody is left to tell if it cannot be sent; reading ends then as well.
        let _ = self.out.send(message.into());
    }

    /// Asks to be told when rulebooks change that are not open.
    fn watch(&self) {
        let watchers = ["**/*.rules", "**/adit.toml"].map(|it| json!({ "globPattern": it }));
        let registration = json!({
            "id": "files",
            "method": "workspace/didChangeWatchedFiles",
            "registerOptions": { "watchers": watchers },
        });
        self.send(Request::new(
            String::from("files").into(),
            String::from("client/registerCapability"),
            json!({ "registrations": [registration] }),
        ));
    }

    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            "textDocument/didOpen" => {
                let Some(protocol::Opened { text_document: it }) = read(params) else {
                    return;
                };
                let path = self.documents.open(&it.uri, it.version, it.text);
                self.all_changed(Some(path));
            }
            "textDocument/didChange" => {
                let Some(it) = read::<protocol::Changed>(params) else {
                    return;
                };
                let protocol::Document { uri, version } = it.text_document;
                let changes = it.content_changes;
                if let Some(path) = self.documents.change(&uri, version, changes, self.units) {
                    self.changed(&path);
                }
            }
            "textDocument/didClose" => {
                let Some(it) = read::<protocol::About>(params) else {
                    return;
                };
                if let Some((path, closed)) = self.documents.close(&it.text_document.uri) {
                    self.told.remove(&closed.uri);
                    self.memory.forget(&path);
                    self.publish(&closed.uri, None, &[]);
                    self.waiting.retain(|it| *it != path);
                    self.all_changed(None);
                }
            }
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => self.all_changed(None),
            "$/cancelRequest" => {
                if let Some(it) = read::<protocol::Cancel>(params) {
                    self.stop(Some(&it.id));
                }
            }
            _ => {}
        }
    }

    /// What hangs on one text is looked at again, that text first; so is what was wrong before, since
    /// it may have missed this text.
    fn changed(&mut self, path: &str) {
        self.outdated();
        let wrong = self.analyses.iter();
        let wrong = wrong.filter(|(_, it)| it.findings.iter().any(Diagnostic::is_error));
        let wrong: Vec<String> = wrong.map(|(own, _)| own.to_owned()).collect();
        let mut again = self.analyses.forget(path);
        for own in wrong {
            again.extend(self.analyses.forget(&own));
        }
        self.waiting.retain(|it| it != path);
        self.waiting.push_front(path.to_owned());
        for own in again {
            if !self.waiting.contains(&own) && self.documents.get(&own).is_some() {
                self.waiting.push_back(own);
            }
        }
    }

    fn outdated(&mut self) {
        self.is_outdated.store(true, Ordering::Relaxed);
        self.typed = Instant::now();
    }

    fn all_changed(&mut self, first: Option<String>) {
        self.outdated();
        self.last.clear();
        self.analyses.forget_all();
        self.waiting.clear();
        self.waiting.extend(first);
        for path in self.documents.paths() {
            if self.waiting.front() != Some(&path) {
                self.waiting.push_back(path);
            }
        }
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let failed =
            |code: ErrorCode, message: String| Response::new_err(id.clone(), code as i32, message);
        if self.is_shut {
            let message = String::from("the server was shut down");
            self.send(failed(ErrorCode::InvalidRequest, message));
            return;
        }
        if method == "workspace/executeCommand" {
            return self.command(id, params);
        }
        let answer = guarded("answered", || self.answer(&method, params));
        let response = match answer {
            Ok(Ok(value)) => Response::new_ok(id.clone(), value),
            Ok(Err(Refused::NoSuchRequest)) => {
                let message = format!("`{method}` is not answered");
                failed(ErrorCode::MethodNotFound, message)
            }
            Ok(Err(Refused::NotUnderstood)) => {
                let message = format!("what `{method}` brings is not understood");
                failed(ErrorCode::InvalidParams, message)
            }
            Ok(Err(Refused::Because(message))) => failed(ErrorCode::RequestFailed, message),
            Err(message) => failed(ErrorCode::InternalError, message),
        };
        self.send(response);
    }

    fn answer(&mut self, method: &str, params: Value) -> Result<Value, Refused> {
        match method {
            "shutdown" => {
                self.is_shut = true;
                self.stop(None);
                Ok(Value::Null)
            }
            "textDocument/formatting" => Ok(self.formatted(&asked(params)?)),
            "textDocument/codeAction" => Ok(self.actions(&asked(params)?)),
            "textDocument/hover" => Ok(json!(self.hovered(&asked(params)?))),
            "textDocument/definition" => Ok(json!(self.defined(&asked(params)?))),
            "textDocument/completion" => Ok(json!(self.completed(&asked(params)?))),
            "textDocument/prepareRename" => {
                self.renamable(&asked(params)?).map_err(Refused::Because)
            }
            "textDocument/rename" => self.renamed(&asked(params)?).map_err(Refused::Because),
            "textDocument/semanticTokens/full" => Ok(json!(self.coloured(&asked(params)?))),
            "textDocument/inlayHint" => Ok(json!(self.hinted(&asked(params)?))),
            "workspace/symbol" => Ok(self.found(&asked(params)?)),
            "textDocument/references" => Ok(json!(self.referred(&asked(params)?))),
            "textDocument/documentHighlight" => Ok(json!(self.highlighted(&asked(params)?))),
            "textDocument/documentSymbol" => Ok(json!(self.outlined(&asked(params)?))),
            "textDocument/codeLens" => Ok(json!(self.lenses(&asked(params)?))),
            "textDocument/foldingRange" => Ok(json!(self.folded(&asked(params)?))),
            _ => Err(Refused::NoSuchRequest),
        }
    }
}

/// Returns the same messages as they come: whoever hands them over needs not wait until somebody asks for the next one,
/// so what was sent at once is there at once.
fn taken_in(messages: &Receiver<Message>) -> Receiver<Message> {
    let (sender, taken) = unbounded();
    let from = messages.clone();
    let take = move || {
        for it in from {
            if sender.send(it).is_err() {
                break;
            }
        }
    };
    match thread::Builder::new().spawn(take) {
        Ok(_) => taken,
        Err(_) => messages.clone(),
    }
}

/// Why a request has no answer.
enum Refused {
    NoSuchRequest,
    NotUnderstood,
    Because(String),
}

fn asked<T: DeserializeOwned>(params: Value) -> Result<T, Refused> {
    read(params).ok_or(Refused::NotUnderstood)
}

fn read<T: DeserializeOwned>(params: Value) -> Option<T> {
    serde_json::from_value(params).ok()
}
