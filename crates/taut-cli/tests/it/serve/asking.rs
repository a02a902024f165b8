//! Who may ask, and how.

use std::net::TcpStream;
use std::process::Command;

use super::sb;
use crate::serve_support::Server;

#[test]
fn the_page_and_what_belongs_to_it_are_there() {
    let server = Server::start(&[]);
    let page = server.served.get("");
    assert_eq!(page.status, 200);
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self';",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cache-control: no-store",
        "content-type: text/html; charset=utf-8",
    ] {
        assert!(page.head.contains(header), "{header}: {}", page.head);
    }
    assert!(page.body.contains("page.js") && page.body.contains("page.css"));
    assert!(server.served.get("page.js").body.contains("mountReport"));
    assert!(server.served.get("page.css").body.contains("taut-report"));
    let setup = server.served.get("setup").json();
    assert_eq!(setup["limits"]["seconds"], 30.0);
    assert_eq!(setup["limits"]["bytes"], 256 << 10);
    for list in ["models", "engines", "languages", "examples"] {
        assert!(setup[list].as_array().is_some_and(|list| list.len() >= 4), "{list}");
    }
    let bare = server.served.root.trim_end_matches('/');
    let moved = server.served.request("GET", bare, "");
    assert_eq!(moved.status, 308);
    assert!(moved.head.contains(&format!("location: {}", server.served.root)), "{}", moved.head);
    assert_eq!(server.served.request("HEAD", &server.served.root, "").body, "");
}

#[test]
fn without_the_token_nothing_is_there() {
    let server = Server::start(&[]);
    let root = &server.served.root;
    let (mut changed, half) = (root.clone(), &root[..20]);
    changed.replace_range(1..2, if root.starts_with("/0") { "1" } else { "0" });
    let paths =
        ["/", "/health", "/setup", "/jobs", "/favicon.ico", "//", half, changed.as_str(), "*"];
    for path in paths {
        for method in ["GET", "POST", "OPTIONS"] {
            let reply = server.served.request(method, path, "");
            assert!(matches!(reply.status, 404 | 400), "{method} {path}: {reply:?}");
            assert!(!reply.body.to_lowercase().contains("token"));
        }
    }
    let (one, other) = (&server.address, &Server::start(&[]).address);
    assert_ne!(one.rsplit('/').nth(1), other.rsplit('/').nth(1));
}

#[test]
fn paths_lead_nowhere() {
    let server = Server::start(&[]);
    let root = &server.served.root;
    for below in [
        "../../etc/passwd",
        "..",
        "./setup",
        "../setup",
        "%2e%2e/%2e%2e/etc/passwd",
        "%2e%2e%2fetc%2fpasswd",
        "..%2f..%2fetc%2fpasswd",
        "..%5c..%5cetc%5cpasswd",
        "..\\..\\etc\\passwd",
        "....//....//etc/passwd",
        "%252e%252e%252fetc%252fpasswd",
        "/etc/passwd",
        "page.js/../../Cargo.toml",
        "page.js%00.html",
        "assets/page.js",
        "health/",
        "JOBS",
        "..;/etc/passwd",
        "%c0%ae%c0%ae/etc/passwd",
    ] {
        let reply = server.served.get(below);
        assert!(matches!(reply.status, 400 | 404), "{below}: {reply:?}");
        assert!(!reply.body.contains("root:"), "{below}");
    }
    for target in ["http://evil.example", "file:///etc/passwd", "/etc/passwd", "etc/passwd"] {
        let reply = server.served.request("GET", target, "");
        assert!(matches!(reply.status, 400 | 403 | 404), "{target}: {reply:?}");
    }
    let whole = format!("http://evil.example{root}");
    assert_eq!(server.served.request("GET", &whole, "").status, 403);
}

