//! The server: dispatch of the editor's messages to the features.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use croupier::script::{Dialect, LONGEST_IMPORT};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    Cancel, DidChangeConfiguration, DidChangeTextDocument, DidChangeWatchedFiles,
    DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Exit, LogMessage,
    Notification as _, PublishDiagnostics, ShowMessage,
};
use lsp_types::request::{
    CodeActionRequest, CodeLensRefresh, CodeLensRequest, Completion, DocumentHighlightRequest,
    DocumentSymbolRequest, ExecuteCommand, FoldingRangeRequest, Formatting, GotoDefinition,
    HoverRequest, Initialize, InlayHintRefreshRequest, InlayHintRequest, PrepareRenameRequest,
    References, Rename, Request as _, SemanticTokensFullRequest, ShowDocument, Shutdown,
    SignatureHelpRequest, WorkspaceSymbolRequest,
};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions,
    CompletionOptions, ExecuteCommandOptions, FoldingRangeProviderCapability,
    HoverProviderCapability, MessageType, OneOf, RenameOptions, SemanticTokens,
    SemanticTokensFullOptions, SemanticTokensLegend, SemanticTokensOptions, ServerCapabilities,
    SignatureHelpOptions, TextDocumentSyncCapability, TextDocumentSyncKind, TextEdit, Uri,
    WorkDoneProgressOptions, WorkspaceEdit,
};
use serde_json::{Value, json};

use crate::analysis::{CompiledDocument, name_of, path_of, uri_of};
use crate::chances::{Frequencies, Questions};
use crate::dialect::{self, NamedDialect};
use crate::document::OpenDocument;
use crate::params::{self, WrongParams};
use crate::run::{self, ScriptRun};
use crate::{ServerError, fixes, guarded, lens, marks, names, words};

