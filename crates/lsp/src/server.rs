//! The server: dispatch of the editor's messages to the features.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, Notification as _,
    PublishDiagnostics,
};
use lsp_types::request::{
    CodeActionRequest, CodeLensRefresh, CodeLensRequest, Completion, DocumentSymbolRequest,
    FoldingRangeRequest, Formatting, GotoDefinition, HoverRequest, InlayHintRefreshRequest,
    InlayHintRequest, PrepareRenameRequest, References, Rename, Request as _,
    SemanticTokensFullRequest, SignatureHelpRequest,
};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions,
    CompletionOptions, FoldingRangeProviderCapability, HoverProviderCapability, InitializeParams,
    OneOf, PublishDiagnosticsParams, RenameOptions, SemanticTokens, SemanticTokensFullOptions,
    SemanticTokensLegend, SemanticTokensOptions, ServerCapabilities, SignatureHelpOptions,
    TextDocumentPositionParams, TextDocumentSyncCapability, TextDocumentSyncKind, TextEdit, Uri,
    WorkDoneProgressOptions, WorkspaceEdit,
};
use serde_json::Value;

use crate::analysis::{Analysis, path_of};
use crate::chances::Frequencies;
use crate::document::Document;
use crate::{Error, fixes, lens, marks, names, words};

/// Returns the capabilities that are announced to the editor.
#[must_use]
pub fn capabilities() -> ServerCapabilities {
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

/// Serves one editor until it closes the connection.
///
/// # Errors
/// If a message violates the protocol, or the connection breaks.
pub fn serve(connection: &Connection) -> Result<(), Error> {
    let told = connection.initialize(serde_json::to_value(capabilities())?)?;
    let client: InitializeParams = serde_json::from_value(told)?;
    let mut server = Server::new(connection, &client);
    while let Ok(message) = connection.receiver.recv() {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request)? {
                    return Ok(());
                }
                server.compile_changed()?;
                let response = server.answer(request);
                connection.sender.send(Message::Response(response))?;
            }
            Message::Notification(notification) => server.take(notification)?,
            // Responses to the server's requests for a refresh.
            Message::Response(_) => {}
        }
        // While more messages are waiting, the text may still change, so do not compile yet.
        if connection.receiver.is_empty() {
            server.compile_changed()?;
        }
    }
    Err("the editor went away without saying goodbye".into())
}

/// An open script and the analysis of its newest version.
struct OpenScript {
    document: Document,
    analysis: Analysis,
}

struct Server<'a> {
    connection: &'a Connection,
    open: HashMap<Uri, OpenScript>,
    changed: HashSet<Uri>,
    frequencies: Frequencies,
}

type Answer = Result<Value, String>;