#[test]
fn other_hosts_and_other_pages_are_refused() {
    let server = Server::start(&[]);
    let (root, host) = (&server.served.root, &server.served.host);
    let port = host.rsplit(':').next().expect("a port");
    for (name, status) in [
        (host.clone(), 200),
        (format!("localhost:{port}"), 200),
        ("127.0.0.1".into(), 403),
        ("evil.example".into(), 403),
        (format!("evil.example:{port}"), 403),
        (format!("127.0.0.1.evil.example:{port}"), 403),
    ] {
        let reply = server.served.raw(format!("GET {root} HTTP/1.1\r\nHost: {name}\r\n\r\n"));
        assert_eq!(reply.status, status, "{name}");
    }
    assert_eq!(server.served.raw(format!("GET {root} HTTP/1.0\r\n\r\n")).status, 403);
    let body = sb().to_string();
    let post = |headers: &str| {
        let request = server.served.job(&body);
        server.served.raw(request.replacen("\r\n", &format!("\r\n{headers}"), 1)).status
    };
    assert_eq!(post(&format!("Origin: http://{host}\r\nSec-Fetch-Site: same-origin\r\n")), 200);
    for headers in [
        "Origin: http://evil.example\r\n",
        "Origin: null\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
        "Sec-Fetch-Site: same-site\r\n",
    ] {
        assert_eq!(post(headers), 403, "{headers}");
    }
    server.assert_healthy();
}

#[test]
fn methods_and_types_are_what_they_should_be() {
    let server = Server::start(&[]);
    let root = &server.served.root;
    for method in ["GET", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"] {
        let reply = server.served.request(method, &format!("{root}jobs"), "");
        assert_eq!(reply.status, 405, "{method}");
        assert!(reply.head.contains("allow: post"), "{}", reply.head);
    }
    for below in ["", "page.js", "setup", "health"] {
        let reply =
            server.served.request("POST", &format!("{root}{below}"), "Content-Length: 0\r\n");
        assert_eq!(reply.status, 405, "{below}");
        assert!(!reply.json()["error"].as_str().expect("words").is_empty());
    }
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        let request = server.served.job(&sb().to_string()).replace("application/json", kind);
        assert_eq!(server.served.raw(request).status, 415, "{kind}");
    }
    assert!(matches!(server.served.raw("hello\r\n\r\n").status, 0 | 400));
    let headers = format!("X: {}\r\n", "x".repeat(100_000));
    assert!(matches!(server.served.request("GET", root, &headers).status, 0 | 431));
    server.assert_healthy();
}

#[test]
fn only_this_machine_can_reach_it_unless_asked() {
    let server = Server::start(&[]);
    assert!(server.served.host.starts_with("127.0.0.1:"));
    let port: u16 = server.served.host[10..].parse().expect("a port");
    assert!(TcpStream::connect(("127.0.0.2", port)).is_err());
    assert_eq!(listening(port), ["0100007F"]);
    assert!(!server.complaints().contains("warning"));
    let open = Server::start(&["--host", "0.0.0.0"]);
    let complaints = open.complaints();
    assert!(complaints.contains("warning: other machines can reach this page"), "{complaints}");
}

#[test]
fn where_it_cannot_listen_it_says_so() {
    let server = Server::start(&[]);
    let port = server.served.host.rsplit(':').next().expect("a port");
    for (arguments, words) in [
        (["--port", port], "help: leave --port out"),
        (["--host", "192.0.2.1"], "help: this machine has no such address"),
        (["--host", "example.com"], "use an address in digits"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
        let output = command.arg("serve").args(arguments).output().expect("taut runs");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{complaint}");
        assert!(output.stdout.is_empty());
        assert!(complaint.contains(words), "{complaint}");
    }
}

/// The addresses on which somebody listens at a port, as the kernel writes them.
fn listening(port: u16) -> Vec<String> {
    let table = std::fs::read_to_string("/proc/net/tcp").expect("Linux")
        + &std::fs::read_to_string("/proc/net/tcp6").unwrap_or_default();
    let at = format!(":{port:04X}");
    let rows = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    // State 0A is LISTEN.
    rows.filter(|row| row.len() > 3 && row[3] == "0A" && row[1].ends_with(&at))
        .map(|row| row[1].trim_end_matches(&at).to_owned())
        .collect()
}
