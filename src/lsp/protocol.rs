//! What of the Language Server Protocol is in use, as data.

use lsp_server::RequestId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A place, counted from zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Position {
    pub(super) line: u32,
    pub(super) character: u32,
}

/// A stretch of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Range {
    pub(super) start: Position,
    pub(super) end: Position,
}

/// A stretch of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Location {
    pub(super) uri: String,
    pub(super) range: Range,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Initialize {
    pub(super) capabilities: Capabilities,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Capabilities {
    pub(super) general: General,
    pub(super) workspace: WorkspaceAbilities,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct General {
    pub(super) position_encodings: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct WorkspaceAbilities {
    pub(super) did_change_watched_files: Registered,
    pub(super) inlay_hint: Refreshed,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Refreshed {
    pub(super) refresh_support: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Registered {
    pub(super) dynamic_registration: bool,
}

/// A document by its address.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Document {
    pub(super) uri: String,
    #[serde(default)]
    pub(super) version: Option<i64>,
}

/// What most requests bring.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct About {
    pub(super) text_document: Document,
}

/// A place in a document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct At {
    pub(super) text_document: Document,
    pub(super) position: Position,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Rename {
    pub(super) text_document: Document,
    pub(super) position: Position,
    pub(super) new_name: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Hints {
    pub(super) text_document: Document,
    pub(super) range: Range,
}

#[derive(Debug, Deserialize)]
pub(super) struct Cancel {
    pub(super) id: RequestId,
}

/// A command with what it is about.
#[derive(Debug, Deserialize)]
pub(super) struct Command {
    pub(super) command: String,
    #[serde(default)]
    pub(super) arguments: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Query {
    pub(super) query: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct References {
    pub(super) text_document: Document,
    pub(super) position: Position,
    #[serde(default)]
    pub(super) context: ReferenceContext,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ReferenceContext {
    pub(super) include_declaration: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Opened {
    pub(super) text_document: OpenedDocument,
}

#[derive(Debug, Deserialize)]
pub(super) struct OpenedDocument {
    pub(super) uri: String,
    #[serde(default)]
    pub(super) version: Option<i64>,
    pub(super) text: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Changed {
    pub(super) text_document: Document,
    pub(super) content_changes: Vec<Change>,
}

/// A new text for a stretch, or for all of it.
#[derive(Debug, Deserialize)]
pub(super) struct Change {
    #[serde(default)]
    pub(super) range: Option<Range>,
    pub(super) text: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Actions {
    pub(super) text_document: Document,
    pub(super) range: Range,
    #[serde(default)]
    pub(super) context: ActionContext,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ActionContext {
    pub(super) only: Option<Vec<String>>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Finding {
    pub(super) range: Range,
    pub(super) severity: u8,
    pub(super) code: &'static str,
    pub(super) source: &'static str,
    pub(super) message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tags: Vec<u8>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_information: Vec<Related>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Related {
    pub(super) location: Location,
    pub(super) message: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextEdit {
    pub(super) range: Range,
    pub(super) new_text: String,
}

/// Returns what the server can do.
pub(super) fn abilities(encoding: &str) -> Value {
    let commands = super::lens::QUESTIONS.iter().map(|it| it.0);
    let commands: Vec<&str> = commands.collect();
    serde_json::json!({
        "capabilities": {
            "positionEncoding": encoding,
            "textDocumentSync": { "openClose": true, "change": 2, "save": { "includeText": false } },
            "documentFormattingProvider": true,
            "hoverProvider": true,
            "completionProvider": { "triggerCharacters": [".", "="] },
            "definitionProvider": true,
            "referencesProvider": true,
            "semanticTokensProvider": {
                "legend": { "tokenTypes": super::shown::KINDS, "tokenModifiers": ["declaration"] },
                "full": true,
            },
            "inlayHintProvider": true,
            "workspaceSymbolProvider": true,
            "renameProvider": { "prepareProvider": true },
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "foldingRangeProvider": true,
            "codeLensProvider": {},
            "executeCommandProvider": { "commands": commands },
            "codeActionProvider": { "codeActionKinds": ["quickfix", "source.fixAll"] },
        },
        "serverInfo": { "name": "adit", "version": env!("CARGO_PKG_VERSION") },
    })
}