impl<'a> Server<'a> {
    fn new(connection: &'a Connection, client: &InitializeParams) -> Server<'a> {
        let workspace = client.capabilities.workspace.as_ref();
        let hints = workspace
            .and_then(|it| it.inlay_hint.as_ref())
            .and_then(|it| it.refresh_support)
            .unwrap_or(false);
        let lenses = workspace
            .and_then(|it| it.code_lens.as_ref())
            .and_then(|it| it.refresh_support)
            .unwrap_or(false);
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
        Server {
            connection,
            open: HashMap::new(),
            changed: HashSet::new(),
            frequencies: Frequencies::start(move || {
                if let Ok(mut ready) = ready.lock() {
                    ready();
                }
            }),
        }
    }

    /// Returns the text of a file from the editor, or from the disk.
    fn read(&self, path: &Path) -> Option<String> {
        let open = self
            .open
            .iter()
            .find(|(uri, _)| path_of(uri).is_some_and(|own| own == path));
        match open {
            Some((_, open)) => Some(open.document.text.clone()),
            None => std::fs::read(path)
                .ok()
                .map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        }
    }

    fn take(&mut self, notification: Notification) -> Result<(), Error> {
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let told: lsp_types::DidOpenTextDocumentParams =
                    serde_json::from_value(notification.params)?;
                let document = Document::new(told.text_document.text, told.text_document.version);
                self.put(told.text_document.uri, document);
            }
            DidChangeTextDocument::METHOD => {
                let told: lsp_types::DidChangeTextDocumentParams =
                    serde_json::from_value(notification.params)?;
                let uri = told.text_document.uri;
                if let Some(open) = self.open.get(&uri) {
                    let document = open
                        .document
                        .changed(&told.content_changes, told.text_document.version);
                    self.put(uri, document);
                }
            }
            DidCloseTextDocument::METHOD => {
                let told: lsp_types::DidCloseTextDocumentParams =
                    serde_json::from_value(notification.params)?;
                let uri = told.text_document.uri;
                self.open.remove(&uri);
                self.changed.remove(&uri);
                self.publish(uri, Vec::new(), None)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn put(&mut self, uri: Uri, document: Document) {
        self.frequencies.cancel();
        let analysis = Analysis {
            plan: None,
            messages: Vec::new(),
            name: String::new(),
        };
        self.open.insert(uri, OpenScript { document, analysis });
        // Other open scripts may import this one, so compile all of them again.
        self.changed.extend(self.open.keys().cloned());
    }

    /// Compiles changed documents and sends their diagnostics.
    fn compile_changed(&mut self) -> Result<(), Error> {
        let changed: Vec<Uri> = self.changed.drain().collect();
        for uri in changed {
            let Some(open) = self.open.get(&uri) else {
                continue;
            };
            let analysis = Analysis::of(&uri, &open.document, &|path| self.read(path));
            let diagnostics = analysis.diagnostics(&open.document);
            let version = open.document.version;
            if let Some(plan) = &analysis.plan {
                let nodes = lens::questions(plan);
                self.frequencies.ask(plan, nodes);
            }
            if let Some(open) = self.open.get_mut(&uri) {
                open.analysis = analysis;
            }
            self.publish(uri, diagnostics, Some(version))?;
        }
        Ok(())
    }

    fn publish(
        &self,
        uri: Uri,
        diagnostics: Vec<lsp_types::Diagnostic>,
        version: Option<i32>,
    ) -> Result<(), Error> {
        let params = PublishDiagnosticsParams {
            uri,
            diagnostics,
            version,
        };
        let message = Notification::new(PublishDiagnostics::METHOD.into(), params);
        Ok(self
            .connection
            .sender
            .send(Message::Notification(message))?)
    }

    fn answer(&mut self, request: Request) -> Response {
        let id = request.id.clone();
        match self.dispatch(request) {
            Some(Ok(value)) => Response::new_ok(id, value),
            Some(Err(message)) => Response::new_err(id, ErrorCode::RequestFailed as i32, message),
            None => Response::new_err(
                id,
                ErrorCode::MethodNotFound as i32,
                "this server does not offer that".into(),
            ),
        }
    }

    /// Answers a request. Returns `None` for an unknown method.
    fn dispatch(&mut self, request: Request) -> Option<Answer> {
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
            GotoDefinition::METHOD => self.at_position(params, |server, uri, open, offset| {
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
                let new = params
                    .get("newName")
                    .and_then(Value::as_str)
                    .unwrap_or("")
                    .to_owned();
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

    fn files(&self, uri: &Uri, open: &OpenScript) -> Vec<names::File> {
        names::files(uri, &open.document, &|path| self.read(path))
    }

    fn at_position(
        &self,
        params: Value,
        answer: impl Fn(&Self, &Uri, &OpenScript, usize) -> Answer,
    ) -> Answer {
        let at: TextDocumentPositionParams =
            serde_json::from_value(params).map_err(|error| error.to_string())?;
        let uri = at.text_document.uri;
        match self.open.get(&uri) {
            Some(open) => answer(self, &uri, open, open.document.offset(at.position)),
            None => Ok(Value::Null),
        }
    }

    fn whole(&self, params: Value, answer: impl Fn(&Self, &OpenScript) -> Answer) -> Answer {
        let uri = document_of(&params)?;
        self.open
            .get(&uri)
            .map_or(Ok(Value::Null), |open| answer(self, open))
    }

    #[expect(
        clippy::mutable_key_type,
        reason = "the protocol's type of edits has addresses as keys"
    )]
    fn rename(&self, uri: &Uri, open: &OpenScript, offset: usize, new: &str) -> Answer {
        let (old, _) = names::name_at(&open.document, offset).ok_or("there is no name here")?;
        let files = self.files(uri, open);
        names::check_name(&files, old, new)?;
        let changes = names::rename(&files, old, new).into_iter().collect();
        to_value(WorkspaceEdit::new(changes))
    }

    fn code_actions(&self, params: Value) -> Answer {
        let params: lsp_types::CodeActionParams =
            serde_json::from_value(params).map_err(|error| error.to_string())?;
        let uri = params.text_document.uri;
        let Some(open) = self.open.get(&uri) else {
            return Ok(Value::Null);
        };
        to_value(fixes::actions(
            &uri,
            &open.document,
            &open.analysis,
            params.range,
        ))
    }
}

fn document_of(params: &Value) -> Result<Uri, String> {
    let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
    uri.and_then(|uri| uri.parse().ok())
        .ok_or_else(|| "textDocument.uri is missing".to_owned())
}

fn to_value(answer: impl serde::Serialize) -> Answer {
    serde_json::to_value(answer).map_err(|error| error.to_string())
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
