//! The routes: a fixed list. Paths are compared and never decoded, joined or looked up.

use std::sync::Arc;

use hyper::body::Incoming;
use hyper::header;
use hyper::{Method, Request, StatusCode};

use crate::answer::{self, Answer, Refusal};
use crate::server::Server;
use crate::{guard, jobs};

/// Answers a request.
pub(crate) async fn answer(server: Arc<Server>, request: Request<Incoming>) -> Answer {
    route(&server, request).await.unwrap_or_else(Answer::from)
}

async fn route(server: &Arc<Server>, request: Request<Incoming>) -> Result<Answer, Refusal> {
    let address = &server.address;
    let below = address.below(request.uri().path()).ok_or_else(Refusal::not_found)?;
    guard::check(address.socket(), request.method(), request.uri(), request.headers())?;
    if below == "/jobs" {
        allow(request.method(), &[Method::POST], "POST")?;
        return jobs::take(server, request).await;
    }
    let answer = match below {
        // Addresses in the page are relative to a path that ends in a slash.
        "" => answer::moved(&address.root()),
        "/" => answer::text(answer::HTML, taut_page::HTML),
        "/page.js" => answer::text(answer::SCRIPT, server.script.clone()),
        "/page.css" => answer::text(answer::STYLE, server.style.clone()),
        "/setup" => answer::json(&server.offer()),
        "/health" => answer::json(&server.queue.count()),
        other => match chapter(other) {
            Some(text) => answer::text(answer::MARKDOWN, text),
            None => return Err(Refusal::not_found()),
        },
    };
    allow(request.method(), &[Method::GET, Method::HEAD], "GET, HEAD")?;
    Ok(answer)
}

/// The text of a chapter of the book: one of a fixed list.
fn chapter(below: &str) -> Option<&'static str> {
    let file = below.strip_prefix("/book/")?;
    taut_page::BOOK.iter().find(|chapter| chapter.file == file).map(|chapter| chapter.text)
}

fn allow(method: &Method, allowed: &[Method], names: &'static str) -> Result<(), Refusal> {
    if allowed.contains(method) {
        return Ok(());
    }
    let error = format!("this answers {names} only");
    Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, error).header(header::ALLOW, names))
}
