//! Tests of the server with random messages over byte streams: whole, damaged, and no messages at all.

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Write};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use croupier::script::Dialect;
use croupier_lsp::analysis::CompiledDocument;
use croupier_lsp::document::OpenDocument;
use croupier_lsp::params;
use serde_json::{Value, json};

/// Time limit for an answer; only a server that hangs reaches it.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(300);

/// Number of messages after which the test waits for all answers.
const BATCH: usize = 200;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }

    fn one<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// A server on another thread, behind two pipes.
struct Client {
    input: Option<std::io::PipeWriter>,
    output: Receiver<Value>,
    server: Option<std::thread::JoinHandle<Result<(), String>>>,
    /// Newest diagnostics of each address.
    published: HashMap<String, Value>,
    /// Ids of requests without an answer.
    waiting: HashSet<i64>,
}

impl Client {
    fn start() -> Client {
        let (server_input, input) = std::io::pipe().unwrap();
        let (output, server_output) = std::io::pipe().unwrap();
        let server = std::thread::spawn(move || {
            croupier_lsp::transport::serve_streams(BufReader::new(server_input), server_output)
                .map_err(|error| error.to_string())
        });
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Client {
            input: Some(input),
            output: messages,
            server: Some(server),
            published: HashMap::new(),
            waiting: HashSet::new(),
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).expect("the server reads on");
    }

    fn frame(&mut self, bytes: &[u8]) {
        self.bytes(format!("Content-Length: {}\r\n\r\n", bytes.len()).as_bytes());
        self.bytes(bytes);
    }

    fn send(&mut self, message: &Value) {
        let id = message.get("id").and_then(Value::as_i64);
        let is_request = message.get("method").is_some_and(Value::is_string);
        if let Some(id) = id.filter(|_| is_request) {
            self.waiting.insert(id);
        }
        self.frame(message.to_string().as_bytes());
    }

    /// Waits until every request has its answer.
    fn wait(&mut self) {
        while !self.waiting.is_empty() {
            let message = self.output.recv_timeout(ANSWER_TIMEOUT).expect("an answer");
            if message["method"] == "textDocument/publishDiagnostics" {
                let uri = message["params"]["uri"].as_str().unwrap().to_owned();
                self.published.insert(uri, message["params"].clone());
            } else if message.get("method").is_none()
                && let Some(id) = message["id"].as_i64()
            {
                self.waiting.remove(&id);
            }
        }
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().strip_prefix("Content-Length: ") {
            Some(number) => length = number.parse().ok()?,
            None if line.trim().is_empty() => break,
            None => {}
        }
    }
    let mut bytes = vec![0; length];
    output.read_exact(&mut bytes).ok()?;
    Some(serde_json::from_slice(&bytes).expect("the server writes JSON"))
}

const ADDRESSES: [&str; 5] = [
    "file:///open/one.dl",
    "file:///open/two two.dl",
    "untitled:Untitled-1",
    "file:///open/%C3%A9.dl",
    "file:///open/never.dl",
];

const REQUESTS: [&str; 19] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
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
    "workspace/symbol",
    "workspace/executeCommand",
    "workspace/unknown",
    "initialize",
];

const NOTIFICATIONS: [&str; 8] = [
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/didSave",
    "workspace/didChangeWatchedFiles",
    "$/cancelRequest",
    "initialized",
];

const PIECES: [&str; 24] = [
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
    "# dialect: v1\n",
    "\r\n",
    "15",
    "shape(north, any 4333)",
];

fn script(random: &mut Random) -> String {
    (0..random.below(12))
        .map(|_| *random.one(&PIECES))
        .collect()
}

fn position(random: &mut Random) -> Value {
    json!({ "line": random.below(4), "character": random.below(30) })
}

/// Returns a message without faults.
fn message(random: &mut Random, id: usize) -> Value {
    let uri = *random.one(&ADDRESSES);
    let range = json!({ "start": position(random), "end": position(random) });
    if random.below(2) == 0 {
        let method = *random.one(&NOTIFICATIONS);
        let text = script(random);
        let change = match random.below(3) {
            0 => json!({ "text": text }),
            _ => json!({ "text": *random.one(&PIECES), "range": range }),
        };
        return json!({ "jsonrpc": "2.0", "method": method, "params": {
            "textDocument": { "uri": uri, "version": id, "languageId": "dealer", "text": text },
            "contentChanges": [change], "id": id,
        } });
    }
    let mut method = *random.one(&REQUESTS);
    // Runs take time, so they are rare.
    if method == "workspace/executeCommand" && random.below(100) > 0 {
        method = "textDocument/codeAction";
    }
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": {
        "textDocument": { "uri": uri }, "position": position(random), "range": range, "newName": *random.one(&PIECES),
        "context": { "includeDeclaration": random.below(2) == 0, "diagnostics": [] }, "query": "x",
        "options": { "tabSize": 4, "insertSpaces": true }, "command": "croupier.run",
        "arguments": [{ "uri": uri, "produce": 1 }],
    } })
}

/// Returns a value of a random type.
fn value(random: &mut Random) -> Value {
    match random.below(11) {
        0 => Value::Null,
        1 => json!(-1),
        2 => json!(4_294_967_296_u64),
        3 => json!(1.5),
        4 => json!("3"),
        5 => json!([]),
        6 => json!({}),
        7 => json!(true),
        8 => json!("file:///a b%zz\u{0}.dl"),
        9 => json!([[[[{ "x": [1] }]]]]),
        _ => json!("x".repeat(random.below(100))),
    }
}

