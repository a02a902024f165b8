//! How much may be asked: requests that are wrong, large, slow or many.

use std::io::Write;
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;

use super::sb;
use crate::serve_support::{Server, job, with};

#[test]
fn bad_requests_are_told_what_is_wrong() {
    let server = Server::start(&[]);
    let long = "x".repeat(200);
    for (field, value) in [
        ("task", json!("shell")),
        ("name", json!("../../etc/passwd")),
        ("name", json!("/etc/passwd")),
        ("name", json!("a\u{0}b")),
        ("name", json!(long)),
        ("language", json!("cobol")),
        ("model", json!("arm")),
        ("engine", json!(1)),
        ("bound", json!(-1)),
        ("bound", json!(1e100)),
        ("seconds", json!(-1)),
        ("memory_mib", json!(0)),
        ("file", json!("/etc/passwd")),
    ] {
        let reply = server.served.post(&with(sb(), field, value.clone()));
        assert_eq!(reply.status, 400, "{field} {value}");
        assert!(!reply.json()["error"].as_str().expect("words").is_empty());
    }
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let nested = format!("{{\"task\":{deep}}}");
    for body in ["", "{", "null", "[]", "\"\"", "{}", "{\"task\":\"check\"}", &deep, &nested] {
        let reply = server.served.raw(server.served.job(body));
        assert_eq!(reply.status, 400, "{}", &body[..body.len().min(40)]);
    }
    // A program that is understood and cannot be asked this.
    for (field, value) in [("bound", json!(0)), ("engine", json!("rounds"))] {
        let job = with(with(sb(), "model", json!("pso")), field, value);
        let events = server.served.post(&job).events();
        assert_eq!(events.last().expect("events")["event"], "refused", "{events:?}");
    }
    server.assert_healthy();
}

#[test]
fn what_is_too_large_is_refused_with_a_message() {
    let server = Server::start(&["--max-bytes", "1K"]);
    let text = "x".repeat(1025);
    let reply = server.served.post(&job("p.taut", "taut", &text));
    assert_eq!(reply.status, 413);
    assert!(reply.json()["error"].as_str().expect("words").contains("1025 bytes"));
    assert_eq!(server.served.post(&job("p.taut", "taut", &"x".repeat(3_000_000))).status, 413);
    let (root, host) = (&server.served.root, &server.served.host);
    let head =
        format!("POST {root}jobs HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n");
    // A length that nobody believes, and one that is a lie.
    let huge = server.served.raw(format!("{head}Content-Length: 1000000000000\r\n\r\n{{"));
    assert_eq!(huge.status, 413);
    let mut liar = server.served.connect();
    write!(liar, "{head}Content-Length: 100\r\n\r\n{{").expect("it is taken");
    liar.shutdown(Shutdown::Write).expect("a half-closed connection");
    // Chunks without end.
    let mut stream = server.served.connect();
    write!(stream, "{head}Transfer-Encoding: chunked\r\n\r\n").expect("it is taken");
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    let sent = (0..).take(4096).take_while(|_| stream.write_all(chunk.as_bytes()).is_ok()).count();
    assert!(sent < 4096, "somebody reads 256 MiB");
    server.assert_healthy();
}

#[test]
fn who_sends_slowly_holds_nobody_up() {
    let server = Server::start(&[]);
    let begun = format!("GET {}health HTTP/1.1\r\nHost: ", server.served.root);
    let slow: Vec<TcpStream> = (0..300)
        .map(|i| {
            let mut stream = server.served.connect();
            // Some say nothing, some begin a head, some a body.
            let body = server.served.job("{}").replace("Content-Length: 2", "Content-Length: 9");
            let beginning = ["", &begun, &body][i % 3];
            stream.write_all(beginning.as_bytes()).expect("it is taken");
            stream
        })
        .collect();
    let started = Instant::now();
    assert_eq!(server.served.get("health").status, 200);
    assert!(started.elapsed() < Duration::from_secs(40));
    server.assert_healthy();
    drop(slow);
}

#[test]
fn a_thousand_jobs_at_once() {
    let open = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: open.maximum, ..open }).expect("more files");
    let server = Server::start(&["--jobs", "2", "--waiting", "10"]);
    let (request, done) = (server.served.job(&sb().to_string()), AtomicBool::new(false));
    let (most, counts) = (AtomicUsize::new(0), [const { AtomicUsize::new(0) }; 3]);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                most.fetch_max(server.children().len(), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let clients: Vec<_> =
            (0..1000).map(|_| scope.spawn(|| server.served.raw(&request))).collect();
        for client in clients {
            let reply = client.join().expect("an answer");
            let kind = match reply.status {
                200 => {
                    let last = reply.events().pop().expect("events");
                    assert_eq!(last["document"]["verdict"], "violated", "{last}");
                    0
                }
                429 => 1,
                _ => panic!("{reply:?}"),
            };
            counts[kind].fetch_add(1, Ordering::Relaxed);
        }
        done.store(true, Ordering::Relaxed);
    });
    let [answered, refused, _] = counts.map(AtomicUsize::into_inner);
    assert_eq!(answered + refused, 1000);
    assert!(answered >= 12, "{answered}");
    assert!(most.into_inner() <= 2);
    server.assert_healthy();
}
