//! The server asked as a browser, a program and an enemy would.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::OnceLock;
use std::time::Duration;

use crate::Config;

/// One server for all tests.
fn server() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let config = Config {
            slow: Duration::from_secs(4),
            time: Duration::from_secs(60),
            ..Config::default()
        };
        std::thread::spawn(move || crate::serve(listener, config));
        address
    })
}

/// Sends the bytes and reads all there is to read.
fn raw(request: &[u8]) -> String {
    let mut stream = TcpStream::connect(server()).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(300)))
        .unwrap();
    // The server may answer and close before it has read everything.
    let _ = stream.write_all(request);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn post_as(path: &str, body: &str, headers: &str) -> String {
    raw(format!(
        "POST {path} HTTP/1.1\r\n{headers}content-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .as_bytes())
}

fn post(path: &str, body: &str) -> String {
    post_as(path, body, &format!("host: {}\r\n", server()))
}

fn get(path: &str) -> String {
    raw(format!(
        "GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
        server()
    )
    .as_bytes())
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("")
}

#[test]
fn the_page_comes_with_its_policy() {
    let answer = get("/");
    assert_eq!(status(&answer), "200", "{answer}");
    assert!(answer.contains("content-security-policy: default-src 'none'"));
    assert!(answer.contains(r#"name="croupier-engine" content="server""#));
    assert_eq!(status(&get("/../Cargo.toml")), "404");
    assert_eq!(status(&get("/etc/passwd")), "404");
}

#[test]
fn questions_are_answered() {
    let answer = post("/api/shapes", r#"{"pattern":"5M(332)"}"#);
    assert_eq!(status(&answer), "200", "{answer}");
    assert!(answer.contains("\"count\":6"));
    assert_eq!(status(&post("/api/shapes", r#"{"pattern":"#)), "400");
    assert_eq!(status(&post("/api/nothing", "{}")), "404");
    let script = post(
        "/api/probability",
        r#"{"script":"condition hcp(nrth) > 3"}"#,
    );
    assert_eq!(status(&script), "422");
    assert!(script.contains("E306"));
}

#[test]
fn a_run_is_a_stream_of_events() {
    let answer = post(
        "/api/run",
        r#"{"script":"condition hcp(north) > 20 action printall, average hcp(south)","seed":"1","produce":5}"#,
    );
    assert!(
        answer.contains("content-type: text/event-stream"),
        "{answer}"
    );
    assert!(answer.contains("\"type\":\"start\"") && answer.contains("\"type\":\"deals\""));
    assert!(answer.contains("\"type\":\"end\"") && answer.contains("\"produced\":5"));
}

#[test]
fn strangers_are_turned_away() {
    let body = r#"{"pattern":"5M(332)"}"#;
    let own = server();
    for headers in [
        "host: evil.example\r\n".to_owned(),
        String::new(),
        format!("host: {own}\r\norigin: http://evil.example\r\n"),
        format!("host: {own}\r\norigin: null\r\n"),
        format!("host: 127.0.0.1:1\r\norigin: http://{own}\r\n"),
    ] {
        let answer = post_as("/api/shapes", body, &headers);
        assert!(
            matches!(status(&answer), "403" | "400"),
            "{headers}: {answer}"
        );
    }
    let friend = format!("host: {own}\r\norigin: http://{own}\r\n");
    assert_eq!(status(&post_as("/api/shapes", body, &friend)), "200");
    // A form of another site cannot send JSON without asking first.
    let form = format!(
        "POST /api/shapes HTTP/1.1\r\nhost: {own}\r\ncontent-type: text/plain\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    assert_eq!(status(&raw(form.as_bytes())), "415");
}

#[test]
fn no_file_can_be_read() {
    let answer = post("/api/check", r#"{"script":"import \"/etc/hostname\""}"#);
    assert!(answer.contains("only bundled scenarios"), "{answer}");
    let answer = post("/api/check", r#"{"script":"import \"scenarios/stayman\""}"#);
    assert!(answer.contains("\"condition\":true"), "{answer}");
}

#[test]
fn what_is_too_large_or_too_slow_is_refused() {
    let own = server();
    let announced = format!(
        "POST /api/check HTTP/1.1\r\nhost: {own}\r\ncontent-type: application/json\r\ncontent-length: 10485760\r\n\r\n"
    );
    assert_eq!(status(&raw(announced.as_bytes())), "413");
    let chunked = format!(
        "POST /api/check HTTP/1.1\r\nhost: {own}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
    );
    let mut endless = chunked.into_bytes();
    for _ in 0..40 {
        endless.extend_from_slice(b"10000\r\n");
        endless.extend(std::iter::repeat_n(b' ', 0x10000));
        endless.extend_from_slice(b"\r\n");
    }
    assert_eq!(status(&raw(&endless)), "413");
    let unfinished = format!(
        "POST /api/check HTTP/1.1\r\nhost: {own}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{{"
    );
    assert_eq!(status(&raw(unfinished.as_bytes())), "408");
    // Headers that never end: the connection is closed.
    assert!(matches!(status(&raw(b"GET / HTTP/1.1\r\nx: ")), "" | "408"));
    let table = r#"{"script":"action frequency (hcp(north), 0, 2000000000)"}"#;
    assert!(post("/api/run", table).contains("\"kind\":\"limit\""));
}

#[test]
fn the_run_ends_when_the_reader_leaves() {
    let body = r#"{"script":"generate 2000000000 action average hcp(north) * rnd(10)"}"#;
    // As many as there are permits, and more: if they went on, the last one would wait for its turn.
    for _ in 0..6 {
        let own = server();
        let mut stream = TcpStream::connect(own).unwrap();
        let head = format!(
            "POST /api/run HTTP/1.1\r\nhost: {own}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut some = [0; 16];
        stream.read_exact(&mut some).unwrap();
    }
    let answer = post("/api/run", r#"{"script":"produce 1","seed":"1"}"#);
    assert!(answer.contains("\"type\":\"end\""), "{answer}");
}

/// One of the hardest deals to solve: all strains take far longer than a second.
const HARD: &str =
    r#"{"deal":"N:.Q853.AJ962.KT74 Q853.AJ962.KT74. AJ962.KT74..Q853 KT74..Q853.AJ962"}"#;

#[test]
fn a_question_that_nobody_waits_for_ends() {
    // As many as there are permits, and more: if they went on, the last one would wait for its turn.
    for _ in 0..6 {
        let own = server();
        let mut stream = TcpStream::connect(own).unwrap();
        let head = format!(
            "POST /api/solve HTTP/1.1\r\nhost: {own}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{HARD}",
            HARD.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(100));
    }
    let easy =
        r#"{"deal":"N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432"}"#;
    let answer = post("/api/solve", easy);
    assert!(answer.contains("\"par\":"), "{answer}");
}

#[test]
fn the_description_has_every_question() {
    let answer = get("/api/openapi.json");
    let json = answer.split_once("\r\n\r\n").unwrap().1;
    let found: serde_json::Value = serde_json::from_str(json).unwrap();
    for name in api::names().chain(["run"]) {
        assert!(
            found["paths"][format!("/api/{name}")]["post"].is_object(),
            "{name}"
        );
    }
}