/// Returns the capabilities that are announced to the editor. `runs_scripts` is whether the server runs scripts; an editor with a
/// command of its own for that sets the initialization option `run` to `"editor"`.
#[must_use]
pub fn capabilities(runs_scripts: bool) -> ServerCapabilities {
    let work_done_progress_options = WorkDoneProgressOptions::default();
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(
            TextDocumentSyncKind::INCREMENTAL,
        )),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions::default()),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(vec!["(".into(), ",".into()]),
            ..SignatureHelpOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        execute_command_provider: runs_scripts.then(|| ExecuteCommandOptions {
            commands: vec![lens::RUN.to_owned()],
            ..ExecuteCommandOptions::default()
        }),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options,
        })),
        document_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        })),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(false),
        }),
        inlay_hint_provider: Some(OneOf::Left(true)),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: SemanticTokensLegend {
                    token_types: marks::TYPES.to_vec(),
                    token_modifiers: marks::MODIFIERS.to_vec(),
                },
                full: Some(SemanticTokensFullOptions::Bool(true)),
                ..SemanticTokensOptions::default()
            }
            .into(),
        ),
        ..ServerCapabilities::default()
    }
}

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
                    false => Err("the editor ended without `shutdown`".into()),
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
        false => Err("the editor closed the connection without `shutdown`".into()),
    }
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
                connection.sender.send(Message::Response(response))?;
                return Ok(Some(request.params));
            }
            Message::Request(request) => {
                let code = ErrorCode::ServerNotInitialized as i32;
                let text = "the first request is `initialize`".to_owned();
                let response = Response::new_err(request.id, code, text);
                connection.sender.send(Message::Response(response))?;
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

/// A run of a script on another thread.
struct RunningScript {
    id: RequestId,
    cancel: Arc<AtomicBool>,
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

/// The reason why a request fails.
enum RequestError {
    /// The parameters are wrong.
    Params(WrongParams),
    /// The request cannot be fulfilled; the text is for the user.
    Failed(String),
}

impl From<WrongParams> for RequestError {
    fn from(wrong: WrongParams) -> RequestError {
        RequestError::Params(wrong)
    }
}

impl From<String> for RequestError {
    fn from(text: String) -> RequestError {
        RequestError::Failed(text)
    }
}

impl From<&str> for RequestError {
    fn from(text: &str) -> RequestError {
        RequestError::Failed(text.to_owned())
    }
}

impl RequestError {
    fn response(self, id: RequestId) -> Response {
        match self {
            RequestError::Params(WrongParams(text)) => {
                Response::new_err(id, ErrorCode::InvalidParams as i32, text)
            }
            RequestError::Failed(text) => {
                Response::new_err(id, ErrorCode::RequestFailed as i32, text)
            }
        }
    }
}

type Answer = Result<Value, RequestError>;

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
        Ok(self.connection.sender.send(Message::Response(response))?)
    }

    fn notify(&self, method: &str, params: Value) -> Result<(), ServerError> {
        let message = Notification::new(method.into(), params);
        Ok(self
            .connection
            .sender
            .send(Message::Notification(message))?)
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

    /// Answers a request. Returns `None` if another thread will answer.
    fn answer(&mut self, request: Request) -> Option<Response> {
        let id = request.id.clone();
        if request.method == ExecuteCommand::METHOD {
            let started = guarded(|| self.execute(&request));
            return match started {
                Ok(Ok(())) => None,
                Ok(Err(error)) => Some(error.response(id)),
                Err(text) => Some(Response::new_err(id, ErrorCode::InternalError as i32, text)),
            };
        }
        Some(match guarded(|| self.dispatch(request)) {
            Ok(Some(Ok(value))) => Response::new_ok(id, value),
            Ok(Some(Err(error))) => error.response(id),
            Ok(None) => {
                let text = "this server does not offer that".into();
                Response::new_err(id, ErrorCode::MethodNotFound as i32, text)
            }
            Err(text) => Response::new_err(id, ErrorCode::InternalError as i32, text),
        })
    }

    /// Answers a request. Returns `None` for an unknown method.
    fn dispatch(&self, request: Request) -> Option<Answer> {
        let params = request.params;
        Some(match request.method.as_str() {
            HoverRequest::METHOD => self.at_position(params, |server, uri, open, offset| {
                to_value(words::hover(
                    &server.files(uri, open),
                    &open.document,
                    &open.analysis,
                    &server.frequencies,
                    offset,
                ))
            }),
            Completion::METHOD => self.at_position(params, |server, uri, open, offset| {
                to_value(words::completions(
                    &server.files(uri, open),
                    &open.document,
                    offset,
                ))
            }),
            SignatureHelpRequest::METHOD => self.at_position(params, |_, _, open, offset| {
                to_value(words::signature(&open.document, offset))
            }),
            DocumentHighlightRequest::METHOD => self.at_position(params, |_, _, open, offset| {
                to_value(names::highlights(&open.document, offset))
            }),
            WorkspaceSymbolRequest::METHOD => self.workspace_symbols(&params),
            GotoDefinition::METHOD => self.at_position(params, |server, uri, open, offset| {
                let read = |path: &Path| server.read(path);
                let file = names::imported_file(uri, &open.document, offset, &read);
                if file.is_some() {
                    return to_value(file);
                }
                let name = names::name_at(&open.document, offset);
                to_value(
                    name.and_then(|(name, _)| names::definition(&server.files(uri, open), name)),
                )
            }),
            References::METHOD => {
                let with = params
                    .pointer("/context/includeDeclaration")
                    .and_then(Value::as_bool)
                    .unwrap_or(true);
                self.at_position(params, |server, uri, open, offset| {
                    let name = names::name_at(&open.document, offset);
                    to_value(
                        name.map(|(name, _)| {
                            names::references(&server.files(uri, open), name, with)
                        }),
                    )
                })
            }
            PrepareRenameRequest::METHOD => self.at_position(params, |_, _, open, offset| {
                let name = names::name_at(&open.document, offset);
                to_value(name.map(|(_, range)| open.document.range(range)))
            }),
            Rename::METHOD => {
                let new = match params::text(&params, "/newName") {
                    Ok(new) => new.to_owned(),
                    Err(wrong) => return Some(Err(wrong.into())),
                };
                self.at_position(params, |server, uri, open, offset| {
                    server.rename(uri, open, offset, &new)
                })
            }
            DocumentSymbolRequest::METHOD => {
                self.whole(params, |_, open| to_value(marks::symbols(&open.document)))
            }
            FoldingRangeRequest::METHOD => {
                self.whole(params, |_, open| to_value(marks::folds(&open.document)))
            }
            SemanticTokensFullRequest::METHOD => self.whole(params, |_, open| {
                to_value(SemanticTokens {
                    result_id: None,
                    data: marks::tokens(&open.document),
                })
            }),
            Formatting::METHOD => self.whole(params, |_, open| to_value(formatted(open))),
            CodeLensRequest::METHOD => self.whole(params, |server, open| {
                to_value(lens::lenses(
                    &open.address,
                    &open.document,
                    &open.analysis,
                    &server.frequencies,
                ))
            }),
            InlayHintRequest::METHOD => self.whole(params, |server, open| {
                to_value(lens::hints(
                    &open.document,
                    &open.analysis,
                    &server.frequencies,
                ))
            }),
            CodeActionRequest::METHOD => self.code_actions(params),
            _ => return None,
        })
    }

    /// Starts a command on another thread, which answers the request.
    fn execute(&mut self, request: &Request) -> Result<(), RequestError> {
        let command = params::text(&request.params, "/command")?;
        if command != lens::RUN {
            return Err(format!("there is no command `{command}`").into());
        }
        let argument = request.params.pointer("/arguments/0");
        let address = argument.and_then(|it| it.as_str().or_else(|| it.get("uri")?.as_str()));
        let mut open = self.open.keys();
        let uri = match (address, open.next(), open.next()) {
            (Some(text), ..) => params::address(text).ok_or("the first argument is no address")?,
            // A single open script is meant.
            (None, Some(only), None) if argument.is_none() => only.clone(),
            _ => return Err("the first argument is the address of the script".into()),
        };
        let document = match self.open.get(&uri) {
            Some(open) => open.document.clone(),
            None => {
                let text = path_of(&uri).and_then(|path| self.read(&path));
                OpenDocument::new(text.ok_or("there is no such script")?, None)
            }
        };
        let dialect = match dialect::in_comment(&document) {
            Some(NamedDialect::Known(dialect)) => dialect,
            _ => self.dialect,
        };
        let cancel = Arc::<AtomicBool>::default();
        let files = self.open.iter();
        let script = ScriptRun {
            name: name_of(&uri),
            text: document.text,
            dialect,
            open: files
                .filter_map(|(uri, open)| Some((path_of(uri)?, open.document.text.clone())))
                .collect(),
            produce: argument.and_then(|it| it.get("produce")?.as_u64()),
            seed: argument.and_then(|it| it.get("seed")?.as_i64()),
            cancel: Arc::clone(&cancel),
        };
        let stem = Path::new(&script.name).file_stem();
        let stem = stem.map_or("script".into(), |stem| stem.to_string_lossy().into_owned());
        let file = self.result_file(&stem);
        let (sender, id) = (self.connection.sender.clone(), request.id.clone());
        let work = move || {
            let result = guarded(|| script.run()).and_then(|result| result);
            for message in shown(id, result, file) {
                // If the connection is closed, the result is dropped.
                let _ = sender.send(message);
            }
        };
        std::thread::Builder::new()
            .spawn(work)
            .map_err(|error| error.to_string())?;
        // One run at a time: the result of an earlier one is not needed any more.
        let id = request.id.clone();
        if let Some(earlier) = self.running.replace(RunningScript { id, cancel }) {
            earlier.cancel.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Returns the file for the output of a script, if the editor can open it.
    fn result_file(&mut self, stem: &str) -> Option<PathBuf> {
        if !self.shows_documents {
            return None;
        }
        if self.results.is_none() {
            let folder = tempfile::Builder::new().prefix("croupier-").tempdir();
            self.results = folder.ok();
        }
        let folder = self.results.as_ref()?;
        let keeps = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        let stem: String = stem.chars().filter(|&c| keeps(c)).take(60).collect();
        Some(folder.path().join(format!("{stem}-result.txt")))
    }

    fn workspace_symbols(&self, params: &Value) -> Answer {
        /// Maximum number of symbols in an answer.
        const MOST_SYMBOLS: usize = 1000;
        let query = params::text(params, "/query")?;
        let mut symbols = Vec::new();
        let mut seen = HashSet::new();
        for (uri, open) in &self.open {
            seen.extend(path_of(uri));
            let file = names::File {
                uri: uri.clone(),
                document: open.document.clone(),
            };
            symbols.extend(names::symbols(&file, query));
        }
        for path in names::scripts_below(&self.folders) {
            if symbols.len() >= MOST_SYMBOLS {
                break;
            }
            if !seen.insert(path.clone()) {
                continue;
            }
            if let (Some(uri), Some(text)) = (uri_of(&path), self.read(&path)) {
                let document = OpenDocument::new(text, None);
                symbols.extend(names::symbols(&names::File { uri, document }, query));
            }
        }
        symbols.sort_by(|a, b| (&a.name, &a.location.uri).cmp(&(&b.name, &b.location.uri)));
        symbols.truncate(MOST_SYMBOLS);
        to_value(symbols)
    }

    fn files(&self, uri: &Uri, open: &OpenScript) -> Vec<names::File> {
        names::files(uri, &open.document, &|path| self.read(path))
    }

    fn at_position(
        &self,
        params: Value,
        answer: impl Fn(&Self, &Uri, &OpenScript, usize) -> Answer,
    ) -> Answer {
        let (uri, _) = params::document(&params)?;
        let position = params::position(&params)?;
        match self.open.get(&uri) {
            Some(open) => answer(self, &uri, open, open.document.offset(position)),
            None => Ok(Value::Null),
        }
    }

    fn whole(&self, params: Value, answer: impl Fn(&Self, &OpenScript) -> Answer) -> Answer {
        let (uri, _) = params::document(&params)?;
        self.open
            .get(&uri)
            .map_or(Ok(Value::Null), |open| answer(self, open))
    }

    fn rename(&self, uri: &Uri, open: &OpenScript, offset: usize, new: &str) -> Answer {
        let (old, _) = names::name_at(&open.document, offset).ok_or("there is no name here")?;
        let files = self.files(uri, open);
        names::check_new_name(&files, old, new).map_err(|error| error.to_string())?;
        let edits = names::rename(&files, old, new);
        self.check_renamed((uri, open), new, &files, &edits)?;
        to_value(WorkspaceEdit::new(edits.into_iter().collect()))
    }

    /// Checks that a script compiles and has the same meaning after edits. A script with errors may keep them.
    fn check_renamed(
        &self,
        (uri, open): (&Uri, &OpenScript),
        new: &str,
        files: &[names::File],
        edits: &[(Uri, Vec<TextEdit>)],
    ) -> Result<(), RequestError> {
        let mut texts: HashMap<PathBuf, String> = HashMap::new();
        let mut own = open.document.text.clone();
        for (edited, edits) in edits {
            let Some(file) = files.iter().find(|file| file.uri == *edited) else {
                continue;
            };
            let text = names::edited(&file.document, edits);
            texts.extend(path_of(edited).map(|path| (path, text.clone())));
            if edited == uri {
                own = text;
            }
        }
        let read = |path: &Path| texts.get(path).cloned().or_else(|| self.read(path));
        let document = OpenDocument::new(own, None);
        let after = CompiledDocument::of(uri, &document, self.dialect, &read);
        let is_error = |message: &&croupier::script::Diagnostic| {
            message.severity == croupier::script::Severity::Error
        };
        let errors =
            |analysis: &CompiledDocument| analysis.messages.iter().filter(is_error).count();
        if errors(&after) > errors(&open.analysis) {
            let error = after.messages.iter().find(is_error);
            let text = error.map_or("", |error| &error.message);
            return Err(format!("`{new}` cannot be a name here: {text}").into());
        }
        let (before, after) = (&open.analysis.plan, &after.plan);
        if let (Some(before), Some(after)) = (before, after)
            && (&before.nodes, before.condition) != (&after.nodes, after.condition)
        {
            return Err(
                format!("with the name `{new}` the script would have another meaning").into(),
            );
        }
        Ok(())
    }

    fn code_actions(&self, params: Value) -> Answer {
        let (uri, _) = params::document(&params)?;
        let range = params::range(&params)?;
        let Some(open) = self.open.get(&uri) else {
            return Ok(Value::Null);
        };
        to_value(fixes::actions(&uri, &open.document, &open.analysis, range))
    }
}

impl Drop for Server<'_> {
    fn drop(&mut self) {
        if let Some(running) = &self.running {
            running.cancel.store(true, Ordering::Relaxed);
        }
    }
}

/// Returns the messages that show the result of a run: the answer to the request, and a document or a message window.
fn shown(id: RequestId, result: Result<String, String>, file: Option<PathBuf>) -> Vec<Message> {
    let notice = |kind: MessageType, text: &str| {
        let params = json!({ "type": kind, "message": run::beginning(text) });
        Message::Notification(Notification::new(ShowMessage::METHOD.into(), params))
    };
    let text = match result {
        Ok(text) => text,
        Err(text) => {
            let code = ErrorCode::RequestFailed as i32;
            let message = notice(MessageType::ERROR, &text);
            return vec![
                message,
                Message::Response(Response::new_err(id, code, text)),
            ];
        }
    };
    let uri = file.and_then(|path| {
        std::fs::write(&path, &text).ok()?;
        uri_of(&path)
    });
    let message = match &uri {
        Some(uri) => {
            let params = json!({ "uri": uri, "external": false, "takeFocus": true });
            let id = RequestId::from(format!("show-{id}"));
            Message::Request(Request::new(id, ShowDocument::METHOD.into(), params))
        }
        None => notice(MessageType::INFO, &text),
    };
    let result = json!({ "text": text, "uri": uri });
    vec![message, Message::Response(Response::new_ok(id, result))]
}

fn to_value(answer: impl serde::Serialize) -> Answer {
    serde_json::to_value(answer).map_err(|error| RequestError::Failed(error.to_string()))
}

/// Returns the edit that formats the script, if the script has no errors and its layout differs.
fn formatted(open: &OpenScript) -> Option<Vec<TextEdit>> {
    open.analysis.plan.as_ref()?;
    let text = String::from_utf8(croupier::script::format(open.document.text.as_bytes())).ok()?;
    let same = text == open.document.text;
    Some(if same {
        Vec::new()
    } else {
        vec![TextEdit::new(open.document.whole(), text)]
    })
}
