//! The command that runs a script on another thread.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::MessageType;
use lsp_types::notification::{Notification as _, ShowMessage};
use lsp_types::request::{Request as _, ShowDocument};
use serde_json::json;

use super::Server;
use super::requests::RequestError;
use crate::analysis::{name_of, path_of, uri_of};
use crate::dialect::{self, NamedDialect};
use crate::document::OpenDocument;
use crate::run::{self, ScriptRun};
use crate::{guarded, lens, params};

/// A run of a script on another thread.
pub(super) struct RunningScript {
    pub(super) id: RequestId,
    pub(super) cancel: Arc<AtomicBool>,
}

impl Server<'_> {
    /// Starts a command on another thread, which answers the request.
    pub(super) fn execute(&mut self, request: &Request) -> Result<(), RequestError> {
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
    pub(super) fn result_file(&mut self, stem: &str) -> Option<PathBuf> {
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
