//! What a job may do, and how it ends.

use rustix::process::Signal;
use serde_json::json;

use crate::serve_support::{Server, endless, is_alive, job, soon, with};

#[test]
fn programs_read_no_files() {
    let server = Server::start(&[]);
    let secret = std::env::temp_dir().join(format!("taut-secret-{}.h", std::process::id()));
    std::fs::write(&secret, "byte what_nobody_may_see;\n").expect("a file");
    let includes = [
        format!("\"{}\"", secret.display()),
        "\"/etc/passwd\"".into(),
        "</etc/passwd>".into(),
        "\"../../../../../../etc/passwd\"".into(),
        "\"etc/passwd\"".into(),
        "\"examples/peterson.pml\"".into(),
        "\"peterson.pml\"".into(),
        "\"/proc/self/environ\"".into(),
        "\"/dev/stdin\"".into(),
        "\"/proc/self/fd/0\"".into(),
    ];
    for include in includes {
        let text = format!("#include {include}\nactive proctype p() {{ skip }}\n");
        let reply = server.served.post(&job("p.pml", "promela", &text));
        let events = reply.events();
        let last = events.last().expect("events");
        assert_eq!(last["event"], "refused", "{include}: {last}");
        let message = &last["diagnostics"][0];
        assert_eq!((&message["code"], &message["line"]), (&json!("P0031"), &json!(1)), "{include}");
        // Not that it is not there: that it was not looked for.
        assert_eq!(message["hint"], "put what is in it into the model itself", "{include}");
        for leaked in ["root:", "what_nobody_may_see", "MALLOC"] {
            assert!(!reply.body.contains(leaked), "{include}: {}", reply.body);
        }
    }
    std::fs::remove_file(secret).expect("it was there");
    let own =
        "#include \"taut.h\"\nbyte x;\nactive proctype p() { x = 1; FENCE(); assert(x == 1) }\n";
    let events = server.served.post(&job("p.pml", "promela", own)).events();
    assert_eq!(events.last().expect("events")["document"]["verdict"], "holds", "{events:?}");
    let model = "default(N, 1)process p { state s; init s; trans s -> s {}; }\nsystem async;\n";
    let attack = format!("syscmd(`touch /tmp/taut-was-here'){model}");
    let events = server.served.post(&job("p.mdve", "dve", &attack)).events();
    let last = events.last().expect("events");
    assert_eq!(
        (&last["event"], &last["diagnostics"][0]["code"]),
        (&json!("refused"), &json!("E0010"))
    );
    let events = server.served.post(&job("p.mdve", "dve", model)).events();
    assert_eq!(events.last().expect("events")["document"]["verdict"], "holds", "{events:?}");
    assert!(!std::fs::exists("/tmp/taut-was-here").expect("an answer"));
    server.assert_healthy();
}

