//! Tests of the server with a scripted editor: every feature once, and many random edits.

use std::collections::HashMap;
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};

/// An editor connected to a server on another thread.
struct Editor {
    connection: Option<Connection>,
    server: Option<std::thread::JoinHandle<()>>,
    next: i32,
    /// Newest diagnostics of each document, with the version to which they belong.
    published: HashMap<String, (Option<i64>, Value)>,
    /// Number of refresh requests of the server.
    refreshed: usize,
}

/// Time limit for an answer; only a server that hangs reaches it.
const PATIENCE: Duration = Duration::from_secs(120);

impl Editor {
    fn new() -> Editor {
        let (server, client) = Connection::memory();
        let server = std::thread::spawn(move || lsp::serve(&server).unwrap());
        let mut editor = Editor {
            connection: Some(client),
            server: Some(server),
            next: 0,
            published: HashMap::new(),
            refreshed: 0,
        };
        let capabilities = json!({ "workspace": {
            "inlayHint": { "refreshSupport": true },
            "codeLens": { "refreshSupport": true }
        }});
        let told = editor.ask("initialize", json!({ "capabilities": capabilities }));
        assert_eq!(told["capabilities"]["textDocumentSync"], 2);
        editor.tell("initialized", json!({}));
        editor
    }

    fn connection(&self) -> &Connection {
        self.connection.as_ref().unwrap()
    }

    fn tell(&mut self, method: &str, params: Value) {
        let message = Notification::new(method.into(), params);
        self.connection()
            .sender
            .send(Message::Notification(message))
            .unwrap();
    }

    /// Sends a request and waits for its answer. Records all messages before it.
    fn request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.next += 1;
        let id = RequestId::from(self.next);
        let message = Request::new(id.clone(), method.into(), params);
        self.connection()
            .sender
            .send(Message::Request(message))
            .unwrap();
        loop {
            if let Some(response) = self.receive()
                && response.id == Some(id.clone())
            {
                return match response.error {
                    None => Ok(response.result.unwrap_or(Value::Null)),
                    Some(error) => Err(error.message),
                };
            }
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.request(method, params).unwrap()
    }

    fn receive(&mut self) -> Option<Answer> {
        let message = self.connection().receiver.recv_timeout(PATIENCE).unwrap();
        match message {
            Message::Response(response) => {
                Some(Answer::from(serde_json::to_value(response).unwrap()))
            }
            Message::Notification(told) => {
                assert_eq!(told.method, "textDocument/publishDiagnostics");
                let uri = told.params["uri"].as_str().unwrap().to_owned();
                let version = told.params["version"].as_i64();
                self.published
                    .insert(uri, (version, told.params["diagnostics"].clone()));
                None
            }
            Message::Request(asked) => {
                assert!(asked.method.ends_with("/refresh"), "{}", asked.method);
                self.refreshed += 1;
                None
            }
        }
    }

    fn open(&mut self, uri: &str, text: &str) {
        self.tell(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": uri, "languageId": "dealer", "version": 1, "text": text } }),
        );
    }

    /// Returns the diagnostics of this version of a document.
    fn diagnostics(&mut self, uri: &str, version: i64) -> Value {
        loop {
            match self.published.get(uri) {
                Some((Some(there), list)) if *there == version => return list.clone(),
                _ => drop(self.receive()),
            }
        }
    }

    fn at(&mut self, method: &str, uri: &str, line: u32, character: u32) -> Value {
        self.ask(
            method,
            json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } }),
        )
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.connection = None;
        self.server.take().unwrap().join().unwrap();
    }
}

struct Answer {
    id: Option<RequestId>,
    result: Option<Value>,
    error: Option<Failure>,
}

struct Failure {
    message: String,
}

impl From<Value> for Answer {
    fn from(value: Value) -> Answer {
        Answer {
            id: value["id"].as_i64().map(|id| RequestId::from(id as i32)),
            result: value.get("result").cloned(),
            error: value.get("error").map(|error| Failure {
                message: error["message"].as_str().unwrap_or("").to_owned(),
            }),
        }
    }
}

const URI: &str = "file:///scripts/one.dl";

const SCRIPT: &str = "# Strong notrump.
strong = hcp(north) >= 15 and hcp(north) <= 17
condition
    strong
    and shape(north, any 4333 + any 4432 + any 5332)
action
    printoneline,
    average \"points\" hcp(south)
";

