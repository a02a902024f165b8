//! Who may ask. A page from elsewhere can make a browser send requests to this machine; it must not get
//! an answer.
//!
//! Two ways are closed here. A name that was made to point to this machine (DNS rebinding) shows in `Host`: only
//! addresses in digits and `localhost` are served. And a request that a foreign page made says so in `Origin`
//! and `Sec-Fetch-Site`.

use std::net::{IpAddr, SocketAddr};

use hyper::header::{self, HeaderMap, HeaderName};
use hyper::{Method, StatusCode, Uri};

use crate::answer::Refusal;

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Refuses requests that were not meant for this server, or come from another page.
pub(crate) fn check(
    socket: SocketAddr,
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
) -> Result<(), Refusal> {
    let host = one(headers, header::HOST).filter(|host| is_ours(socket, host));
    // A whole address in place of a path is for proxies, and this is none.
    let Some(host) = host.filter(|_| uri.authority().is_none()) else {
        return Err(forbidden("this request was meant for another server")
            .hint("open the address as `taut serve` printed it"));
    };
    if method == Method::POST && is_foreign(headers, host) {
        return Err(forbidden("this request comes from another page")
            .hint("open the address as `taut serve` printed it, and ask from there"));
    }
    Ok(())
}

fn forbidden(error: &str) -> Refusal {
    Refusal::new(StatusCode::FORBIDDEN, error)
}

/// The value of a header that is there once.
fn one(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut all = headers.get_all(name).iter();
    let value = all.next()?.to_str().ok()?;
    all.next().is_none().then_some(value)
}

/// Whether a host and port are an address of this server.
fn is_ours(socket: SocketAddr, host: &str) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
        _ => (host, Some(80)),
    };
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    let ours = match bare.parse::<IpAddr>() {
        Ok(ip) => ip == socket.ip() || socket.ip().is_unspecified() || ip.is_loopback(),
        Err(_) => name.eq_ignore_ascii_case("localhost"),
    };
    ours && port == Some(socket.port())
}

fn is_foreign(headers: &HeaderMap, host: &str) -> bool {
    let origin = headers.contains_key(header::ORIGIN)
        && one(headers, header::ORIGIN) != Some(&format!("http://{host}"));
    let site = headers.contains_key(SEC_FETCH_SITE)
        && !matches!(one(headers, SEC_FETCH_SITE), Some("same-origin" | "none"));
    origin || site
}

#[cfg(test)]
mod tests {
    use super::*;

    fn socket(ip: [u8; 4]) -> SocketAddr {
        (ip, 8080).into()
    }

    fn is_refused(method: Method, headers: &[(&'static str, &str)]) -> bool {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().expect("a value"));
        }
        check(socket([127, 0, 0, 1]), &method, &Uri::from_static("/"), &map).is_err()
    }

    #[test]
    fn hosts_in_digits_and_localhost_are_ours() {
        for host in ["127.0.0.1:8080", "localhost:8080", "LocalHost:8080", "[::1]:8080"] {
            assert!(is_ours(socket([127, 0, 0, 1]), host), "{host}");
        }
        let others =
            ["evil.example:8080", "127.0.0.1", "127.0.0.1:80", "10.0.0.1:8080", "", ":8080"];
        for host in others.into_iter().chain(["127.0.0.1.evil.example:8080", "[::1]", "localhost."])
        {
            assert!(!is_ours(socket([127, 0, 0, 1]), host), "{host}");
        }
        assert!(is_ours(socket([0, 0, 0, 0]), "10.0.0.1:8080"));
        assert!(!is_ours(socket([0, 0, 0, 0]), "evil.example:8080"));
        assert!(is_ours(([127, 0, 0, 1], 80).into(), "127.0.0.1"));
    }

    #[test]
    fn foreign_pages_cannot_post() {
        let host = ("host", "127.0.0.1:8080");
        let own = ("origin", "http://127.0.0.1:8080");
        assert!(!is_refused(Method::POST, &[host]));
        assert!(!is_refused(Method::POST, &[host, own, ("sec-fetch-site", "same-origin")]));
        for origin in
            ["http://evil.example", "null", "https://127.0.0.1:8080", "http://127.0.0.1:80"]
        {
            assert!(is_refused(Method::POST, &[host, ("origin", origin)]), "{origin}");
        }
        assert!(is_refused(Method::POST, &[host, own, ("origin", "http://evil.example")]));
        for site in ["cross-site", "same-site", ""] {
            assert!(is_refused(Method::POST, &[host, ("sec-fetch-site", site)]), "{site}");
        }
    }

    #[test]
    fn a_host_must_be_named_once() {
        let host = ("host", "127.0.0.1:8080");
        assert!(is_refused(Method::GET, &[]));
        assert!(is_refused(Method::GET, &[host, host]));
        assert!(!is_refused(Method::GET, &[host]));
    }
}
