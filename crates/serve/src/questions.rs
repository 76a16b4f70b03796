//! Requests with a single answer.

use std::sync::Arc;

use api::{RequestError, RequestErrorKind, RequestLimits};
use axum::Extension;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, Limited};
use serde::Serialize;
use tokio::time::timeout;

use crate::access::problem;
use crate::run::CancelOnDrop;
use crate::turns::Client;
use crate::{Config, Shared};

/// Information about the server.
#[derive(Serialize, utoipa::ToSchema)]
pub struct Info {
    /// Version of croupier.
    pub version: &'static str,
    /// Number of threads for one run.
    pub threads: usize,
    /// Address of a static page that everybody can open, for links to share.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_page: Option<String>,
}

/// Handles `GET /api/info`.
pub async fn info(State(shared): State<Arc<Shared>>) -> axum::Json<Info> {
    axum::Json(Info {
        version: env!("CARGO_PKG_VERSION"),
        threads: shared.config.threads,
        public_page: shared.config.public_page.clone(),
    })
}

/// Handles `POST /api/{question}`.
pub async fn answer(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Response {
    let Some(question) = api::questions::find(&name) else {
        return problem(
            StatusCode::NOT_FOUND,
            RequestError::request("there is no such question; /api/openapi.json lists them"),
        );
    };
    let longest = match name.as_str() {
        "read" | "write" => shared.config.file,
        _ => shared.config.body,
    };
    let body = match body(request, &shared.config, longest).await {
        Ok(body) => body,
        Err(response) => return response,
    };
    let lane = match question.is_long {
        true => &shared.heavy,
        false => &shared.light,
    };
    let Some(turn) = lane.turn(client, shared.config.max_wait).await else {
        return busy();
    };
    let limits = limits(&shared.config);
    let in_progress = shared.in_progress.add(Arc::clone(&limits.cancel));
    // Cancels the work when the time is up or the client disconnects.
    let _cancel = CancelOnDrop(Arc::clone(&limits.cancel));
    let time = shared.config.time;
    let work = tokio::task::spawn_blocking(move || {
        // The turn belongs to the work, not to the connection: work of a client that has disconnected uses a core until
        // it notices the cancellation.
        let _turn = turn;
        question.answer(&body, &limits)
    });
    let done = timeout(time, work).await;
    if let Some(it) = in_progress.exhausted() {
        return problem(status(it.kind), it);
    }
    match done {
        Ok(Ok(Ok(text))) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
        Ok(Ok(Err(it))) => problem(status(it.kind), it),
        Ok(Err(_)) => problem(
            StatusCode::INTERNAL_SERVER_ERROR,
            RequestError::run("the question could not be answered: this is a mistake in croupier"),
        ),
        Err(_) => problem(
            StatusCode::GATEWAY_TIMEOUT,
            RequestError::limit(format!("it took longer than {} seconds", time.as_secs())),
        ),
    }
}

/// Reads the body of a request, of at most `longest` bytes, with a limit on its time.
pub async fn body(request: Request, config: &Config, longest: usize) -> Result<String, Response> {
    let kind = request.headers().get(header::CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| {
        let kind = kind.to_str().unwrap_or_default();
        kind.split(';').next().unwrap_or_default().trim() == "application/json"
    });
    // Forms of other sites can send other content types without a preflight request of the browser.
    if !is_json {
        return Err(problem(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            RequestError::request("questions are application/json"),
        ));
    }
    let too_large = || {
        let text = format!("this request has at most {longest} bytes");
        problem(StatusCode::PAYLOAD_TOO_LARGE, RequestError::limit(text))
    };
    let announced = request
        .headers()
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > longest as u64) {
        return Err(too_large());
    }
    let whole = Limited::new(request.into_body(), longest).collect();
    let bytes = match timeout(config.slow, whole).await {
        Ok(Ok(whole)) => whole.to_bytes(),
        Ok(Err(_)) => return Err(too_large()),
        Err(_) => {
            return Err(problem(
                StatusCode::REQUEST_TIMEOUT,
                RequestError::limit("the request did not arrive in time"),
            ));
        }
    };
    String::from_utf8(bytes.to_vec()).map_err(|_| {
        problem(
            StatusCode::BAD_REQUEST,
            RequestError::request("the request is not UTF-8"),
        )
    })
}

/// Returns the response to a request that gets no turn.
pub fn busy() -> Response {
    problem(
        StatusCode::SERVICE_UNAVAILABLE,
        RequestError::busy("croupier has too much to do just now; try again in a moment"),
    )
}

/// Robots of the server: the built-in ones, if there are any.
#[cfg(feature = "bidding")]
const ROBOTS: Option<api::limits::RequestRobots> = Some(api::auction::built_in_robots);
#[cfg(not(feature = "bidding"))]
const ROBOTS: Option<api::limits::RequestRobots> = None;

/// Returns the limits of a request.
pub fn limits(config: &Config) -> RequestLimits {
    RequestLimits {
        text: config.file,
        script: config.script,
        threads: config.threads,
        solver_memory: config.solver_memory,
        metrics: config.metrics.clone(),
        robots: ROBOTS,
        ..RequestLimits::default()
    }
}

/// Returns the HTTP status of an error.
pub fn status(kind: RequestErrorKind) -> StatusCode {
    match kind {
        RequestErrorKind::Request => StatusCode::BAD_REQUEST,
        RequestErrorKind::Script | RequestErrorKind::Run => StatusCode::UNPROCESSABLE_ENTITY,
        RequestErrorKind::Limit => StatusCode::PAYLOAD_TOO_LARGE,
        RequestErrorKind::Busy => StatusCode::SERVICE_UNAVAILABLE,
    }
}
