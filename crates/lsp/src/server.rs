//! The server: dispatch of the editor's messages to the features.

mod capabilities;
mod execution;
mod requests;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use croupier::script::{Dialect, LONGEST_IMPORT};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    Cancel, DidChangeConfiguration, DidChangeTextDocument, DidChangeWatchedFiles,
    DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Exit, LogMessage,
    Notification as _, PublishDiagnostics, ShowMessage,
};
use lsp_types::request::{
    CodeLensRefresh, Initialize, InlayHintRefreshRequest, Request as _, Shutdown,
};
use lsp_types::{MessageType, Uri};
use serde_json::{Value, json};

pub use self::capabilities::capabilities;
use self::execution::RunningScript;
use crate::analysis::{CompiledDocument, path_of};
use crate::chances::{Frequencies, Questions};
use crate::dialect;
use crate::document::OpenDocument;
use crate::params::{self, WrongParams};
use crate::{ServerError, guarded, lens};

/// Serves one editor until it ends the session or closes the connection. Wrong messages are answered or ignored.
///
/// # Errors
/// If the editor goes away without ending the session.
pub fn serve(connection: &Connection) -> Result<(), ServerError> {
    let Some(client) = initialize(connection)? else {
        return Ok(());
    };
    let mut server = Server::new(connection, &client);
    let mut is_shut_down = false;
    while let Ok(message) = connection.receiver.recv() {
        match message {
            Message::Request(request) => match request.method.as_str() {
                Shutdown::METHOD => {
                    is_shut_down = true;
                    server.respond(Response::new_ok(request.id, Value::Null))?;
                }
                method if is_shut_down || method == Initialize::METHOD => {
                    let text = if is_shut_down {
                        "the session has ended"
                    } else {
                        "the session has begun already"
                    };
                    let code = ErrorCode::InvalidRequest as i32;
                    server.respond(Response::new_err(request.id, code, text.into()))?;
                }
                _ => {
                    server.compile_changed()?;
                    if let Some(response) = server.answer(request) {
                        server.respond(response)?;
                    }
                }
            },
            Message::Notification(notification) if notification.method == Exit::METHOD => {
                return match is_shut_down {
                    true => Ok(()),
                    false => Err(ServerError::ExitWithoutShutdown),
                };
            }
            Message::Notification(_) if is_shut_down => {}
            Message::Notification(notification) => server.take(&notification)?,
            // Responses to the server's own requests.
            Message::Response(_) => {}
        }
        // While more messages are waiting, the text may still change, so do not compile yet.
        if connection.receiver.is_empty() && !is_shut_down {
            server.compile_changed()?;
        }
    }
    match is_shut_down {
        true => Ok(()),
        false => Err(ServerError::Disconnected),
    }
}

/// Sends a message to the editor. An error means that the writing thread has ended, because the output is closed.
fn send(connection: &Connection, message: Message) -> Result<(), ServerError> {
    let sent = connection.sender.send(message);
    sent.map_err(|_| ServerError::Disconnected)
}

