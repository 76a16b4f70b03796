//! OpenAPI description of the HTTP interface.
//!
//! The functions here are never called. Each carries the description of a path, so that the whole interface can be read
//! in one file. A test compares the list with the requests that are answered.

use axum::Json;
use utoipa::OpenApi;

use crate::questions::Info;

/// `GET /api/openapi.json`
pub(crate) async fn json() -> Json<utoipa::openapi::OpenApi> {
    Json(Description::openapi())
}

/// Returns the OpenAPI description as JSON text.
///
/// # Panics
/// Never: the description is made of strings and lists.
#[must_use]
pub fn description() -> String {
    Description::openapi()
        .to_json()
        .expect("strings and lists are valid JSON")
}

/// All paths of the server.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "croupier serve",
        description = "Bridge deals, exact probabilities, double dummy and poker. Questions are JSON objects; problems \
                       are objects with kind and message. Runs are streams of server-sent events whose data are \
                       RunEvent objects, ended by one of type end or problem."
    ),
    paths(
        info,
        run,
        check,
        words,
        scenarios,
        probability,
        explain,
        solve,
        play,
        lead_plan,
        leads,
        lead_results,
        contract_plan,
        tricks,
        contract_results,
        value,
        shapes,
        equity,
        matrix,
        range,
        read,
        write,
        form
    ),
    components(schemas(api::run::RunEvent, api::Problem))
)]
pub struct Description;

/// Information about the server.
#[utoipa::path(get, path = "/api/info", responses((status = 200, description = "Version and threads.", body = Info)))]
#[expect(dead_code, reason = "only its description is used")]
fn info() {}

/// Runs a script: a stream of server-sent events. The run ends when the client disconnects.
#[utoipa::path(
    post,
    path = "/api/run",
    request_body = api::run::RunRequest,
    responses(
        (status = 200, description = "Events, each a RunEvent in JSON.", body = api::run::RunEvent, content_type = "text/event-stream"),
        (status = 400, description = "The request makes no sense.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn run() {}

/// Checks a script and returns its settings.
#[utoipa::path(
    post,
    path = "/api/check",
    request_body = api::check::Check,
    responses(
        (status = 200, description = "The answer.", body = api::check::Checked),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn check() {}

/// Lists the words of the script language with their meanings.
#[utoipa::path(
    post,
    path = "/api/words",
    request_body = api::words::Nothing,
    responses(
        (status = 200, description = "The answer.", body = api::words::Words),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn words() {}

/// Lists the bundled scenarios.
#[utoipa::path(
    post,
    path = "/api/scenarios",
    request_body = api::words::Nothing,
    responses(
        (status = 200, description = "The answer.", body = api::library::Scenarios),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn scenarios() {}

/// Computes how often the condition of a script holds: exactly where it can be counted.
#[utoipa::path(
    post,
    path = "/api/probability",
    request_body = api::check::Check,
    responses(
        (status = 200, description = "The answer.", body = api::odds::Odds),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn probability() {}

/// Counts how many deals pass each part of the condition.
#[utoipa::path(
    post,
    path = "/api/explain",
    request_body = api::explain::Explain,
    responses(
        (status = 200, description = "The answer.", body = api::explain::Explained),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn explain() {}

/// Computes double-dummy results and par of a deal.
#[utoipa::path(
    post,
    path = "/api/solve",
    request_body = api::solve::Solve,
    responses(
        (status = 200, description = "The answer.", body = api::solve::Solved),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn solve() {}

/// Computes the double-dummy cost of every card that may be played.
#[utoipa::path(
    post,
    path = "/api/play",
    request_body = api::play::Play,
    responses(
        (status = 200, description = "The answer.", body = api::play::Playing),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn play() {}

/// Computes the plan of a study of opening leads with a precision: which layouts may be solved. Send the plan with each
/// portion.
#[utoipa::path(
    post,
    path = "/api/lead-plan",
    request_body = api::study::AskLeadPlan,
    responses(
        (status = 200, description = "The answer.", body = api::study::Plan),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn lead_plan() {}

/// Computes the tricks after every opening lead in some layouts.
#[utoipa::path(
    post,
    path = "/api/leads",
    request_body = api::study::AskLeads,
    responses(
        (status = 200, description = "The answer.", body = api::study::LeadTricks),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn leads() {}

/// Computes the results of a study of opening leads.
#[utoipa::path(
    post,
    path = "/api/lead-results",
    request_body = api::study::AskLeadResults,
    responses(
        (status = 200, description = "The answer.", body = api::study::LeadResults),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn lead_results() {}

/// Computes the plan of a study of contracts with a precision: which deals may be solved. Send the plan with each
/// portion.
#[utoipa::path(
    post,
    path = "/api/contract-plan",
    request_body = api::study::AskContractPlan,
    responses(
        (status = 200, description = "The answer.", body = api::study::Plan),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn contract_plan() {}

/// Computes the tricks of several contracts on some deals.
#[utoipa::path(
    post,
    path = "/api/tricks",
    request_body = api::study::AskTricks,
    responses(
        (status = 200, description = "The answer.", body = api::study::Tricks),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn tricks() {}

/// Computes the results of a study of contracts.
#[utoipa::path(
    post,
    path = "/api/contract-results",
    request_body = api::study::AskContractResults,
    responses(
        (status = 200, description = "The answer.", body = api::study::ContractResults),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn contract_results() {}

/// Values cards by every method.
#[utoipa::path(
    post,
    path = "/api/value",
    request_body = api::value::Value,
    responses(
        (status = 200, description = "The answer.", body = api::value::Valued),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn value() {}

/// Lists the shapes of a pattern.
#[utoipa::path(
    post,
    path = "/api/shapes",
    request_body = api::shapes::AskShapes,
    responses(
        (status = 200, description = "The answer.", body = api::shapes::Shapes),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn shapes() {}

/// Computes each player's share of the pot.
#[utoipa::path(
    post,
    path = "/api/equity",
    request_body = api::equity::AskEquity,
    responses(
        (status = 200, description = "The answer.", body = api::equity::EquityData),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn equity() {}

/// Computes the equity of classes of starting hands.
#[utoipa::path(
    post,
    path = "/api/matrix",
    request_body = api::equity::AskMatrix,
    responses(
        (status = 200, description = "The answer.", body = api::equity::Matrix),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn matrix() {}

/// Returns a range as a grid of starting hands.
#[utoipa::path(
    post,
    path = "/api/range",
    request_body = api::equity::AskRange,
    responses(
        (status = 200, description = "The answer.", body = api::equity::RangeData),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn range() {}

/// Reads the boards of a file.
#[utoipa::path(
    post,
    path = "/api/read",
    request_body = api::files::Read,
    responses(
        (status = 200, description = "The answer.", body = api::files::FileData),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn read() {}

/// Writes a file of boards.
#[utoipa::path(
    post,
    path = "/api/write",
    request_body = api::files::Write,
    responses(
        (status = 200, description = "The answer.", body = api::files::Written),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn write() {}

/// Translates a seat profile to a script.
#[utoipa::path(
    post,
    path = "/api/form",
    request_body = api::form::Form,
    responses(
        (status = 200, description = "The answer.", body = api::form::FormScript),
        (status = "4XX", description = "Why there is none.", body = api::Problem),
        (status = 503, description = "Too much to do just now.", body = api::Problem),
    )
)]
#[expect(dead_code, reason = "only its description is used")]
fn form() {}