#[test]
fn errors_come_with_their_code_and_fix() {
    let mut editor = Editor::new();
    editor.open(URI, "condition hcp(north) = 15");
    let list = editor.diagnostics(URI, 1);
    assert_eq!(list[0]["code"], "E203");
    assert_eq!(
        list[0]["range"]["start"],
        json!({ "line": 0, "character": 21 })
    );
    let actions = editor.ask(
        "textDocument/codeAction",
        json!({ "textDocument": { "uri": URI }, "range": list[0]["range"], "context": { "diagnostics": [] } }),
    );
    assert_eq!(actions[0]["title"], "Write `==`");
    let edit = &actions[0]["edit"]["changes"][URI][0];
    assert_eq!(edit["newText"], "==");
    assert_eq!(edit["range"], list[0]["range"]);
    // The text after the fix has no errors.
    editor.tell(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": URI, "version": 2 },
                "contentChanges": [{ "range": edit["range"], "text": "==" }] }),
    );
    assert_eq!(editor.diagnostics(URI, 2), json!([]));
}

#[test]
fn every_suggestion_can_be_taken() {
    let cases = [
        ("condition hcpp(north) > 3", "hcp"),
        ("condition hcp(nrth) > 3", "north"),
        ("stron = 1\ncondition strng", "stron"),
        ("condition 1 action printal", "printall"),
        ("conditon hcp(north) > 3", "condition"),
        ("condition hcp(north) => 3", ">="),
        ("condition hcp(north) > 3 & hcp(south) > 3", "and"),
        ("condition hcp(north) \u{2265} 3", ">="),
        ("condition metric(zarr, NS) > 3", "zar"),
    ];
    for (text, right) in cases {
        let mut editor = Editor::new();
        editor.open(URI, text);
        let list = editor.diagnostics(URI, 1);
        let actions = editor.ask(
            "textDocument/codeAction",
            json!({ "textDocument": { "uri": URI }, "range": list[0]["range"], "context": { "diagnostics": [] } }),
        );
        let edit = &actions[0]["edit"]["changes"][URI][0];
        assert_eq!(edit["newText"], right, "{text}: {list}");
    }
}

#[test]
fn not_gets_its_parentheses() {
    let mut editor = Editor::new();
    let text = "condition not hcp(north) > 3";
    editor.open(URI, text);
    let list = editor.diagnostics(URI, 1);
    let warning = list
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["code"] == "W03")
        .unwrap();
    let actions = editor.ask(
        "textDocument/codeAction",
        json!({ "textDocument": { "uri": URI }, "range": warning["range"], "context": { "diagnostics": [] } }),
    );
    let edits = &actions[0]["edit"]["changes"][URI];
    let mut fixed = text.to_owned();
    for edit in edits.as_array().unwrap().iter().rev() {
        let at = edit["range"]["start"]["character"].as_u64().unwrap() as usize;
        fixed.insert_str(at, edit["newText"].as_str().unwrap());
    }
    assert_eq!(fixed, "condition not (hcp(north) > 3)");
}

#[test]
fn hover_tells_words_and_variables() {
    let mut editor = Editor::new();
    editor.open(URI, SCRIPT);
    editor.diagnostics(URI, 1);
    let text = |value: &Value| value["contents"]["value"].as_str().unwrap_or("").to_owned();
    let hcp = text(&editor.at("textDocument/hover", URI, 1, 10));
    assert!(hcp.contains("hcp(compass[, suit])"), "{hcp}");
    // The exact frequency of the variable appears as soon as it has been counted.
    while editor.refreshed == 0 {
        let _ = editor.receive();
    }
    let strong = text(&editor.at("textDocument/hover", URI, 3, 6));
    assert!(strong.contains("strong = hcp(north) >= 15"), "{strong}");
    // 15, 16 and 17 points: 4.4237 + 3.3109 + 2.3617 %.
    assert!(strong.contains("holds 1 in 9.90 (10.10 %)"), "{strong}");
    let condition = text(&editor.at("textDocument/hover", URI, 2, 3));
    assert!(
        condition.contains("holds 1 in 20.55 (4.87 %)"),
        "{condition}"
    );
    assert_eq!(editor.at("textDocument/hover", URI, 0, 4), Value::Null);
}

#[test]
fn frequencies_stand_beside_the_script() {
    let mut editor = Editor::new();
    editor.open(URI, SCRIPT);
    editor.diagnostics(URI, 1);
    while editor.refreshed < 2 {
        let _ = editor.receive();
    }
    let document = json!({ "textDocument": { "uri": URI } });
    let lenses = editor.ask("textDocument/codeLens", document.clone());
    assert_eq!(lenses[0]["command"]["title"], "deals 1 in 20.55 · run");
    assert_eq!(lenses[0]["range"]["start"]["line"], 2);
    let hints = editor.ask("textDocument/inlayHint", document);
    let shown: Vec<&str> = hints
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["label"].as_str().unwrap())
        .collect();
    assert!(shown.iter().any(|label| label.ends_with(" %")), "{shown:?}");
}