/// Waits for the first request and answers it. Returns its parameters, or `None` if the editor ends before.
fn initialize(connection: &Connection) -> Result<Option<Value>, ServerError> {
    while let Ok(message) = connection.receiver.recv() {
        match message {
            Message::Request(request) if request.method == Initialize::METHOD => {
                let run = request.params.pointer("/initializationOptions/run");
                let runs_scripts = run.and_then(Value::as_str) != Some("editor");
                let result = json!({
                    "capabilities": capabilities(runs_scripts),
                    "serverInfo": { "name": "croupier", "version": env!("CARGO_PKG_VERSION") },
                });
                let response = Response::new_ok(request.id, result);
                send(connection, Message::Response(response))?;
                return Ok(Some(request.params));
            }
            Message::Request(request) => {
                let code = ErrorCode::ServerNotInitialized as i32;
                let text = "the first request is `initialize`".to_owned();
                let response = Response::new_err(request.id, code, text);
                send(connection, Message::Response(response))?;
            }
            Message::Notification(notification) if notification.method == Exit::METHOD => break,
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
    Ok(None)
}

/// An open script and the analysis of its newest version.
struct OpenScript {
    /// Address as the editor spells it.
    address: String,
    document: OpenDocument,
    analysis: CompiledDocument,
}

struct Server<'a> {
    connection: &'a Connection,
    open: HashMap<Uri, OpenScript>,
    changed: HashSet<Uri>,
    frequencies: Frequencies,
    /// Dialect of scripts that name none.
    dialect: Dialect,
    /// Folders of the workspace.
    folders: Vec<PathBuf>,
    /// Whether the editor can open a file on the server's request.
    shows_documents: bool,
    running: Option<RunningScript>,
    /// Folder for the output of runs; it is created by the first one.
    results: Option<tempfile::TempDir>,
}

/// Returns the dialect that an editor's settings name, or a message.
fn dialect_setting(settings: &Value) -> Option<Result<Dialect, String>> {
    let name = settings
        .pointer("/croupier/dialect")
        .or_else(|| settings.get("dialect"))?
        .as_str()?;
    let dialect = dialect::named(name);
    Some(dialect.map_err(|error| format!("croupier.dialect: {error}")))
}

/// Returns the folders that the editor has open.
fn workspace_folders(client: &Value) -> Vec<PathBuf> {
    let path = |uri: &Value| path_of(&params::address(uri.as_str()?)?);
    let folders = client.get("workspaceFolders").and_then(Value::as_array);
    match folders {
        Some(folders) => folders
            .iter()
            .filter_map(|it| path(it.get("uri")?))
            .collect(),
        None => client.get("rootUri").and_then(path).into_iter().collect(),
    }
}

impl<'a> Server<'a> {
    fn new(connection: &'a Connection, client: &Value) -> Server<'a> {
        let supports = |pointer: &str| {
            let value = client.pointer(&format!("/capabilities/{pointer}"));
            value.and_then(Value::as_bool).unwrap_or(false)
        };
        let hints = supports("workspace/inlayHint/refreshSupport");
        let lenses = supports("workspace/codeLens/refreshSupport");
        let sender = connection.sender.clone();
        let mut number = 0;
        let ready = std::sync::Mutex::new(move || {
            let wanted = [
                (hints, InlayHintRefreshRequest::METHOD),
                (lenses, CodeLensRefresh::METHOD),
            ];
            for (_, method) in wanted.into_iter().filter(|(wanted, _)| *wanted) {
                number += 1;
                let id = RequestId::from(format!("refresh-{number}"));
                // If the connection is closed, no refresh is needed.
                let _ = sender.send(Message::Request(Request::new(
                    id,
                    method.into(),
                    Value::Null,
                )));
            }
        });
        let mut server = Server {
            connection,
            open: HashMap::new(),
            changed: HashSet::new(),
            frequencies: Frequencies::start(move || {
                if let Ok(mut ready) = ready.lock() {
                    ready();
                }
            }),
            dialect: Dialect::default(),
            folders: workspace_folders(client),
            shows_documents: supports("window/showDocument/support"),
            running: None,
            results: None,
        };
        if let Some(options) = client.get("initializationOptions") {
            server.configure(options);
        }
        server
    }

    fn respond(&self, response: Response) -> Result<(), ServerError> {
        send(self.connection, Message::Response(response))
    }

    fn notify(&self, method: &str, params: Value) -> Result<(), ServerError> {
        let message = Notification::new(method.into(), params);
        send(self.connection, Message::Notification(message))
    }

    /// Writes a line to the editor's log. If the connection is closed, the main loop ends.
    fn log(&self, text: &str) {
        let params = json!({ "type": MessageType::WARNING, "message": text });
        let _ = self.notify(LogMessage::METHOD, params);
    }

    /// Takes the settings of the editor.
    fn configure(&mut self, settings: &Value) {
        match dialect_setting(settings) {
            Some(Ok(dialect)) => self.dialect = dialect,
            Some(Err(text)) => {
                let params = json!({ "type": MessageType::WARNING, "message": text });
                let _ = self.notify(ShowMessage::METHOD, params);
            }
            None => {}
        }
        self.compile_all();
    }

    /// Returns the text of a file from the editor, or from the disk.
    fn read(&self, path: &Path) -> Option<String> {
        let open = self
            .open
            .iter()
            .find(|(uri, _)| path_of(uri).is_some_and(|own| own == path));
        if let Some((_, open)) = open {
            return Some(open.document.text.clone());
        }
        // Pipes and devices may block, and a script is not large.
        let data = std::fs::metadata(path).ok()?;
        if !data.is_file() || data.len() > LONGEST_IMPORT {
            return None;
        }
        let bytes = std::fs::read(path).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Handles a notification. A wrong one is logged and has no effect.
    fn take(&mut self, notification: &Notification) -> Result<(), ServerError> {
        match guarded(|| self.handle(notification)) {
            Ok(Ok(())) => {}
            Ok(Err(WrongParams(text))) | Err(text) => {
                self.log(&format!("{}: {text}", notification.method));
            }
        }
        Ok(())
    }

    fn handle(&mut self, notification: &Notification) -> Result<(), WrongParams> {
        let params = &notification.params;
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let (uri, address) = params::document(params)?;
                let text = params::text(params, "/textDocument/text")?;
                let document = OpenDocument::new(text.to_owned(), params::version(params));
                self.put(uri, address.to_owned(), document);
            }
            DidChangeTextDocument::METHOD => {
                let (uri, address) = params::document(params)?;
                let changes = params::changes(params)?;
                if let Some(open) = self.open.get(&uri) {
                    let document = open.document.changed(&changes, params::version(params));
                    self.put(uri, address.to_owned(), document);
                }
            }
            DidCloseTextDocument::METHOD => {
                let (uri, address) = params::document(params)?;
                let open = self.open.remove(&uri);
                self.changed.remove(&uri);
                let address = open.map_or(address.to_owned(), |open| open.address);
                self.publish(&address, &[], None);
                // Other scripts may import this one, whose text is now that on the disk.
                self.compile_all();
            }
            DidSaveTextDocument::METHOD | DidChangeWatchedFiles::METHOD => self.compile_all(),
            DidChangeConfiguration::METHOD => {
                if let Some(settings) = params.get("settings") {
                    self.configure(settings);
                }
            }
            Cancel::METHOD => {
                let is_own = |running: &&RunningScript| {
                    let id = serde_json::to_value(&running.id).ok();
                    id.as_ref() == params.get("id")
                };
                if let Some(running) = self.running.as_ref().filter(is_own) {
                    running.cancel.store(true, Ordering::Relaxed);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn put(&mut self, uri: Uri, address: String, document: OpenDocument) {
        let open = OpenScript {
            address,
            document,
            analysis: CompiledDocument::empty(),
        };
        self.open.insert(uri, open);
        // Other open scripts may import this one.
        self.compile_all();
    }

    /// Requests that all open scripts are compiled again.
    fn compile_all(&mut self) {
        self.frequencies.cancel();
        self.changed.extend(self.open.keys().cloned());
    }

    /// Compiles changed documents and sends their diagnostics.
    fn compile_changed(&mut self) -> Result<(), ServerError> {
        if self.changed.is_empty() {
            return Ok(());
        }
        let changed: Vec<Uri> = self.changed.drain().collect();
        for uri in changed {
            let Some(open) = self.open.get(&uri) else {
                continue;
            };
            let compile = || {
                let read = |path: &Path| self.read(path);
                let analysis = CompiledDocument::of(&uri, &open.document, self.dialect, &read);
                let diagnostics = analysis.diagnostics(&open.document);
                (analysis, diagnostics)
            };
            let (analysis, diagnostics) = guarded(compile).unwrap_or_else(|text| {
                self.log(&text);
                (CompiledDocument::empty(), Vec::new())
            });
            self.publish(&open.address, &diagnostics, open.document.version);
            if let Some(open) = self.open.get_mut(&uri) {
                open.analysis = analysis;
            }
        }
        let questions = self.open.values().filter_map(|open| {
            let plan = open.analysis.plan.as_ref()?;
            Some(Questions {
                plan: Arc::clone(plan),
                fingerprint: open.analysis.fingerprint,
                nodes: lens::questions(plan),
            })
        });
        self.frequencies.ask(questions.collect());
        Ok(())
    }

    /// Sends the diagnostics of a document. If the connection is closed, the main loop ends.
    fn publish(&self, address: &str, diagnostics: &[lsp_types::Diagnostic], version: Option<i32>) {
        let mut params = json!({ "uri": address, "diagnostics": diagnostics });
        if let Some(version) = version {
            params["version"] = version.into();
        }
        let _ = self.notify(PublishDiagnostics::METHOD, params);
    }
}
