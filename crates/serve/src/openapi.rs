//! OpenAPI description of the HTTP interface, made from the table of requests of `api`.

use api::questions::{QUESTIONS, Question, Schemas, TypeSchema};
use axum::Json;
use serde_json::{Value, json};
use utoipa::openapi::path::{HttpMethod, Operation, OperationBuilder, PathItem, PathsBuilder};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::{
    ComponentsBuilder, ContentBuilder, InfoBuilder, OpenApi, OpenApiBuilder, Ref, Required,
    Response, ResponseBuilder,
};

use crate::questions::Info;
use crate::run::{StopRequest, Stopped};

/// Handles `GET /api/openapi.json`.
pub(crate) async fn json() -> Json<Value> {
    Json(document())
}

/// Returns the OpenAPI description as JSON text.
///
/// # Panics
/// Never: the description is made of strings and lists.
#[must_use]
pub fn description() -> String {
    document().to_string()
}

/// Returns the description with two corrections that the builder has no words for.
fn document() -> Value {
    let mut document = serde_json::to_value(openapi()).expect("strings and lists are valid JSON");
    remove_formats(&mut document);
    // An event is a text whose lines `data: ` are a RunEvent.
    let events = "/paths/~1api~1run/post/responses/200/content/text~1event-stream/schema";
    if let Some(schema) = document.pointer_mut(events) {
        let event = schema.take();
        *schema = json!({
            "type": "object",
            "required": ["data"],
            "properties": {
                "data": {"type": "string", "contentMediaType": "application/json", "contentSchema": event}
            }
        });
    }
    document
}

/// Removes the formats of numbers without a sign: `int32` and `int64` have a sign, and with it other limits.
fn remove_formats(value: &mut Value) {
    if let Value::Object(fields) = value
        && fields.get("minimum").and_then(Value::as_f64) == Some(0.0)
    {
        fields.retain(|name, format| name != "format" || (format != "int32" && format != "int64"));
    }
    match value {
        Value::Object(fields) => fields.values_mut().for_each(remove_formats),
        Value::Array(list) => list.iter_mut().for_each(remove_formats),
        _ => {}
    }
}

fn openapi() -> OpenApi {
    let problem = TypeSchema::of::<api::RequestError>();
    let run_request = TypeSchema::of::<api::run::RunRequest>();
    let run_event = TypeSchema::of::<api::run::RunEvent>();
    let info = TypeSchema::of::<Info>();
    let [stop, stopped] = [TypeSchema::of::<StopRequest>(), TypeSchema::of::<Stopped>()];

    let mut schemas = Schemas::new();
    for schema in [info, run_request, run_event, stop, stopped, problem] {
        (schema.add)(&mut schemas);
    }
    for question in QUESTIONS {
        (question.request.add)(&mut schemas);
        (question.response.add)(&mut schemas);
    }

    let about = OperationBuilder::new()
        .operation_id(Some("info"))
        .summary(Some("Information about the server."))
        .response(
            "200",
            response("Version and threads.", "application/json", info),
        )
        .build();
    let run = OperationBuilder::new()
        .operation_id(Some("run"))
        .summary(Some(
            "Runs a script: a stream of server-sent events. The run ends when the client disconnects.",
        ))
        .request_body(Some(body(run_request)))
        .response(
            "200",
            response(
                "Events, each a RunEvent in JSON.",
                "text/event-stream",
                run_event,
            ),
        )
        .response("4XX", failure("The request makes no sense.", problem))
        .response("503", failure("Too much to do just now.", problem))
        .response("504", failure("The time was up.", problem))
        .build();
    let end = OperationBuilder::new()
        .operation_id(Some("stop"))
        .summary(Some(
            "Stops a run: it ends with an event that has the statistics so far.",
        ))
        .request_body(Some(body(stop)))
        .response("200", response("The answer.", "application/json", stopped))
        .response("4XX", failure("Why there is none.", problem))
        .build();
    let mut paths = PathsBuilder::new()
        .path("/api/info", PathItem::new(HttpMethod::Get, about))
        .path("/api/run", PathItem::new(HttpMethod::Post, run))
        .path("/api/stop", PathItem::new(HttpMethod::Post, end));
    for question in QUESTIONS {
        let path = format!("/api/{}", question.name);
        let item = PathItem::new(HttpMethod::Post, operation(question, problem));
        paths = paths.path(path, item);
    }
    OpenApiBuilder::new()
        .info(
            InfoBuilder::new()
                .title("croupier serve")
                .version(env!("CARGO_PKG_VERSION"))
                .description(Some(
                    "Bridge deals, exact probabilities, double dummy and poker. Questions are JSON objects; problems \
                     are objects with kind and message. Runs are streams of server-sent events whose data are \
                     RunEvent objects, ended by one of type end or problem.",
                )),
        )
        .paths(paths)
        .components(Some(
            ComponentsBuilder::new().schemas_from_iter(schemas).build(),
        ))
        .build()
}

fn operation(question: &Question, problem: TypeSchema) -> Operation {
    OperationBuilder::new()
        .operation_id(Some(question.name))
        .summary(Some(question.description))
        .request_body(Some(body(question.request)))
        .response(
            "200",
            response("The answer.", "application/json", question.response),
        )
        .response("4XX", failure("Why there is none.", problem))
        .response("503", failure("Too much to do just now.", problem))
        .response("504", failure("The time was up.", problem))
        .build()
}

fn body(schema: TypeSchema) -> utoipa::openapi::request_body::RequestBody {
    RequestBodyBuilder::new()
        .content("application/json", content(schema))
        .required(Some(Required::True))
        .build()
}

fn response(description: &str, media: &str, schema: TypeSchema) -> Response {
    ResponseBuilder::new()
        .description(description)
        .content(media, content(schema))
        .build()
}

fn failure(description: &str, problem: TypeSchema) -> Response {
    response(description, "application/json", problem)
}

fn content(schema: TypeSchema) -> utoipa::openapi::Content {
    ContentBuilder::new()
        .schema(Some(Ref::from_schema_name((schema.name)())))
        .build()
}
