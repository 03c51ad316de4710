//! An editor that talks to the server in the same process.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use adit::library::Shipped;
use lsp_server::{Connection, Message, Notification, Request, Response};
use serde_json::{Value, json};
use tempfile::TempDir;

/// How long an answer may take; far more than it does.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Editor {
    connection: Connection,
    served: Option<JoinHandle<bool>>,
    folder: TempDir,
    asked: i32,
    versions: BTreeMap<String, i64>,
    /// The findings last told, by the name of the file, with the version that they are about.
    pub found: BTreeMap<String, (Option<i64>, Value)>,
    /// How often findings were told.
    pub n_told: usize,
}

impl Editor {
    pub fn new() -> Editor {
        Editor::with(json!({}))
    }

    pub fn with(abilities: Value) -> Editor {
        let folder = tempfile::tempdir().unwrap();
        let cache = folder.path().join("cache");
        let serve = move |other: Connection| adit::cli::serve(&other, Some(cache)).unwrap();
        Editor::of(folder, abilities, serve)
    }

    /// An editor of a shipped rulebook, whose parts lie beside it: without them it cannot be checked.
    pub fn beside_parts_of(shipped: &Shipped) -> Editor {
        let editor = Editor::new();
        for part in shipped.parts() {
            let file = part.path.rsplit('/').next().unwrap();
            editor.save(file, part.text);
        }
        editor
    }

    /// An editor that talks to a server of its own kind.
    pub fn of(
        folder: TempDir,
        abilities: Value,
        serve: impl FnOnce(Connection) -> bool + Send + 'static,
    ) -> Editor {
        let (connection, other) = Connection::memory();
        let served = thread::Builder::new()
            .stack_size(4 << 20)
            .spawn(move || serve(other))
            .unwrap();
        let mut editor = Editor {
            connection,
            served: Some(served),
            folder,
            asked: 0,
            versions: BTreeMap::new(),
            found: BTreeMap::new(),
            n_told: 0,
        };
        editor.ask("initialize", json!({ "capabilities": abilities }));
        editor.tell("initialized", json!({}));
        editor
    }

    /// Writes a file on the disk.
    pub fn save(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    pub fn uri(&self, name: &str) -> String {
        format!("file://{}", self.folder.path().join(name).display())
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        let it = Notification::new(String::from(method), params);
        self.connection.sender.send(it.into()).unwrap();
    }

    /// Asks and waits for the answer.
    pub fn asked(&mut self, method: &str, params: Value) -> Response {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// Asks without waiting; returns the number of the question.
    pub fn send(&mut self, method: &str, params: Value) -> i32 {
        self.asked += 1;
        let id = self.asked;
        let it = Request::new(id.into(), String::from(method), params);
        self.connection.sender.send(it.into()).unwrap();
        id
    }

    /// Waits for the answer to a question.
    pub fn answer(&mut self, id: i32) -> Response {
        loop {
            match self.next() {
                Message::Response(response) if response.id == id.into() => return response,
                _ => continue,
            }
        }
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked(method, params).response_result.unwrap()
    }

    fn next(&mut self) -> Message {
        let message = self.connection.receiver.recv_timeout(PATIENCE).unwrap();
        if let Message::Notification(it) = &message
            && it.method == "textDocument/publishDiagnostics"
        {
            let uri = it.params["uri"].as_str().unwrap();
            let name = uri.rsplit('/').next().unwrap().to_owned();
            let version = it.params["version"].as_i64();
            self.n_told += 1;
            self.found
                .insert(name, (version, it.params["diagnostics"].clone()));
        }
        message
    }

    /// Waits until the server asks for something.
    pub fn asks_for(&mut self, method: &str) {
        while !matches!(self.next(), Message::Request(it) if it.method == method) {}
    }

    pub fn open(&mut self, name: &str, text: &str) {
        let uri = self.uri(name);
        self.open_at(&uri, text);
    }

    pub fn open_at(&mut self, uri: &str, text: &str) {
        self.versions.insert(uri.to_owned(), 1);
        self.tell(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": uri, "languageId": "adit", "version": 1, "text": text } }),
        );
    }

    pub fn change(&mut self, name: &str, changes: Value) {
        let uri = self.uri(name);
        let version = self.versions.get_mut(&uri).unwrap();
        *version += 1;
        let document = json!({ "uri": uri, "version": *version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", params);
    }

    pub fn close(&mut self, name: &str) {
        let uri = self.uri(name);
        self.tell(
            "textDocument/didClose",
            json!({ "textDocument": { "uri": uri } }),
        );
    }

    /// Asks about a whole file, or a place in it.
    pub fn about(&mut self, method: &str, name: &str, more: Value) -> Value {
        let mut params = json!({ "textDocument": { "uri": self.uri(name) } });
        for (key, value) in more.as_object().unwrap() {
            params[key] = value.clone();
        }
        self.ask(method, params)
    }

    /// Waits for the findings about the text as it is now.
    pub fn findings(&mut self, name: &str) -> Value {
        let version = self.versions[&self.uri(name)];
        loop {
            if let Some((told, found)) = self.found.get(name)
                && *told == Some(version)
            {
                return found.clone();
            }
            self.next();
        }
    }

    /// Waits for findings that are as wanted.
    pub fn findings_until(&mut self, name: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let found = self.findings(name);
            if is_it(&found) {
                return found;
            }
            self.next();
        }
    }

    /// Ends it as an editor does; returns whether the server has ended well.
    pub fn end(mut self) -> bool {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.served.take().unwrap().join().unwrap()
    }
}

/// The codes of findings, in order.
pub fn codes(found: &Value) -> Vec<&str> {
    let all = found.as_array().unwrap().iter();
    all.map(|it| it["code"].as_str().unwrap()).collect()
}

/// The text that edits make of another.
pub fn edited(text: &str, edits: &Value) -> String {
    let mut edits: Vec<&Value> = edits.as_array().unwrap().iter().collect();
    edits.sort_by_key(|it| {
        let start = &it["range"]["start"];
        (start["line"].as_u64(), start["character"].as_u64())
    });
    let mut text = text.to_owned();
    for edit in edits.into_iter().rev() {
        let at = |end: &str| offset(&text, &edit["range"][end]);
        let range = at("start")..at("end");
        text.replace_range(range, edit["newText"].as_str().unwrap());
    }
    text
}

/// The offset of a place whose column is counted in UTF-16.
pub fn offset(text: &str, place: &Value) -> usize {
    let line = usize::try_from(place["line"].as_u64().unwrap()).unwrap();
    let column = usize::try_from(place["character"].as_u64().unwrap()).unwrap();
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let mut units = 0;
    for (at, letter) in text[start..].char_indices() {
        if units >= column {
            return start + at;
        }
        units += letter.len_utf16();
    }
    text.len()
}

/// The place of some words, of the first of them.
pub fn place(text: &str, words: &str) -> Value {
    let at = text.find(words).unwrap_or_else(|| panic!("{words}"));
    place_at(text, at)
}

pub fn place_at(text: &str, at: usize) -> Value {
    let before = &text[..at];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |it| it + 1);
    json!({ "line": line, "character": before[start..].encode_utf16().count() })
}
