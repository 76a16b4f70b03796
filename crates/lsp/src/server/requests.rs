//! Answers to requests: dispatch by method, documents and positions.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use lsp_server::{ErrorCode, Request, RequestId, Response};
use lsp_types::request::{
    CodeActionRequest, CodeLensRequest, Completion, DocumentHighlightRequest,
    DocumentSymbolRequest, ExecuteCommand, FoldingRangeRequest, Formatting, GotoDefinition,
    HoverRequest, InlayHintRequest, PrepareRenameRequest, References, Rename, Request as _,
    SemanticTokensFullRequest, SignatureHelpRequest, WorkspaceSymbolRequest,
};
use lsp_types::{SemanticTokens, TextEdit, Uri, WorkspaceEdit};
use serde_json::Value;

use super::{OpenScript, Server};
use crate::analysis::{CompiledDocument, path_of, uri_of};
use crate::document::OpenDocument;
use crate::params::{self, WrongParams};
use crate::{fixes, guarded, lens, marks, names, words};

/// The reason why a request fails.
pub(super) enum RequestError {
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

pub(super) type Answer = Result<Value, RequestError>;

impl Server<'_> {
    /// Answers a request. Returns `None` if another thread will answer.
    pub(super) fn answer(&mut self, request: Request) -> Option<Response> {
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
    pub(super) fn dispatch(&self, request: Request) -> Option<Answer> {
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

    pub(super) fn workspace_symbols(&self, params: &Value) -> Answer {
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

    pub(super) fn files(&self, uri: &Uri, open: &OpenScript) -> Vec<names::File> {
        names::files(uri, &open.document, &|path| self.read(path))
    }

    pub(super) fn at_position(
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

    pub(super) fn whole(
        &self,
        params: Value,
        answer: impl Fn(&Self, &OpenScript) -> Answer,
    ) -> Answer {
        let (uri, _) = params::document(&params)?;
        self.open
            .get(&uri)
            .map_or(Ok(Value::Null), |open| answer(self, open))
    }

    pub(super) fn rename(&self, uri: &Uri, open: &OpenScript, offset: usize, new: &str) -> Answer {
        let (old, _) = names::name_at(&open.document, offset).ok_or("there is no name here")?;
        let files = self.files(uri, open);
        names::check_new_name(&files, old, new).map_err(|error| error.to_string())?;
        let edits = names::rename(&files, old, new);
        self.check_renamed((uri, open), new, &files, &edits)?;
        to_value(WorkspaceEdit::new(edits.into_iter().collect()))
    }

    /// Checks that a script compiles and has the same meaning after edits. A script with errors may keep them.
    pub(super) fn check_renamed(
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

    pub(super) fn code_actions(&self, params: Value) -> Answer {
        let (uri, _) = params::document(&params)?;
        let range = params::range(&params)?;
        let Some(open) = self.open.get(&uri) else {
            return Ok(Value::Null);
        };
        to_value(fixes::actions(&uri, &open.document, &open.analysis, range))
    }
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
