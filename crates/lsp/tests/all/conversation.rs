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
    /// Other notifications and requests of the server, with their parameters.
    notices: Vec<(String, Value)>,
}

/// Time limit for an answer; only a server that hangs reaches it.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(120);

impl Editor {
    fn new() -> Editor {
        Editor::with(json!({}))
    }

    /// Starts a session with these initialization parameters in addition to those of every session.
    fn with(more: Value) -> Editor {
        let (server, client) = Connection::memory();
        let server = std::thread::spawn(move || croupier_lsp::serve(&server).unwrap());
        let mut editor = Editor {
            connection: Some(client),
            server: Some(server),
            next: 0,
            published: HashMap::new(),
            refreshed: 0,
            notices: Vec::new(),
        };
        let capabilities = json!({ "workspace": {
            "inlayHint": { "refreshSupport": true },
            "codeLens": { "refreshSupport": true }
        }});
        let mut params = json!({ "capabilities": capabilities });
        for (field, value) in more.as_object().unwrap() {
            params[field] = value.clone();
        }
        let told = editor.ask("initialize", params);
        assert_eq!(told["capabilities"]["textDocumentSync"], 2);
        editor.notify("initialized", json!({}));
        editor
    }

    fn connection(&self) -> &Connection {
        self.connection.as_ref().unwrap()
    }

    fn notify(&mut self, method: &str, params: Value) {
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
        let message = self
            .connection()
            .receiver
            .recv_timeout(ANSWER_TIMEOUT)
            .unwrap();
        match message {
            Message::Response(response) => {
                Some(Answer::from(serde_json::to_value(response).unwrap()))
            }
            Message::Notification(told) => {
                if told.method != "textDocument/publishDiagnostics" {
                    self.notices.push((told.method, told.params));
                    return None;
                }
                let uri = told.params["uri"].as_str().unwrap().to_owned();
                let version = told.params["version"].as_i64();
                self.published
                    .insert(uri, (version, told.params["diagnostics"].clone()));
                None
            }
            Message::Request(asked) => {
                if asked.method.ends_with("/refresh") {
                    self.refreshed += 1;
                } else {
                    self.notices.push((asked.method, asked.params));
                }
                None
            }
        }
    }