#[test]
fn completion_knows_words_names_and_places() {
    let mut editor = Editor::new();
    editor.open(URI, SCRIPT);
    let items = editor.at("textDocument/completion", URI, 3, 6);
    let find = |items: &Value, label: &str| {
        let list = items.as_array().unwrap();
        list.iter().find(|item| item["label"] == label).cloned()
    };
    assert!(find(&items, "strong").is_some());
    let hcp = find(&items, "hcp").unwrap();
    assert_eq!(hcp["insertText"], "hcp(${1:north})");
    assert!(
        hcp["documentation"]["value"]
            .as_str()
            .unwrap()
            .contains("compass")
    );
    assert!(find(&items, "zar").is_none());
    // No completion inside comments.
    assert_eq!(editor.at("textDocument/completion", URI, 0, 5), json!([]));
    editor.open("file:///scripts/two.dl", "x = metric(");
    let items = editor.at("textDocument/completion", "file:///scripts/two.dl", 0, 11);
    assert!(find(&items, "zar").is_some() && find(&items, "hcp").is_none());
    let help = editor.at("textDocument/signatureHelp", URI, 4, 21);
    let label = help["signatures"][0]["label"].as_str().unwrap();
    assert!(label.starts_with("shape("), "{label}");
    assert_eq!(help["activeParameter"], 1);
}

#[test]
fn names_are_found_and_renamed_through_imports() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("lib.dl"), "strong = hcp(north) >= 15\n").unwrap();
    let text = "import \"lib.dl\"\ncondition strong and hcp(south) > strong\n";
    std::fs::write(path("main.dl"), text).unwrap();
    let uri = format!("file://{}", path("main.dl").display());
    let library = format!("file://{}", path("lib.dl").display());
    let mut editor = Editor::new();
    editor.open(&uri, text);
    assert_eq!(editor.diagnostics(&uri, 1), json!([]));
    let place = editor.at("textDocument/definition", &uri, 1, 12);
    assert_eq!(place["uri"], library);
    assert_eq!(
        place["range"]["start"],
        json!({ "line": 0, "character": 0 })
    );
    let mut ask = json!({ "textDocument": { "uri": uri }, "position": { "line": 1, "character": 12 },
                          "context": { "includeDeclaration": true } });
    let all = editor.ask("textDocument/references", ask.clone());
    assert_eq!(all.as_array().unwrap().len(), 3);
    ask["newName"] = json!("mighty");
    let edit = editor.ask("textDocument/rename", ask.clone());
    assert_eq!(edit["changes"][&uri].as_array().unwrap().len(), 2);
    assert_eq!(edit["changes"][&library].as_array().unwrap().len(), 1);
    for wrong in ["hcp", "AS", "5xxx", "1st", ""] {
        ask["newName"] = json!(wrong);
        let told = editor
            .request("textDocument/rename", ask.clone())
            .unwrap_err();
        assert!(told.contains(&format!("`{wrong}`")), "{told}");
    }
    let prepared = editor.at("textDocument/prepareRename", &uri, 1, 12);
    assert_eq!(prepared["start"]["character"], 10);
    assert_eq!(
        editor.at("textDocument/prepareRename", &uri, 0, 2),
        Value::Null
    );
    // For an imported file that is open, the editor's text counts.
    editor.open(&library, "strong = hcp(north) >= \n");
    let list = editor.diagnostics(&library, 1);
    assert_eq!(list.as_array().unwrap().len(), 1);
}

#[test]
fn symbols_folds_colours_and_layout() {
    let mut editor = Editor::new();
    editor.open(URI, SCRIPT);
    let document = json!({ "textDocument": { "uri": URI } });
    let symbols = editor.ask("textDocument/documentSymbol", document.clone());
    let names: Vec<&str> = symbols
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["strong", "condition", "action"]);
    let folds = editor.ask("textDocument/foldingRange", document.clone());
    let lines: Vec<(i64, i64)> = folds
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            (
                it["startLine"].as_i64().unwrap(),
                it["endLine"].as_i64().unwrap(),
            )
        })
        .collect();
    assert_eq!(lines, [(2, 4), (5, 7)]);
    let tokens = editor.ask("textDocument/semanticTokens/full", document.clone());
    let data = tokens["data"].as_array().unwrap();
    // The comment: line 0, column 0, 17 characters, kind 9.
    assert_eq!(
        data[..5],
        [json!(0), json!(0), json!(17), json!(9), json!(0)]
    );
    // `strong` is defined at the beginning of the next line.
    assert_eq!(
        data[5..10],
        [json!(1), json!(0), json!(6), json!(7), json!(1)]
    );
    let mut ask = document.clone();
    ask["options"] = json!({ "tabSize": 4, "insertSpaces": true });
    assert_eq!(
        editor.ask("textDocument/formatting", ask.clone()),
        json!([])
    );
    editor.open(
        "file:///scripts/two.dl",
        "condition 1  action printall,printpbn",
    );
    ask["textDocument"]["uri"] = json!("file:///scripts/two.dl");
    let edits = editor.ask("textDocument/formatting", ask.clone());
    assert_eq!(
        edits[0]["newText"],
        "condition 1\naction\n    printall,\n    printpbn\n"
    );
    editor.open("file:///scripts/two.dl", "condition 1  action printal");
    assert_eq!(editor.ask("textDocument/formatting", ask), Value::Null);
}