/// Replaces or removes a random part of a message.
fn damage(random: &mut Random, part: &mut Value) {
    let goes_deeper = random.below(2) == 0;
    match part {
        Value::Object(fields) if !fields.is_empty() => {
            let names: Vec<String> = fields.keys().cloned().collect();
            let name = random.one(&names);
            match goes_deeper {
                true => damage(random, &mut fields[name]),
                false if random.below(2) == 0 => drop(fields.remove(name)),
                false => fields[name] = value(random),
            }
        }
        Value::Array(items) if goes_deeper && !items.is_empty() => {
            let at = random.below(items.len());
            damage(random, &mut items[at]);
        }
        other => *other = value(random),
    }
}

/// The documents as the server must see them.
#[derive(Default)]
struct Model {
    open: HashMap<lsp_types::Uri, (String, OpenDocument)>,
}

impl Model {
    fn take(&mut self, message: &Value) {
        let params = &message["params"];
        let (Some(method), None) = (message["method"].as_str(), message.get("id")) else {
            return;
        };
        let Ok((uri, address)) = params::document(params) else {
            return;
        };
        match method {
            "textDocument/didOpen" => {
                if let Ok(text) = params::text(params, "/textDocument/text") {
                    let document = OpenDocument::new(text.to_owned(), params::version(params));
                    self.open.insert(uri, (address.to_owned(), document));
                }
            }
            "textDocument/didChange" => {
                if let (Ok(changes), Some((own, document))) =
                    (params::changes(params), self.open.get_mut(&uri))
                {
                    *document = document.changed(&changes, params::version(params));
                    *own = address.to_owned();
                }
            }
            "textDocument/didClose" => {
                self.open.remove(&uri);
            }
            _ => {}
        }
    }

    /// Compares the newest diagnostics with those of the newest texts.
    fn check(&self, client: &Client) {
        for (uri, (address, document)) in &self.open {
            let analysis = CompiledDocument::of(uri, document, Dialect::default(), &|_| None);
            let right = serde_json::to_value(analysis.diagnostics(document)).unwrap();
            let shown = &client.published[address];
            assert_eq!(
                shown["diagnostics"], right,
                "{address}: {:?}",
                document.text
            );
            assert_eq!(
                shown.get("version").and_then(Value::as_i64),
                document.version.map(i64::from)
            );
        }
    }
}

fn random_messages(count: usize) {
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut client = Client::start();
    let mut model = Model::default();
    let capabilities = json!({ "workspace": { "codeLens": { "refreshSupport": true } } });
    client.send(
        &json!({ "id": 0, "method": "initialize", "params": { "capabilities": capabilities } }),
    );
    client.wait();
    for id in 1..=count {
        let mut message = message(&mut random, id);
        match random.below(10) {
            0..4 => client.send(&message),
            4..8 => {
                for _ in 0..=random.below(3) {
                    damage(&mut random, &mut message);
                }
                client.send(&message);
            }
            // A text that is cut or changed. If it is still JSON, it is sent as a message.
            8 => {
                let mut bytes = message.to_string().into_bytes();
                let at = random.below(bytes.len());
                match random.below(2) {
                    0 => bytes.truncate(at),
                    _ => bytes[at] = random.below(256) as u8,
                }
                match serde_json::from_slice::<Value>(&bytes) {
                    Ok(changed) => {
                        message = changed;
                        client.send(&message);
                    }
                    Err(_) => {
                        message = Value::Null;
                        client.frame(&bytes);
                    }
                }
            }
            // Lines that are no headers, so not a frame.
            _ => {
                message = Value::Null;
                let lines: &[&[u8]] = &[
                    b"\r\n",
                    b"hello\r\n\r\n",
                    b"Content-Length: many\r\n\r\n",
                    b"\xff\xfe\n\n",
                ];
                client.bytes(lines[random.below(lines.len())]);
            }
        }
        model.take(&message);
        if id % BATCH == 0 || id == count {
            let id = 1_000_000_000 + id;
            client.send(&json!({ "id": id, "method": "textDocument/hover", "params": {} }));
            client.wait();
            model.check(&client);
        }
    }
    client.send(&json!({ "id": 2_000_000_000, "method": "shutdown" }));
    client.wait();
    client.send(&json!({ "method": "exit" }));
    let server = client.server.take().unwrap();
    assert_eq!(server.join().unwrap(), Ok(()), "after {count} messages");
}

#[test]
fn random_messages_are_survived() {
    random_messages(20_000);
}

#[test]
#[ignore = "many minutes; run by ./check --long"]
fn long_a_million_random_messages_are_survived() {
    random_messages(1_000_000);
}

#[test]
fn the_server_ends_when_the_input_ends() {
    let mut client = Client::start();
    client.send(&json!({ "id": 0, "method": "initialize", "params": {} }));
    let text = "condition hcp(north) + hcp(south) > rnd(40)";
    let document = json!({ "uri": "file:///x.dl", "version": 1, "text": text });
    client
        .send(&json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    client.wait();
    // The stream ends in the middle of a message.
    client.bytes(b"Content-Length: 100\r\n\r\n{");
    client.input = None;
    let ended = client.server.take().unwrap().join().unwrap();
    assert!(ended.unwrap_err().contains("closed"));
}
