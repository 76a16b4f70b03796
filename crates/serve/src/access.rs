//! Access control: only pages of this server and programs on this computer may send requests.
//!
//! A page of another site can make a browser send requests here. But its origin is the other site's, and after DNS
//! rebinding the host name is still the other site's. Both are checked before anything else.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use api::RequestError;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::Config;
use crate::connection::Activity;

/// Content security policy of the page: nothing from other sites, and no inline scripts.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; \
                      connect-src 'self' blob:; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Maximum length in bytes of a request's headers and address.
const HEADERS: usize = 64 << 10;

/// Returns whether the headers of a request are within their limit. hyper reads them in pieces and may accept twice as
/// much.
fn has_small_headers(request: &Request) -> bool {
    let fields = request.headers().iter();
    // Each field also has a colon, a blank and the end of its line.
    let fields = fields.map(|(name, value)| name.as_str().len() + value.len() + 4);
    let address = request.uri().path_and_query();
    let address = address.map_or(0, |address| address.as_str().len());
    fields.sum::<usize>() + address <= HEADERS
}

/// Host names under which the server accepts requests.
pub struct Hosts {
    names: BTreeSet<String>,
}

impl Hosts {
    /// Returns the loopback names with the port, and the names of the configuration.
    pub fn new(config: &Config, port: u16) -> Hosts {
        let loopback = ["127.0.0.1", "localhost", "[::1]"];
        let mut names: BTreeSet<String> = loopback.map(|name| format!("{name}:{port}")).into();
        names.extend(config.hosts.iter().map(|name| name.to_ascii_lowercase()));
        Hosts { names }
    }

    fn contains(&self, name: &str) -> bool {
        self.names.contains(&name.to_ascii_lowercase())
    }

    /// Checks that the host, and the origin if there is one, are names of this server.
    fn admit(&self, headers: &HeaderMap) -> Result<(), &'static str> {
        let text = |name: HeaderName| {
            let mut values = headers.get_all(name).iter();
            match (values.next(), values.next()) {
                (Some(value), None) => value.to_str().ok().map(Some).ok_or(()),
                (None, _) => Ok(None),
                _ => Err(()),
            }
        };
        match text(header::HOST) {
            Ok(Some(host)) if self.contains(host) => {}
            _ => return Err("this server answers to its own address only"),
        }
        match text(header::ORIGIN) {
            Ok(None) => Ok(()),
            Ok(Some(origin)) => {
                let name = origin
                    .strip_prefix("http://")
                    .or_else(|| origin.strip_prefix("https://"));
                match name {
                    Some(name) if self.contains(name) => Ok(()),
                    _ => Err("pages of other sites may not ask this server"),
                }
            }
            Err(()) => Err("pages of other sites may not ask this server"),
        }
    }
}

/// Marks a connection as answering a request, until it is dropped.
struct AnsweringGuard<'a>(&'a Activity);

impl<'a> AnsweringGuard<'a> {
    fn new(activity: &'a Activity) -> Self {
        activity.answering.store(true, Ordering::Relaxed);
        AnsweringGuard(activity)
    }
}

impl Drop for AnsweringGuard<'_> {
    fn drop(&mut self) {
        self.0.answering.store(false, Ordering::Relaxed);
    }
}

/// Refuses requests of other sites and adds the security headers (middleware).
pub async fn check_access(
    State(hosts): State<Arc<Hosts>>,
    request: Request,
    next: Next,
) -> Response {
    let activity = request.extensions().get::<Arc<Activity>>().cloned();
    let _answering = activity.as_deref().map(AnsweringGuard::new);
    let mut response = match hosts.admit(request.headers()) {
        _ if !has_small_headers(&request) => {
            let text = format!("the headers of a request have at most {HEADERS} bytes");
            let status = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
            problem(status, RequestError::limit(text))
        }
        Ok(()) => next.run(request).await,
        Err(why) => problem(StatusCode::FORBIDDEN, RequestError::request(why)),
    };
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    set(header::X_FRAME_OPTIONS, "DENY");
    set(
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    );
    set(
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    );
    response
}

/// Handles requests with a method that the path does not have.
pub async fn wrong_method() -> Response {
    problem(
        StatusCode::METHOD_NOT_ALLOWED,
        RequestError::request("questions are sent by POST, info and openapi.json by GET"),
    )
}

/// Returns an error as an HTTP response.
pub fn problem(status: StatusCode, problem: RequestError) -> Response {
    (status, axum::Json(problem)).into_response()
}
