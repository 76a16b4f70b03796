//! The description of the HTTP interface.
//!
//! The functions here are never called: they carry the description of an address, next to each other, so that the
//! whole interface can be read on one page. A test compares the list with the questions that are answered.

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

/// Everything the server answers.
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

/// About the server.
#[utoipa::path(get, path = "/api/info", responses((status = 200, description = "Version and threads.", body = Info)))]
#[expect(dead_code, reason = "only its description is used")]
fn info() {}

/// Run a script: a stream of server-sent events. The run ends when the reader leaves.
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

/// Is the script right, and what does it set?
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

/// The words of the language with their meaning.
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

/// The bundled scenarios.
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

/// How often the condition holds: exactly where it can be counted.
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

/// How many deals get past each part of the condition.
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

/// Double-dummy results and par of a deal.
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

/// The double-dummy cost of every card that may be played.
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

/// The plan of a study of opening leads with a precision: which layouts may be solved. Send the plan with each portion.
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

/// The worth of every opening lead in some layouts.
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

/// The numbers of a lead study put together.
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

/// The plan of a study of contracts with a precision: which deals may be solved. Send the plan with each portion.
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

/// The tricks of several contracts on some deals.
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

/// The numbers of a comparison put together.
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

/// Cards valued by every method.
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

/// Which shapes a pattern covers.
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

/// Everybody's share of the pot.
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

/// The equity of classes of starting hands.
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

/// A range on the grid of starting hands.
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

/// The boards of a file.
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

/// A file of boards.
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

/// A seat profile as a script.
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
