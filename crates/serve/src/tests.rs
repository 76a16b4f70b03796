//! Tests of the server with requests as from a browser, another program and an attacker.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::Config;

/// Starts a server for a single test.
fn start(config: Config) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || crate::serve(listener, config));
    address
}

/// Returns the server that tests share.
fn server() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| {
        start(Config {
            slow: Duration::from_secs(4),
            time: Duration::from_secs(60),
            ..Config::default()
        })
    })
}

/// Sends the bytes and reads the whole response.
fn raw(request: &[u8]) -> String {
    raw_to(server(), request)
}

fn raw_to(server: SocketAddr, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(server).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(300)))
        .unwrap();
    // The server may answer and close the connection before it has read everything.
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
fn requests_of_other_sites_are_refused() {
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
    // A form of another site cannot send JSON without a preflight request.
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
fn large_and_slow_requests_are_refused() {
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
    // The header never ends, so the server closes the connection.
    assert!(matches!(status(&raw(b"GET / HTTP/1.1\r\nx: ")), "" | "408"));
    let table = r#"{"script":"action frequency (hcp(north), 0, 2000000000)"}"#;
    assert!(post("/api/run", table).contains("\"kind\":\"limit\""));
}

#[test]
fn a_long_file_of_boards_is_read() {
    let deal = "N:AKQ.AKQ.AKQ.AKQJ JT98.JT9.JT9.T98 7654.876.876.765 32.5432.5432.432";
    let board = format!("[Deal \\\"{deal}\\\"]\\n\\n");
    let body = format!(r#"{{"text":"{}"}}"#, board.repeat(30_000));
    assert!(body.len() > 2_000_000);
    let answer = post("/api/read", &body);
    assert_eq!(status(&answer), "200");
    assert_eq!(answer.matches("\"deal\":").count(), 30_000);
}

#[test]
fn a_stopped_run_ends_with_its_statistics() {
    let body = r#"{"script":"generate 2000000000 action average hcp(north) * rnd(10)"}"#;
    let own = server();
    let mut stream = TcpStream::connect(own).unwrap();
    let head = format!(
        "POST /api/run HTTP/1.1\r\nhost: {own}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut text = String::new();
    let mut some = [0; 4096];
    while !text.contains("\"type\":\"progress\"") {
        let length = stream.read(&mut some).unwrap();
        assert!(length > 0, "{text}");
        text.push_str(&String::from_utf8_lossy(&some[..length]));
    }
    let (_, name) = text.split_once("\"run\":\"").expect("the run has a name");
    let name = name.split('"').next().unwrap();
    let stopped = post("/api/stop", &format!(r#"{{"run":"{name}"}}"#));
    assert!(stopped.contains("\"stopped\":true"), "{stopped}");
    while !text.contains("\"type\":\"end\"") {
        let length = stream.read(&mut some).unwrap();
        assert!(length > 0, "{text}");
        text.push_str(&String::from_utf8_lossy(&some[..length]));
    }
    assert!(text.contains("\"ended\":\"cancelled\""), "{text}");
    assert!(text.contains("\"kind\":\"average\""), "{text}");
    let unknown = post("/api/stop", r#"{"run":"0"}"#);
    assert!(unknown.contains("\"stopped\":false"), "{unknown}");
}

#[test]
fn a_wrong_method_has_an_answer_in_json() {
    for path in ["/api/run", "/api/value", "/"] {
        let method = if path == "/" { "DELETE" } else { "GET" };
        let own = server();
        let answer = raw(format!(
            "{method} {path} HTTP/1.1\r\nhost: {own}\r\nconnection: close\r\n\r\n"
        )
        .as_bytes());
        assert_eq!(status(&answer), "405", "{path}");
        assert!(answer.contains("\"kind\":\"request\""), "{path}: {answer}");
    }
}

#[test]
fn unknown_fields_are_refused() {
    let questions = [
        ("/api/value", r#"{"cards":["AKQ2.KJ3.A74.952"],"hand":1}"#),
        ("/api/words", r#"{"all":true}"#),
        ("/api/run", r#"{"script":"","count":5}"#),
        ("/api/write", r#"{"format":"pbn","boards":[],"name":"x"}"#),
    ];
    for (path, body) in questions {
        let answer = post(path, body);
        assert_eq!(status(&answer), "400", "{path}: {answer}");
        assert!(answer.contains("unknown field"), "{path}: {answer}");
    }
}

#[test]
fn a_list_is_no_question() {
    for path in ["/api/formats", "/api/scenarios", "/api/run", "/api/stop"] {
        let answer = post(path, r#"["1"]"#);
        assert_eq!(status(&answer), "400", "{path}: {answer}");
        assert!(answer.contains("must be an object"), "{path}: {answer}");
    }
}

#[test]
fn the_description_has_the_limits_of_the_types() {
    let answer = get("/api/openapi.json");
    let json = answer.split_once("\r\n\r\n").unwrap().1;
    let found: serde_json::Value = serde_json::from_str(json).unwrap();
    let budget = &found["components"]["schemas"]["RunRequest"]["properties"]["level_budget"];
    assert_eq!(budget["minimum"], 0, "{budget}");
    assert!(budget.get("format").is_none(), "{budget}");
    let run = &found["paths"]["/api/run"]["post"]["responses"];
    let event = &run["200"]["content"]["text/event-stream"]["schema"];
    assert_eq!(event["properties"]["data"]["type"], "string", "{event}");
    assert!(event["properties"]["data"]["contentSchema"].is_object());
    assert!(run["504"].is_object());
}

#[test]
fn the_run_ends_when_the_reader_leaves() {
    let body = r#"{"script":"generate 2000000000 action average hcp(north) * rnd(10)"}"#;
    // More runs than permits. If they continued, the last one would have to wait for its turn.
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

/// One of the hardest deals to solve: a table takes far longer than a second.
const HARD: &str =
    r#"{"deal":"N:.Q853.AJ962.KT74 Q853.AJ962.KT74. AJ962.KT74..Q853 KT74..Q853.AJ962"}"#;

#[test]
fn a_request_ends_when_its_client_disconnects() {
    // More requests than permits. If they continued, the last one would have to wait for its turn.
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
    for name in api::QUESTIONS.iter().map(|it| it.name).chain(["run"]) {
        assert!(
            found["paths"][format!("/api/{name}")]["post"].is_object(),
            "{name}"
        );
    }
}

/// Returns the bytes of a POST request with a JSON body.
fn question(server: SocketAddr, path: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nhost: {server}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// Returns a request with a script, escaped as JSON.
fn of_script(script: &str) -> String {
    serde_json::json!({ "script": script }).to_string()
}

/// Returns a script of variables, each of which uses the previous one twice.
fn doubling(levels: usize) -> String {
    let mut text = String::from("a0=rnd(9)\n");
    for level in 1..=levels {
        text += &format!("a{level}=a{0}+a{0}\n", level - 1);
    }
    text + &format!("condition a{levels}>3\n")
}

/// Returns a run with an answer that exceeds the socket buffers of the system.
fn long_answer() -> String {
    let values = vec!["123456"; 90].join(",");
    format!("produce 20000 action printall, printes({values})")
}

/// Time limit of the tests: far more than an answer takes on a busy machine, far less than the full work.
const SOON: Duration = Duration::from_secs(30);

#[test]
fn endless_scripts_end_in_time_and_other_requests_are_answered_meanwhile() {
    let server = start(Config {
        time: Duration::from_secs(2),
        jobs: 2,
        ..Config::default()
    });
    let bombs = ["run", "run", "probability", "explain"].map(|name| {
        std::thread::spawn(move || {
            let began = Instant::now();
            let levels = if name == "explain" { 3_000 } else { 59 };
            let bomb = question(
                server,
                &format!("/api/{name}"),
                &of_script(&doubling(levels)),
            );
            (raw_to(server, &bomb), began.elapsed())
        })
    });
    std::thread::sleep(Duration::from_millis(300));
    let honest = question(server, "/api/check", &of_script("condition hcp(north) > 3"));
    assert_eq!(status(&raw_to(server, &honest)), "200");
    for bomb in bombs {
        let (answer, time) = bomb.join().unwrap();
        assert!(
            answer.contains("timed_out") || answer.contains("\"kind\":\"limit\""),
            "{answer}"
        );
        assert!(time < SOON, "{time:?}");
    }
    let honest = question(server, "/api/run", &of_script("produce 1"));
    assert!(raw_to(server, &honest).contains("\"type\":\"end\""));
}

#[test]
fn solving_a_hard_deal_ends_when_the_client_disconnects() {
    let server = start(Config {
        time: Duration::from_secs(3_000),
        jobs: 1,
        ..Config::default()
    });
    for name in ["run", "probability", "explain", "run"] {
        let mut stream = TcpStream::connect(server).unwrap();
        let bomb = question(server, &format!("/api/{name}"), &of_script(&doubling(59)));
        stream.write_all(&bomb).unwrap();
        std::thread::sleep(Duration::from_millis(200));
    }
    let honest = question(server, "/api/run", &of_script("produce 1"));
    assert!(raw_to(server, &honest).contains("\"type\":\"end\""));
}

#[test]
fn requests_beyond_a_limit_are_refused_with_the_limit() {
    let list = |piece: &str, count| vec![piece; count].join(",");
    let long = format!("condition {}", list("hcp(north)>3", 1).repeat(30_000));
    for (script, words) in [
        (
            format!("action {}", list("average 1", 20_000)),
            "at most 2000 are counted",
        ),
        (
            format!("produce 2000 action printes({})", list("1", 100_000)),
            "at most 2000000 are shown",
        ),
        (long, "at most 262144 are taken"),
    ] {
        let answer = post("/api/run", &of_script(&script));
        assert!(
            answer.contains("\"kind\":\"limit\"") && answer.contains(words),
            "{answer}"
        );
        assert!(answer.len() < 10_000);
    }
    let mut bomb = String::new();
    for n in 0..9 {
        bomb += &format!("# param {n} = {}\n", format!("${} ", n + 1).repeat(10));
    }
    bomb += "# param 9 = 1+\ncondition $0 1\n";
    let answer = post("/api/check", &of_script(&bomb));
    assert!(
        answer.contains("add up to more than 1048576 bytes"),
        "{answer}"
    );
}

#[test]
fn headers_beyond_their_limit_are_refused() {
    let own = server();
    for (length, expected) in [
        (60 << 10, "200"),
        (66 << 10, "431"),
        (100 << 10, "431"),
        (1 << 20, "431"),
    ] {
        let request = format!(
            "GET /api/info HTTP/1.1\r\nhost: {own}\r\nconnection: close\r\nx: {}\r\n\r\n",
            "y".repeat(length)
        );
        let answer = raw(request.as_bytes());
        // The server closes the connection of a request that is far too long, and its answer may be lost.
        let lost = length > 128 << 10 && answer.is_empty();
        assert!(status(&answer) == expected || lost, "{length}: {answer}");
    }
}

#[test]
fn clients_that_do_not_read_do_not_block_others() {
    let server = start(Config {
        connections: 8,
        slow: Duration::from_secs(600),
        ..Config::default()
    });
    let script = of_script(&long_answer());
    let request = question(server, "/api/run", &script);
    let silent: Vec<TcpStream> = (0..8)
        .map(|_| {
            let mut stream = TcpStream::connect(server).unwrap();
            stream.write_all(&request).unwrap();
            stream
        })
        .collect();
    std::thread::sleep(Duration::from_millis(500));
    let honest = question(server, "/api/shapes", r#"{"pattern":"5M(332)"}"#);
    let began = Instant::now();
    assert_eq!(status(&raw_to(server, &honest)), "200");
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    drop(silent);
}

/// One client takes all places with requests that take long; another client gets a reserved place at once.
#[test]
#[cfg(target_os = "linux")]
fn another_client_gets_a_place_when_one_has_taken_all() {
    let server = start(Config {
        connections: 8,
        slow: Duration::from_secs(600),
        time: Duration::from_secs(20),
        ..Config::default()
    });
    let bomb = question(server, "/api/run", &of_script(&doubling(59)));
    let connect = || {
        let mut stream = TcpStream::connect(server).unwrap();
        stream.write_all(&bomb).unwrap();
        stream
    };
    // Eight are served, the ninth waits, the tenth is refused.
    let taken: Vec<TcpStream> = (0..9).map(|_| connect()).collect();
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(status(&raw_to(server, &bomb)), "503");
    let honest = question(server, "/api/shapes", r#"{"pattern":"5M(332)"}"#);
    let began = Instant::now();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let mut stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        // Another address of this machine.
        socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
        socket.connect(server).await.unwrap().into_std().unwrap()
    });
    stream.set_nonblocking(false).unwrap();
    stream.write_all(&honest).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert_eq!(status(&answer), "200");
    assert!(
        began.elapsed() < Duration::from_secs(10),
        "{:?}",
        began.elapsed()
    );
    drop(taken);
}

#[test]
fn a_client_that_does_not_read_is_disconnected() {
    let server = start(Config {
        slow: Duration::from_secs(1),
        ..Config::default()
    });
    let mut stream = TcpStream::connect(server).unwrap();
    let script = of_script(&long_answer());
    stream
        .write_all(&question(server, "/api/run", &script))
        .unwrap();
    std::thread::sleep(Duration::from_secs(6));
    // Data in the socket buffers can still be read, but the end of the run is not among it.
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(!String::from_utf8_lossy(&answer).contains("\"type\":\"end\""));
}

#[test]
fn requests_end_when_the_memory_of_the_server_is_used_up() {
    static USED: AtomicU64 = AtomicU64::new(10);
    let server = start(Config {
        memory: Some((100, || USED.load(Ordering::Relaxed) as f64)),
        time: Duration::from_secs(3_000),
        ..Config::default()
    });
    let waits = |name: &'static str| {
        std::thread::spawn(move || {
            let bomb = question(server, &format!("/api/{name}"), &of_script(&doubling(59)));
            raw_to(server, &bomb)
        })
    };
    let bombs = ["run", "probability"].map(waits);
    std::thread::sleep(Duration::from_millis(500));
    USED.store(150, Ordering::Relaxed);
    for bomb in bombs {
        let answer = bomb.join().unwrap();
        assert!(
            answer.contains("the memory of the server is used up (--memory 100)"),
            "{answer}"
        );
    }
    USED.store(50, Ordering::Relaxed);
    let honest = question(server, "/api/run", &of_script("produce 1"));
    assert!(raw_to(server, &honest).contains("\"type\":\"end\""));
}

#[test]
fn runs_in_the_oldest_dialect_end_in_time_too() {
    let server = start(Config {
        time: Duration::from_secs(1),
        ..Config::default()
    });
    let body =
        r#"{"script":"action average hcp(north) + rnd(3)","dialect":"v1","generate":2000000000}"#;
    let began = Instant::now();
    let answer = raw_to(server, &question(server, "/api/run", body));
    assert!(answer.contains("\"ended\":\"cancelled\""), "{answer}");
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
}
