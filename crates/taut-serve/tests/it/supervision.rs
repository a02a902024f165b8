//! What the server makes of processes that do not behave: here a shell in place of `taut`.

#![cfg(unix)]

use std::io::Write;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use taut_page::{Named, NamedLanguage, Setup};
use taut_serve::{Limits, Options, Runner, serve};
use taut_testkit::served::Served;

/// A server whose jobs are a shell script and may take a second.
fn server(script: &str) -> Served {
    server_with(script, Duration::from_secs(1))
}

fn server_with(script: &str, time: Duration) -> Served {
    let named = |name| vec![Named { name, title: "" }];
    let options = Options {
        host: Options::LOOPBACK,
        port: 0,
        limits: Limits { bytes: 1000, time, memory_mib: 64, jobs: 1, waiting: 2 },
        setup: Setup {
            version: "1".into(),
            tasks: vec!["check"],
            models: named("tso"),
            engines: named("auto"),
            languages: vec![NamedLanguage { name: "taut", ..NamedLanguage::default() }],
            examples: Vec::new(),
            book: Vec::new(),
        },
        runner: Runner { program: "/bin/sh".into(), arguments: vec!["-c".into(), script.into()] },
    };
    let (sender, receiver) = channel();
    // It ends with the test.
    std::thread::spawn(move || serve(options, |address| sender.send(address.to_string()).unwrap()));
    Served::at(&receiver.recv().expect("an address"))
}

fn job() -> Value {
    json!({
        "task": "check", "name": "p.taut", "language": "taut", "text": "skip",
        "model": "tso", "engine": "auto",
    })
}

/// All events of a job that such a process runs.
fn events(script: &str) -> Vec<Value> {
    server(script).post(&job()).events()
}

/// How a job ends.
fn last(script: &str) -> Value {
    let events = events(script);
    assert_eq!(events[0]["event"], "started", "{events:?}");
    assert_eq!(events[0]["limits"], json!({"seconds": 1.0, "memory_mib": 64}));
    events.last().expect("events").clone()
}

#[test]
fn a_process_that_answers_has_its_events_passed_on() {
    let script = r#"read job; echo '{"event":"progress","n":1}'; echo noise
        echo '{"event":"report","document":{}}'; echo '{"event":"report"}'"#;
    let expected = [
        json!({"event": "started", "limits": {"seconds": 1.0, "memory_mib": 64}}),
        json!({"event": "progress", "n": 1}),
        json!({"event": "report", "document": {}}),
    ];
    assert_eq!(events(script), expected);
}

#[test]
fn a_process_gets_the_job_and_nothing_else() {
    // Quotes of the job would end the string.
    let script = r#"read job; echo "{\"event\":\"report\",\"in\":\"$(pwd)\",\"home\":\"$HOME\",\"job\":$job}""#;
    let last = last(script);
    assert_eq!((&last["in"], &last["home"]), (&json!("/"), &json!("")));
    let mut expected = job();
    for field in ["bound", "formula", "property", "ghost"] {
        expected[field] = Value::Null;
    }
    expected["seconds"] = json!(1.0);
    expected["memory_mib"] = json!(64);
    assert_eq!(last["job"], expected);
}

#[test]
fn a_process_that_does_not_end_is_ended() {
    let started = Instant::now();
    let last = last("read job; exec sleep 1000");
    assert_eq!((&last["event"], &last["reason"]), (&json!("stopped"), &json!("time")), "{last}");
    assert!(started.elapsed() >= Duration::from_secs(2));
}

#[test]
fn a_process_that_is_late_within_a_line_has_its_line_ended() {
    let body = server(r#"read job; printf '{"event":"report","document":'; exec sleep 1000"#)
        .post(&job())
        .body;
    let lines: Vec<_> = body.lines().collect();
    assert_eq!(lines[1], r#"{"event":"report","document":"#);
    assert!(lines[2].starts_with(r#"{"event":"stopped","reason":"time""#), "{body}");
    assert_eq!(lines.len(), 3);
}

#[test]
fn processes_that_break_say_how() {
    for (script, reason, words) in [
        ("read job; exit 70", "crash", "exit status: 70"),
        ("read job; echo ouch >&2; exit 1", "crash", "It said: ouch"),
        ("read job; kill -SEGV $$", "crash", "signal: 11"),
        ("exit 0", "crash", "without an answer"),
        (
            "read job; echo 'memory allocation of 8 bytes failed' >&2; kill -ABRT $$",
            "memory",
            "64 MiB",
        ),
        ("read job; kill -KILL $$", "memory", "64 MiB"),
    ] {
        let last = last(script);
        assert_eq!(last["event"], "stopped", "{script}");
        assert_eq!(last["reason"], reason, "{script}: {last}");
        assert!(last["message"].as_str().expect("words").contains(words), "{script}: {last}");
        assert!(!last["hint"].as_str().expect("words").is_empty());
    }
}

#[test]
fn a_process_that_floods_standard_error_is_read_to_its_end() {
    let last = last("read job; yes | head -c 1000000 >&2; exit 1");
    assert_eq!(last["reason"], "crash");
    assert!(last["message"].as_str().expect("words").len() < 5000);
}

#[test]
fn a_large_answer_passes_as_it_is() {
    let script = r#"read job; printf '{"event":"report","text":"'; head -c 3000000 /dev/zero | tr '\0' x; echo '"}'"#;
    assert_eq!(last(script)["text"].as_str().map(str::len), Some(3_000_000));
}

#[test]
fn who_does_not_read_holds_no_slot() {
    let script = r#"read job; printf '{"event":"report","text":"'; cat /dev/zero"#;
    let server = server(script);
    let mut deaf = server.connect();
    deaf.write_all(server.job(&job().to_string()).as_bytes()).expect("a request is taken");
    let free = json!({"running": 0, "waiting": 0});
    let started = Instant::now();
    while server.get("health").json() == free {
        assert!(started.elapsed() < Duration::from_secs(10), "the job does not start");
    }
    while server.get("health").json() != free {
        assert!(started.elapsed() < Duration::from_secs(20), "the job does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn jobs_wait_in_order_and_some_are_refused() {
    let server = server_with("read job; exec sleep 1000", Duration::from_secs(60));
    let mut first = server.events(&job());
    assert_eq!(first.next().expect("an event")["event"], "started");
    let mut second = server.events(&job());
    assert_eq!(second.next(), Some(json!({"event": "waiting", "ahead": 0})));
    let mut third = server.events(&job());
    assert_eq!(third.next(), Some(json!({"event": "waiting", "ahead": 1})));
    let refused = server.post(&job());
    assert_eq!(refused.status, 429);
    assert!(refused.head.contains("retry-after: 1"), "{}", refused.head);
    assert_eq!(server.get("health").json(), json!({"running": 1, "waiting": 2}));
    // Who leaves makes room for those behind.
    drop(second);
    let ahead = json!({"event": "waiting", "ahead": 0});
    assert!(third.by_ref().take(100).any(|event| event == ahead));
    drop(first);
    assert!(third.by_ref().take(100).any(|event| event["event"] == "started"));
    assert_eq!(server.get("health").json(), json!({"running": 1, "waiting": 0}));
}

#[test]
fn a_program_that_cannot_be_started_is_said_so() {
    let last = last("exec /nowhere/at/all");
    assert_eq!((&last["event"], &last["reason"]), (&json!("stopped"), &json!("crash")));
}