#[test]
fn unsupported_requests_get_an_error_response() {
    let mut editor = Editor::new();
    let told = editor
        .request("textDocument/noSuchThing", json!({}))
        .unwrap_err();
    assert!(told.contains("does not offer"), "{told}");
    let told = editor
        .request("textDocument/hover", json!({ "no": "position" }))
        .unwrap_err();
    assert!(told.contains("missing field"), "{told}");
    // Requests about a document that is not open have empty answers.
    assert_eq!(editor.at("textDocument/hover", URI, 0, 0), Value::Null);
}

/// Makes random edits and keeps the expected text.
fn random_edits(edits: i64, look: i64) {
    let mut editor = Editor::new();
    let mut text = SCRIPT.to_owned();
    editor.open(URI, &text);
    let mut state = 0x1234_5678_9abc_def1u64;
    let mut below = move |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n as u64) as usize
    };
    let pieces = [
        "hcp(north)",
        " and ",
        "(",
        ")",
        "\n",
        "x = ",
        "\"",
        "/*",
        "*/",
        "5xxx",
        "♠",
        "$1",
        "{",
        "condition ",
        "action printall",
        " > ",
        "=",
        "𝄞",
        ",",
        "north",
        "",
    ];
    for version in 2..edits + 2 {
        if text.len() > 2000 {
            text = SCRIPT.to_owned();
            editor.tell(
                "textDocument/didChange",
                json!({ "textDocument": { "uri": URI, "version": version }, "contentChanges": [{ "text": text }] }),
            );
            continue;
        }
        let place = |text: &str, at: usize| {
            let before = &text[..at];
            let line = before.matches('\n').count();
            let column = before
                .rsplit('\n')
                .next()
                .unwrap_or("")
                .encode_utf16()
                .count();
            json!({ "line": line, "character": column })
        };
        let boundaries: Vec<usize> = text
            .char_indices()
            .map(|(at, _)| at)
            .chain([text.len()])
            .collect();
        let first = below(boundaries.len());
        let last = (first + below(6)).min(boundaries.len() - 1);
        let (start, end) = (boundaries[first], boundaries[last]);
        let piece = pieces[below(pieces.len())];
        editor.tell(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": URI, "version": version },
                    "contentChanges": [{ "range": { "start": place(&text, start), "end": place(&text, end) }, "text": piece }] }),
        );
        text.replace_range(start..end, piece);
        if version % look == 0 || version == edits + 1 {
            let shown = editor.diagnostics(URI, version);
            let uri = URI.parse().unwrap();
            let document = lsp::document::Document::new(text.clone(), 0);
            let analysis = lsp::analysis::Analysis::of(&uri, &document, &|_| None);
            let right = serde_json::to_value(analysis.diagnostics(&document)).unwrap();
            assert_eq!(shown, right, "after edit {version}: {text:?}");
            let document = json!({ "textDocument": { "uri": URI } });
            for method in [
                "codeLens",
                "inlayHint",
                "semanticTokens/full",
                "foldingRange",
                "documentSymbol",
            ] {
                editor.ask(&format!("textDocument/{method}"), document.clone());
            }
            let (line, character) = (below(12) as u32, below(40) as u32);
            for method in [
                "hover",
                "completion",
                "signatureHelp",
                "definition",
                "prepareRename",
            ] {
                editor.at(&format!("textDocument/{method}"), URI, line, character);
            }
        }
    }
}

#[test]
fn random_edits_leave_nothing_stale() {
    random_edits(5_000, 50);
}

#[test]
#[ignore = "a minute of edits; run by ./check --long"]
fn long_hundred_thousand_random_edits() {
    random_edits(100_000, 100);
}
