//! The HTTP server, with arbitrary bytes as requests.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serve::Config;

use crate::Surface;
use crate::observed::Observed;
use crate::surface::question::BODIES;

/// Requests as bytes.
pub static HTTP: Surface = Surface {
    name: "http",
    about: "Any bytes sent to the server: it answers with a status or closes the connection, and then still answers others.",
    feed,
    seeds: requests,
    words,
    inputs: 60,
};

fn requests() -> Vec<Vec<u8>> {
    let mut requests: Vec<Vec<u8>> = BODIES.iter().map(|(name, body)| post(name, body)).collect();
    requests.push(post(
        "run",
        r#"{"script":"condition hcp(north) > 20 action printall","seed":"1","produce":2}"#,
    ));
    for path in [
        "/",
        "/api/info",
        "/api/openapi.json",
        "/../etc/passwd",
        "/%2e%2e/x",
        "/api/run",
    ] {
        requests.push(
            format!("GET {path} HTTP/1.1\r\nhost: fuzz\r\nconnection: close\r\n\r\n").into_bytes(),
        );
    }
    let chunked = "POST /api/shapes HTTP/1.1\r\nhost: fuzz\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n9\r\n{\"pattern\r\n8\r\n\":\"5M\" }\r\n0\r\n\r\n";
    requests.push(chunked.as_bytes().to_vec());
    requests
}

fn post(name: &str, body: &str) -> Vec<u8> {
    format!(
        "POST /api/{name} HTTP/1.1\r\nhost: fuzz\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

fn words() -> Vec<String> {
    let words = [
        "GET ",
        "POST ",
        "HEAD ",
        "OPTIONS ",
        "PUT ",
        "CONNECT ",
        "HTTP/1.0",
        "HTTP/2.0",
        "\r\n\r\n",
        "\r\n",
        "host: fuzz\r\n",
        "origin: http://fuzz\r\n",
        "content-length: 0\r\n",
        "content-length: 99999999999\r\n",
        "transfer-encoding: chunked\r\n",
        "expect: 100-continue\r\n",
        "upgrade: websocket\r\n",
        "connection: keep-alive\r\n",
        "accept-encoding: gzip\r\n",
        "range: bytes=0-\r\n",
        "0\r\n\r\n",
        "ffffffffffffffff\r\n",
        "/api/run",
        "/api/",
        "/%00",
        "..",
        "?",
        "#",
        "application/json",
        "text/plain",
        "{}",
        "\"script\":",
        "if-none-match: *\r\n",
        "cookie: a=b\r\n",
    ];
    words.map(str::to_owned).to_vec()
}

/// Returns the server of this process.
fn server() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let config = Config {
            threads: 1,
            time: Duration::from_secs(2),
            slow: Duration::from_secs(2),
            deals: 50,
            cells: 1 << 14,
            solver_memory: 16,
            body: 1 << 15,
            hosts: BTreeSet::from(["fuzz".to_owned()]),
            ..Config::default()
        };
        std::thread::spawn(move || serve::serve(listener, config));
        address
    })
}

/// Sends the bytes, closes the sending side, and reads the whole response.
fn send(bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(server()).expect("the server takes connections");
    // The server may answer and close before it has read everything.
    let _ = stream.write_all(bytes);
    // The server waits for the rest of an incomplete request; a short wait is enough here.
    stream
        .set_read_timeout(Some(Duration::from_millis(200)))
        .expect("a time limit");
    let mut answer = Vec::new();
    let mut told = false;
    let mut buffer = [0; 1 << 14];
    let start = Instant::now();
    while answer.len() < 8 << 20 {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => answer.extend_from_slice(&buffer[..count]),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                assert!(
                    start.elapsed() < Duration::from_secs(30),
                    "an end within thirty seconds"
                );
                if !told {
                    told = true;
                    let _ = stream.shutdown(Shutdown::Write);
                }
            }
            Err(_) => break,
        }
    }
    answer
}

fn feed(input: &[u8]) -> u64 {
    let mut observed = Observed::default();
    let answer = send(input);
    if !answer.is_empty() {
        assert!(
            answer.starts_with(b"HTTP/1."),
            "a status line: {}",
            String::from_utf8_lossy(&answer[..answer.len().min(80)])
        );
        observed.note(&answer[9..answer.len().min(12)]);
        assert_ne!(answer.get(9..12), Some(&b"500"[..]), "no error of ours");
    }
    let alive = send(b"GET /api/info HTTP/1.1\r\nhost: fuzz\r\nconnection: close\r\n\r\n");
    assert!(
        alive.starts_with(b"HTTP/1.1 200"),
        "the server still answers"
    );
    observed.number()
}