    fn open(&mut self, uri: &str, text: &str) {
        self.notify(
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
        self.notify("exit", Value::Null);
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
    editor.notify(
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
        ("condition hascard(north, 2c)", "2C"),
        ("condition hascard(north, SA)", "AS"),
        ("predeal north AS", "SA"),
        ("condition hcp(north hearts) > 3", ","),
        ("condition score(vul x3N, 9) > 3", ","),
        ("action printall printpbn", ","),
        ("action printline", "printoneline"),
        ("condition shape(north, 4333 or 4432)", "+"),
        ("a := 3\ncondition a", "="),
        ("condition hcp(NS) > 20", "(hcp(north) + hcp(south))"),
        ("condition spaeds(north) > 3", "spades"),
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
fn a_range_with_minus_is_written_as_a_range() {
    let mut editor = Editor::new();
    let text = "condition hcp(north) + 1 == 15-17";
    editor.open(URI, text);
    let actions = editor.ask(
        "textDocument/codeAction",
        json!({ "textDocument": { "uri": URI }, "range": { "start": { "line": 0, "character": 28 }, "end": { "line": 0, "character": 33 } } }),
    );
    let edits = actions[0]["edit"]["changes"][URI]
        .as_array()
        .unwrap()
        .clone();
    let mut fixed = text.to_owned();
    for edit in edits.iter().rev() {
        let at = |end: &str| edit["range"][end]["character"].as_u64().unwrap() as usize;
        fixed.replace_range(at("start")..at("end"), edit["newText"].as_str().unwrap());
    }
    assert_eq!(fixed, "condition 15 <= hcp(north) + 1 <= 17");
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
fn hover_explains_words_and_variables() {
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
fn frequencies_are_shown_beside_the_script() {
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
fn completion_offers_words_names_and_places() {
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
    for wrong in ["5xxx", "1st", "", "a b", "x = 3\ny", "and"] {
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
    assert!(told.contains("textDocument.uri is missing"), "{told}");
    // Requests about a document that is not open have empty answers.
    assert_eq!(editor.at("textDocument/hover", URI, 0, 0), Value::Null);
}

#[test]
fn messages_with_faults_are_survived() {
    let mut editor = Editor::new();
    let text = "condition hcp(north) = 15";
    for params in [
        Value::Null,
        json!(3),
        json!({ "textDocument": null }),
        json!({ "textDocument": { "uri": 5, "text": text } }),
        json!({ "textDocument": { "uri": "", "text": text } }),
        json!({ "textDocument": { "uri": URI } }),
        json!({ "textDocument": { "uri": URI, "version": 2 }, "contentChanges": 3 }),
        json!({ "textDocument": { "uri": URI, "version": 2 }, "contentChanges": [{ "range": 7, "text": "" }] }),
    ] {
        for method in ["didOpen", "didChange", "didClose", "didSave"] {
            editor.notify(&format!("textDocument/{method}"), params.clone());
        }
        editor.notify("workspace/didChangeConfiguration", params.clone());
        editor.notify("$/cancelRequest", params);
    }
    // A version in quotation marks and an address that is not encoded are accepted.
    let address = "file:///scripts/à la carte.dl";
    editor.notify(
        "textDocument/didOpen",
        json!({ "textDocument": { "uri": address, "version": "4", "text": text } }),
    );
    let list = editor.diagnostics(address, 4);
    assert_eq!(list[0]["code"], "E203");
    let hover = editor.at("textDocument/hover", address, 0, 11);
    assert!(hover["contents"]["value"].is_string());
    editor.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": address, "version": 5 }, "contentChanges": [{ "text": "hcp(north) == 15" }] }),
    );
    assert_eq!(editor.diagnostics(address, 5), json!([]));
    let logged = editor.notices.iter();
    let logged = logged.filter(|(method, _)| method == "window/logMessage");
    assert!(logged.count() > 10);
}

#[test]
fn a_closed_import_counts_as_on_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("lib.dl"), "strong = hcp(north) >= 15\n").unwrap();
    let uri = format!("file://{}", path("main.dl").display());
    let library = format!("file://{}", path("lib.dl").display());
    let mut editor = Editor::new();
    editor.open(&uri, "import \"lib.dl\"\ncondition strong\n");
    editor.open(&library, "weak = 1\n");
    editor.ask(
        "textDocument/codeLens",
        json!({ "textDocument": { "uri": uri } }),
    );
    assert_eq!(editor.diagnostics(&uri, 1)[0]["code"], "E301");
    editor.notify(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": library } }),
    );
    editor.ask(
        "textDocument/codeLens",
        json!({ "textDocument": { "uri": uri } }),
    );
    assert_eq!(editor.diagnostics(&uri, 1), json!([]));
    // The import itself leads to the file.
    let place = editor.at("textDocument/definition", &uri, 0, 10);
    assert_eq!(place["uri"], library);
}

#[test]
fn occurrences_of_a_word_are_highlighted() {
    let mut editor = Editor::new();
    editor.open(URI, SCRIPT);
    let kinds = |found: Value| -> Vec<(u64, u64)> {
        let found = found.as_array().unwrap().clone();
        let kind = |it: &Value| {
            let line = it["range"]["start"]["line"].as_u64().unwrap();
            (line, it["kind"].as_u64().unwrap())
        };
        found.iter().map(kind).collect()
    };
    let strong = editor.at("textDocument/documentHighlight", URI, 3, 6);
    assert_eq!(kinds(strong), [(1, 3), (3, 2)]);
    let hcp = editor.at("textDocument/documentHighlight", URI, 1, 10);
    assert_eq!(kinds(hcp), [(1, 2), (1, 2), (7, 2)]);
    let comment = editor.at("textDocument/documentHighlight", URI, 0, 5);
    assert_eq!(comment, json!([]));
}

#[test]
fn names_of_the_workspace_are_found() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("deep")).unwrap();
    std::fs::write(
        folder.path().join("deep/lib.dli"),
        "strong = 1\nweak_two = 2\n",
    )
    .unwrap();
    std::fs::write(folder.path().join("other.txt"), "strange = 1\n").unwrap();
    let root = format!("file://{}", folder.path().display());
    let mut editor = Editor::with(json!({ "workspaceFolders": [{ "uri": root, "name": "x" }] }));
    editor.open(URI, "sting = 3\ncondition sting\n");
    let mut found = |query: &str| -> Vec<String> {
        let list = editor.ask("workspace/symbol", json!({ "query": query }));
        let list = list.as_array().unwrap().clone();
        let name = |it: &Value| {
            let place = it["containerName"].as_str().unwrap();
            format!("{} {place}", it["name"].as_str().unwrap())
        };
        list.iter().map(name).collect()
    };
    assert_eq!(found("St"), ["sting one.dl", "strong lib.dli"]);
    assert_eq!(found("").len(), 3);
    assert_eq!(found("w2"), Vec::<String>::new());
    assert_eq!(found("wtwo"), ["weak_two lib.dli"]);
}

#[test]
fn signatures_are_shown_everywhere() {
    let mut editor = Editor::new();
    for (text, label, argument) in [
        ("condition hcp(", "hcp(", 0),
        ("condition HCP(north, ", "hcp(", 1),
        (
            "condition score(vul, x3N, (tricks(north, spades) + (",
            "score(",
            2,
        ),
        ("condition (hcp(north) + 3) * (dds(south, ", "tricks(", 1),
        ("condition shape(north, any 4333 + ", "shape(", 1),
        ("action average \"points\" ", "average", 0),
        ("action frequency \"points\" (hcp(north), ", "frequency", 1),
        ("predeal north ", "predeal", 0),
        ("produce ", "produce", 0),
        ("vulnerable ", "vulnerable", 0),
    ] {
        editor.open(URI, text);
        let end = text.encode_utf16().count() as u32;
        let help = editor.at("textDocument/signatureHelp", URI, 0, end);
        let shown = help["signatures"][0]["label"].as_str().unwrap_or("");
        assert!(shown.starts_with(label), "{text}: {help}");
        assert_eq!(help["activeParameter"], argument, "{text}: {help}");
    }
    editor.open(URI, "condition shape{north, 4333}");
    let help = editor.at("textDocument/signatureHelp", URI, 0, 24);
    assert_eq!(help["activeParameter"], 1, "{help}");
    editor.open(URI, "condition hcp(north) > 3 # hcp(");
    let help = editor.at("textDocument/signatureHelp", URI, 0, 31);
    assert_eq!(help, Value::Null);
}

#[test]
fn every_legal_name_can_be_taken() {
    let mut editor = Editor::new();
    editor.open(URI, "x = hcp(north)\ncondition x > 15 and spades(n) > 2\n");
    let mut rename = |new: &str| {
        let params = json!({ "textDocument": { "uri": URI }, "position": { "line": 0, "character": 0 }, "newName": new });
        editor.request("textDocument/rename", params)
    };
    for name in [
        "y",
        "n",
        "Y_1",
        "par",
        "metric",
        "opener_",
        "level",
        "HandType_X",
        "printx",
    ] {
        let edit = rename(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(edit["changes"][URI].as_array().unwrap().len(), 2, "{name}");
    }
    for name in ["and", "5xxx", "a b"] {
        assert!(
            rename(name).unwrap_err().contains(&format!("`{name}`")),
            "{name}"
        );
    }
}

#[test]
fn diagnostics_follow_the_dialect() {
    let mut editor = Editor::new();
    // `rnd` with a weight is natively a function; v1 has no `metric`.
    let text = "condition metric(zar, north) > 20\n";
    editor.open(URI, text);
    assert_eq!(editor.diagnostics(URI, 1), json!([]));
    let other = "file:///scripts/two.dl";
    editor.open(other, &format!("# dialect: v1\n{text}"));
    assert_eq!(editor.diagnostics(other, 1)[0]["severity"], 1);
    editor.notify(
        "workspace/didChangeConfiguration",
        json!({ "settings": { "croupier": { "dialect": "v1" } } }),
    );
    editor.ask(
        "textDocument/codeLens",
        json!({ "textDocument": { "uri": URI } }),
    );
    assert_eq!(editor.diagnostics(URI, 1)[0]["severity"], 1);
    editor.open(URI, &format!("// dialect: native\n{text}"));
    editor.ask(
        "textDocument/codeLens",
        json!({ "textDocument": { "uri": URI } }),
    );
    assert_eq!(editor.diagnostics(URI, 1), json!([]));
    editor.open(URI, "# dialect: v8\ncondition 1 == 1");
    editor.ask(
        "textDocument/codeLens",
        json!({ "textDocument": { "uri": URI } }),
    );
    let list = editor.diagnostics(URI, 1);
    let unknown = list.as_array().unwrap().iter();
    let mut unknown =
        unknown.filter(|it| it["message"].as_str().unwrap().contains("no such dialect"));
    assert_eq!(unknown.next().unwrap()["range"]["start"]["character"], 11);
    drop(editor);
    let mut editor = Editor::with(json!({ "initializationOptions": { "dialect": "dealer3" } }));
    editor.open(URI, "condition not hcp(north) > 3");
    assert_eq!(editor.diagnostics(URI, 1), json!([]));
}

#[test]
fn scripts_are_run_by_command() {
    let run = |editor: &mut Editor, arguments: Value| {
        let params = json!({ "command": "croupier.run", "arguments": arguments });
        editor.request("workspace/executeCommand", params)
    };
    let mut editor = Editor::new();
    editor.open(
        URI,
        "produce 3\nseed 1\ncondition hcp(north) > 20\naction printoneline",
    );
    let lenses = editor.ask(
        "textDocument/codeLens",
        json!({ "textDocument": { "uri": URI } }),
    );
    let result = run(&mut editor, lenses[0]["command"]["arguments"].clone()).unwrap();
    let text = result["text"].as_str().unwrap().to_owned();
    assert_eq!(
        text.lines().filter(|line| line.starts_with("n ")).count(),
        3,
        "{text}"
    );
    let (method, shown) = editor.notices.pop().unwrap();
    assert_eq!(method, "window/showMessage");
    assert!(
        text.starts_with(shown["message"].as_str().unwrap()),
        "{shown}"
    );
    let again = run(&mut editor, json!([{ "uri": URI, "produce": 1 }])).unwrap();
    let text = again["text"].as_str().unwrap();
    assert_eq!(
        text.lines().filter(|line| line.starts_with("n ")).count(),
        1,
        "{text}"
    );
    for wrong in [json!(["file:///no/such.dl"]), json!([3, 4]), json!("x")] {
        assert!(
            run(&mut editor, wrong.clone()).is_err() || !wrong.is_array(),
            "{wrong}"
        );
    }
    editor.open(URI, "condition hcp(nrth) > 20");
    let error = run(&mut editor, json!([URI])).unwrap_err();
    assert!(error.contains("did you mean `north`"), "{error}");
    let params = json!({ "command": "no.such" });
    assert!(editor.request("workspace/executeCommand", params).is_err());
    drop(editor);
    // An editor that can open documents gets one.
    let window = json!({ "capabilities": { "window": { "showDocument": { "support": true } } } });
    let mut editor = Editor::with(window);
    editor.open(
        URI,
        "produce 3\ncondition hcp(north) > 20\naction printoneline",
    );
    let result = run(&mut editor, json!([URI])).unwrap();
    let (method, shown) = editor.notices.pop().unwrap();
    assert_eq!(
        (method.as_str(), &shown["uri"]),
        ("window/showDocument", &result["uri"])
    );
    let path = shown["uri"]
        .as_str()
        .unwrap()
        .strip_prefix("file://")
        .unwrap()
        .to_owned();
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        result["text"].as_str().unwrap()
    );
    drop(editor);
    assert!(!std::path::Path::new(&path).exists());
    // The server offers no command to an editor that has its own.
    let (server, client) = Connection::memory();
    let server = std::thread::spawn(move || croupier_lsp::serve(&server));
    let params = json!({ "initializationOptions": { "run": "editor" } });
    let request = Request::new(RequestId::from(1), "initialize".into(), params);
    client.sender.send(Message::Request(request)).unwrap();
    let Message::Response(answer) = client.receiver.recv().unwrap() else {
        panic!("an answer to `initialize`")
    };
    let answer = serde_json::to_value(answer).unwrap();
    assert!(
        answer["result"]["capabilities"]
            .get("executeCommandProvider")
            .is_none()
    );
    drop(client);
    assert!(server.join().unwrap().is_err());
}

#[test]
fn a_condition_of_twenty_thousand_clauses_is_no_burden() {
    let mut editor = Editor::new();
    let clause = |n: u32| format!("(hcp(north) == {} and spades(south) > {})", n % 38, n % 13);
    let clauses: Vec<String> = (0..20_000).map(clause).collect();
    editor.open(URI, &format!("condition {}\n", clauses.join(" or ")));
    editor.diagnostics(URI, 1);
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
    editor.at("textDocument/hover", URI, 0, 700_000);
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
            editor.notify(
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
        editor.notify(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": URI, "version": version },
                    "contentChanges": [{ "range": { "start": place(&text, start), "end": place(&text, end) }, "text": piece }] }),
        );
        text.replace_range(start..end, piece);
        if version % look == 0 || version == edits + 1 {
            let shown = editor.diagnostics(URI, version);
            let uri = URI.parse().unwrap();
            let document = croupier_lsp::document::OpenDocument::new(text.clone(), None);
            let dialect = croupier::script::Dialect::default();
            let analysis =
                croupier_lsp::analysis::CompiledDocument::of(&uri, &document, dialect, &|_| None);
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
