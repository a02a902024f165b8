//! Answers: the headers that every one of them has, and refusals in words.

use hyper::body::Bytes;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde::Serialize;

use crate::body::Answered;

/// What a page from here may do: use its own script and style, and ask this server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
     img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The headers of every answer. Nothing is kept, nothing is told to others, nothing is taken for what it is not.
const ALWAYS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

pub(crate) const HTML: &str = "text/html; charset=utf-8";
pub(crate) const SCRIPT: &str = "text/javascript; charset=utf-8";
pub(crate) const STYLE: &str = "text/css; charset=utf-8";
pub(crate) const MARKDOWN: &str = "text/markdown; charset=utf-8";
const JSON: &str = "application/json";
const LINES: &str = "application/x-ndjson";

/// An answer.
pub(crate) type Answer = Response<Answered>;

/// An answer with a text.
pub(crate) fn text(content_type: &'static str, text: impl Into<Bytes>) -> Answer {
    of(StatusCode::OK, content_type, Answered::Whole(Some(text.into())))
}

/// An answer with an object.
pub(crate) fn json(object: &impl Serialize) -> Answer {
    of(StatusCode::OK, JSON, Answered::Whole(Some(encoded(object))))
}

/// An answer that goes on: a line per event.
pub(crate) fn events(body: Answered) -> Answer {
    of(StatusCode::OK, LINES, body)
}

/// An answer that says where the page is.
pub(crate) fn moved(to: &str) -> Answer {
    let mut answer = of(StatusCode::PERMANENT_REDIRECT, JSON, Answered::Whole(None));
    if let Ok(to) = HeaderValue::from_str(to) {
        answer.headers_mut().insert(header::LOCATION, to);
    }
    answer
}

fn of(status: StatusCode, content_type: &'static str, body: Answered) -> Answer {
    let mut answer = Response::new(body);
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    answer
}

fn encoded(object: &impl Serialize) -> Bytes {
    // Strings, numbers and lists of them: nothing that cannot be written.
    serde_json::to_vec(object).unwrap_or_default().into()
}

/// Why something is not answered.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    error: String,
    hint: Option<String>,
    /// A header that goes with the status.
    header: Option<(HeaderName, &'static str)>,
}

/// A refusal as JSON.
#[derive(Serialize)]
struct Said<'a> {
    error: &'a str,
    hint: Option<&'a str>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, error: impl Into<String>) -> Refusal {
        Refusal { status, error: error.into(), hint: None, header: None }
    }

    /// A request that is not understood.
    pub(crate) fn bad(error: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, error)
    }

    /// What is said about everything that is not there.
    pub(crate) fn not_found() -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, "there is nothing here")
    }

    /// Says what can be done about it.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Refusal {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the header that goes with the status.
    pub(crate) fn header(mut self, name: HeaderName, value: &'static str) -> Refusal {
        self.header = Some((name, value));
        self
    }

    #[cfg(test)]
    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Answer {
        let said = Said { error: &refusal.error, hint: refusal.hint.as_deref() };
        let mut answer = of(refusal.status, JSON, Answered::Whole(Some(encoded(&said))));
        if let Some((name, value)) = refusal.header {
            answer.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        answer
    }
}
