//! Files of the web page, embedded in the program.

use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The text in the page that selects its engine: as built, and as this server sends it.
const ENGINES: [&str; 2] = [
    r#"name="croupier-engine" content="browser""#,
    r#"name="croupier-engine" content="server""#,
];

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        Some("webmanifest") => "application/manifest+json",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}

/// Returns a file of the page.
pub async fn file(method: Method, uri: Uri) -> Response {
    if method != Method::GET && method != Method::HEAD {
        let allowed = [(header::ALLOW, "GET, HEAD")];
        return (allowed, crate::access::wrong_method().await).into_response();
    }
    let name = match uri.path().trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    let Some((name, bytes)) = FILES.iter().find(|(known, _)| *known == name) else {
        return (StatusCode::NOT_FOUND, "there is no such page here\n").into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, kind(name)),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    if *name == "index.html" {
        let text = String::from_utf8_lossy(bytes).replace(ENGINES[0], ENGINES[1]);
        return (headers, text).into_response();
    }
    (headers, *bytes).into_response()
}