#[test]
fn what_is_asked_beside_the_program_is_answered() {
    let server = Server::start(&[]);
    let last = |job: &serde_json::Value| server.served.post(job).events().pop().expect("events");
    let names = |last: &serde_json::Value| {
        let answers = last["document"]["models"].as_array().expect("models").iter();
        let asked = answers.filter(|model| model["asked"] == true);
        let all = asked.flat_map(|model| model["answers"].as_array().expect("answers"));
        all.map(|answer| format!("{} {}", answer["property"], answer["verdict"]))
            .collect::<Vec<_>>()
    };
    let text = "shared 0..1 x = 0;\nprocess p begin x := 1; done: skip; end\n\
                forbid one: x == 1;\nforbid two: x == 0 && p@done;\n";
    let asked = |field, value| with(job("p.taut", "taut", text), field, json!(value));
    let found = names(&last(&asked("property", " two ")));
    assert!(found.iter().any(|one| one.starts_with("\"two\"")), "{found:?}");
    assert!(!found.iter().any(|one| one.starts_with("\"one\"")), "{found:?}");
    let found = names(&last(&asked("formula", "<> (x == 1)")));
    assert!(found.contains(&"\"ltl\" \"holds\"".to_owned()), "{found:?}");
    let refused = last(&asked("property", "three"));
    assert!(refused["rendered"].as_str().expect("words").contains("`three`"), "{refused}");
    let refused = last(&asked("formula", "[] (x =="));
    assert_eq!(refused["event"], "refused", "{refused}");
    let refused = last(&asked("ghost", "x"));
    assert_eq!(refused["event"], "refused", "{refused}");
    // A store to an observer does not wait in a buffer.
    let model = "byte x; byte seen;\nactive proctype p() { seen = 1; assert(seen == 1) }\n\
                 active proctype q() { x = 1; }\n";
    let with_ghost = with(job("p.pml", "promela", model), "ghost", json!("seen"));
    let found = last(&with_ghost);
    assert_eq!(found["event"], "report", "{found}");
    let cells = found["document"]["runs"].as_array().map_or(0, Vec::len);
    assert_eq!(cells, 0, "{found}");
    let none = with(job("p.pml", "promela", model), "ghost", json!("no_such_variable"));
    assert_eq!(last(&none)["event"], "refused");
    // A Taut program includes no file, and a chapter of the book is at hand.
    let includes = job("p.taut", "taut", "include \"/etc/passwd\";\nprocess p begin skip; end\n");
    let refused = last(&includes);
    assert_eq!(refused["diagnostics"][0]["code"], "T0021", "{refused}");
    assert!(server.served.get("book/cheat-sheet.md").body.starts_with("# Cheat sheet"));
    assert_eq!(server.served.get("book/../setup").status, 404);
    server.assert_healthy();
}

#[test]
fn what_is_known_is_told_before_the_end() {
    let server = Server::start(&[]);
    let text = "shared 0..1 x = 0;\nprocess p begin x := 1; end\nforbid one: x == 1;\n";
    let compare = with(job("p.taut", "taut", text), "task", json!("compare"));
    let events = server.served.post(&compare).events();
    let known = events.iter().filter(|event| event["event"] == "partial");
    let first = known.clone().next().expect("a partial report");
    assert_eq!(first["document"]["verdict"], "violated", "{first}");
    assert!(known.count() >= 3, "{events:?}");
    assert_eq!(events.last().expect("events")["event"], "report");
}

#[test]
fn a_process_of_a_job_has_nothing_but_its_limits() {
    let server = Server::start(&["--max-memory", "100M"]);
    let mut events = server.served.events(&endless());
    events.find(|event| event["event"] == "progress").expect("progress");
    let folder = format!("/proc/{}", server.children()[0]);
    let limits = std::fs::read_to_string(format!("{folder}/limits")).expect("limits");
    let limit = |name: &str| {
        let line = limits.lines().find_map(|line| line.strip_prefix(name)).expect(name);
        let words: Vec<u64> = line.split_whitespace().take(2).map(|w| w.parse().unwrap()).collect();
        assert_eq!(words[0], words[1], "{name}: the process could raise it");
        words[0]
    };
    assert_eq!(limit("Max address space"), (100 + 128) << 20);
    assert_eq!(limit("Max open files"), 3);
    assert_eq!(limit("Max file size"), 0);
    assert_eq!(limit("Max core file size"), 0);
    for open in std::fs::read_dir(format!("{folder}/fd")).expect("a list") {
        let what = std::fs::read_link(open.expect("an entry").path()).expect("a link");
        let what = what.to_string_lossy();
        assert!(!what.starts_with("socket:"), "a connection of the server: {what}");
    }
    let environment = std::fs::read_to_string(format!("{folder}/environ")).expect("a list");
    assert_eq!(environment, "MALLOC_ARENA_MAX=1\0");
    let here = std::fs::read_link(format!("{folder}/cwd")).expect("a folder");
    assert_eq!(here.to_str(), Some("/"));
}

