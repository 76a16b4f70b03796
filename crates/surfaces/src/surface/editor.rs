//! The language server with arbitrary messages of an editor.

use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};

use crate::observed::Observed;
use crate::{Surface, seeds};

/// Conversations of an editor with the language server.
pub static EDITOR: Surface = Surface {
    name: "editor",
    about: "Lines as the editor's messages (a line of JSON is sent as it is, other text is edited into the open script and asked about): the server answers every request and ends only when told to.",
    feed,
    seeds: conversations,
    words,
    inputs: 25,
};

const METHODS: &[&str] = &[
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/formatting",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/inlayHint",
    "textDocument/semanticTokens/full",
    "textDocument/rename",
    "textDocument/prepareRename",
    "textDocument/signatureHelp",
    "textDocument/documentHighlight",
    "workspace/symbol",
];

const PAGE: &str = "file:///open.dl";

fn conversations() -> Vec<Vec<u8>> {
    let mut found = vec![
        br#"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///open.dl"},"position":{"line":0,"character":3}}}"#.to_vec(),
        br#"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///open.dl","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":4}},"text":"x = "}]}}"#.to_vec(),
        br#"{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":"file:///open.dl"}}}"#.to_vec(),
        br#"{"jsonrpc":"2.0","id":"x","method":"workspace/unknown","params":null}"#.to_vec(),
        br#"{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"croupier":{"dialect":"v1"}}}}"#.to_vec(),
    ];
    found.extend(seeds::files("examples", &["dl"]));
    found.extend(seeds::files(
        "crates/script/tests/data/language/errors",
        &["dl"],
    ));
    found
}

fn words() -> Vec<String> {
    let mut words: Vec<String> = METHODS.iter().map(|&method| method.to_owned()).collect();
    words.extend(
        [
            "\"line\":",
            "\"character\":",
            "4294967295",
            "-1",
            "null",
            "\"range\":",
            "\"start\":",
            "\"end\":",
            "file:///other.dl",
            "file:///",
            "untitled:1",
            "\"version\":",
            "\"text\":",
            "\\ud83d\\ude00",
            "\"contentChanges\":[]",
            "\"id\":null",
            "textDocument/didOpen",
            "textDocument/didClose",
            "textDocument/didSave",
            "workspace/didChangeConfiguration",
            "workspace/executeCommand",
            "croupier.run",
            "\"arguments\":",
            "$/cancelRequest",
            "initialize",
            "initialized",
        ]
        .map(str::to_owned),
    );
    words.extend(seeds::language().into_iter().step_by(5));
    words
}

/// Time limit for an answer; only a server that hangs reaches it.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(40);

struct Editor {
    connection: Connection,
    next: i32,
}

impl Editor {
    fn send(&self, message: Message) -> bool {
        self.connection.sender.send(message).is_ok()
    }

    /// Sends a request and waits for the answer. Returns whether the server still runs.
    fn ask(&mut self, method: &str, params: Value, observed: &mut Observed) -> bool {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.send(Message::Request(Request::new(
            id.clone(),
            method.to_owned(),
            params,
        ))) && self.wait(&id, observed)
    }

    fn wait(&self, id: &RequestId, observed: &mut Observed) -> bool {
        let start = Instant::now();
        loop {
            assert!(
                start.elapsed() < ANSWER_TIMEOUT,
                "an answer to every request"
            );
            match self.connection.receiver.recv_timeout(ANSWER_TIMEOUT) {
                Ok(Message::Response(response)) if response.id == *id => {
                    observed.about(serde_json::to_string(&response).expect("plain data").len());
                    return true;
                }
                Ok(_) => {}
                Err(error) => {
                    assert!(error.is_disconnected(), "an answer to every request");
                    return false;
                }
            }
        }
    }

    fn notify(&self, method: &str, params: Value) -> bool {
        self.send(Message::Notification(Notification::new(
            method.to_owned(),
            params,
        )))
    }
}

fn feed(input: &[u8]) -> u64 {
    let mut observed = Observed::default();
    let text = String::from_utf8_lossy(input);
    let (server, client) = Connection::memory();
    let server = std::thread::spawn(move || {
        let ended = lsp::serve(&server);
        ended.map_err(|error| error.to_string())
    });
    let mut editor = Editor {
        connection: client,
        next: 1_000_000,
    };
    editor.ask("initialize", json!({ "capabilities": {} }), &mut observed);
    editor.notify("initialized", json!({}));
    let document = json!({ "uri": PAGE, "languageId": "dealer", "version": 1, "text": "condition hcp(north) > 12\n" });
    editor.notify("textDocument/didOpen", json!({ "textDocument": document }));
    let there = converse(&mut editor, &text, &mut observed);
    if there {
        editor.ask("shutdown", Value::Null, &mut observed);
        editor.notify("exit", Value::Null);
    }
    drop(editor);
    let ended = server.join().expect("the server does not panic");
    assert!(
        !there || ended.is_ok(),
        "it ends well when told to: {ended:?}"
    );
    observed.note(ended.is_ok()).number()
}

/// Returns whether the server still runs at the end.
fn converse(editor: &mut Editor, text: &str, observed: &mut Observed) -> bool {
    let mut script = String::new();
    let mut ends = false;
    for line in text.lines().take(60) {
        match serde_json::from_str::<Message>(line)
            .ok()
            .filter(|_| line.starts_with('{'))
        {
            Some(message) => {
                // These messages end the session or the server, as the protocol requires.
                ends |= match &message {
                    Message::Request(request) => request.method == "shutdown",
                    Message::Notification(notification) => notification.method == "exit",
                    Message::Response(_) => false,
                };
                assert!(editor.send(message), "no other message ends the server");
            }
            None => {
                script.push_str(line);
                script.push('\n');
            }
        }
        if ends {
            return false;
        }
    }
    let whole = json!({ "textDocument": { "uri": PAGE, "version": 2 }, "contentChanges": [{ "text": script }] });
    editor.notify("textDocument/didChange", whole);
    let line = text.len() % text.lines().count().max(1);
    let character = text.len() % 40;
    for method in METHODS {
        let place = json!({ "line": line, "character": character });
        let params = json!({
            "textDocument": { "uri": PAGE }, "position": place, "newName": "renamed", "query": "x", "context": { "includeDeclaration": true, "diagnostics": [] },
            "range": { "start": { "line": 0, "character": 0 }, "end": place }, "options": { "tabSize": 4, "insertSpaces": true },
        });
        let is_there = editor.ask(method, params, observed);
        assert!(is_there, "no message but `exit` ends the server");
    }
    true
}