#[test]
fn a_program_with_mistakes_is_refused_with_places() {
    let server = Server::start(&[]);
    let events = server.served.post(&job("p.taut", "taut", "shared bool x;\nproces p\n")).events();
    let last = events.last().expect("events");
    assert_eq!(last["event"], "refused");
    let first = &last["diagnostics"][0];
    assert_eq!((&first["severity"], &first["line"]), (&json!("error"), &json!(2)), "{last}");
    assert!(first["end_column"].as_u64() > first["column"].as_u64(), "{first}");
    assert!(last["rendered"].as_str().expect("words").contains("p.taut:2:1"), "{last}");
}

#[test]
fn a_connection_that_ends_takes_its_job_with_it() {
    let server = Server::start(&[]);
    let mut events = server.served.events(&endless());
    let progress = events.find(|event| event["event"] == "progress").expect("progress");
    assert!(progress["seconds"].as_f64().expect("a number") > 0.0, "{progress}");
    let children = server.children();
    assert_eq!(children.len(), 1);
    let mut waiting = server.served.events(&endless());
    assert_eq!(waiting.next(), Some(json!({"event": "waiting", "ahead": 0})));
    assert_eq!(server.health(), (1, 1));
    drop(waiting);
    soon("the one that waits is gone", || server.health() == (1, 0));
    drop(events);
    soon("the process is gone", || !is_alive(children[0]));
    server.assert_healthy();
}

#[test]
fn a_job_that_takes_too_long_ends_with_what_was_learned() {
    let server = Server::start(&["--timeout", "1s"]);
    for task in ["check", "compare", "repair"] {
        let events = server.served.post(&with(endless(), "task", json!(task))).events();
        assert!(events.iter().any(|event| event["event"] == "progress"));
        let last = events.last().expect("events");
        match task {
            "repair" => assert_eq!(last["outcome"], "unknown", "{last}"),
            "check" => assert_eq!(last["document"]["verdict"], "unknown", "{last}"),
            _ => assert_eq!(last["event"], "report", "{last}"),
        }
    }
    server.assert_healthy();
}

#[test]
fn a_job_that_needs_too_much_memory_ends() {
    let server = Server::start(&["--max-memory", "32M"]);
    let events = server.served.post(&endless()).events();
    assert_eq!(events[0]["limits"]["memory_mib"], 32);
    let last = events.last().expect("events");
    assert_eq!(last["document"]["verdict"], "unknown", "{last}");
    assert!(last.to_string().contains("of memory was met"), "{last}");
    server.assert_healthy();
}

#[test]
fn memory_that_no_search_asks_for_is_limited_too() {
    let server = Server::start(&["--max-memory", "16M"]);
    // A million words, each with its place: the front end stops there, and would need some 150 MiB to say so.
    let mut model = String::from("#define a0 skip;\n");
    for i in 0..8 {
        model += &format!("#define a{} {}\n", i + 1, format!("a{i} ").repeat(10));
    }
    let job = job("bomb.pml", "promela", &format!("{model}init {{ a8 }}\n"));
    let events = server.served.post(&job).events();
    let last = events.last().expect("events");
    assert_eq!((&last["event"], &last["reason"]), (&json!("stopped"), &json!("memory")), "{last}");
    // With more of it there is an answer.
    let roomy = Server::start(&["--max-memory", "1G"]);
    let events = roomy.served.post(&job).events();
    let last = events.last().expect("events");
    assert_eq!(last["diagnostics"][0]["code"], "P0037", "{last}");
    server.assert_healthy();
}

#[test]
fn the_end_of_the_server_is_the_end_of_its_jobs() {
    for signal in [Signal::INT, Signal::TERM, Signal::KILL] {
        let mut server = Server::start(&[]);
        let mut events = server.served.events(&endless());
        events.find(|event| event["event"] == "progress").expect("progress");
        let children = server.children();
        assert_eq!(children.len(), 1);
        server.signal(signal);
        let status = server.wait();
        assert_eq!(status.success(), signal != Signal::KILL, "{status}");
        soon("the process is gone", || !is_alive(children[0]));
    }
}
