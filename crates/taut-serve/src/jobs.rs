//! Jobs: one request, one place in the queue, one process, one stream of events.

use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap};
use hyper::{Request, StatusCode};
use tokio::sync::mpsc::{Sender, channel};
use tokio::time::{sleep, timeout};

use crate::answer::{Answer, Refusal, events};
use crate::body::Answered;
use crate::closing::Closing;
use crate::event::{Event, Given};
use crate::queue::{Place, Standing};
use crate::server::Server;
use crate::{Job, child, incoming, request};

/// How many pieces of an answer wait to be sent.
const ROOM: usize = 4;
/// How often those who wait are told so. That is how it shows that they are gone.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// How long whoever asked may take for the last event.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// Takes a request for a job.
pub(crate) async fn take(
    server: &Arc<Server>,
    request: Request<Incoming>,
) -> Result<Answer, Refusal> {
    if !is_json(request.headers()) {
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "a request is JSON")
            .hint("send it with `Content-Type: application/json`"));
    }
    let limits = &server.limits;
    let body = incoming::read(request.into_body(), request::most_bytes(limits)).await?;
    let job = request::read(&body, &server.setup, limits)?;
    if server.closer.has_begun() {
        return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "the server is ending"));
    }
    let place = server.queue.enter().ok_or_else(too_many)?;
    let (sender, receiver) = channel(ROOM);
    let closing = server.closer.listener();
    tokio::spawn(run(server.clone(), job, place, sender, closing));
    Ok(events(Answered::Stream(receiver)))
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = value.and_then(|value| value.split(';').next());
    essence.is_some_and(|essence| essence.trim().eq_ignore_ascii_case("application/json"))
}

fn too_many() -> Refusal {
    Refusal::new(StatusCode::TOO_MANY_REQUESTS, "too many jobs wait already")
        .hint("try again when some of them are done")
        .header(header::RETRY_AFTER, "1")
}

async fn run(
    server: Arc<Server>,
    job: Job,
    mut place: Place,
    events: Sender<Bytes>,
    mut closing: Closing,
) {
    let gone = tokio::select! {
        () = wait(&mut place, &events) => false,
        () = events.closed() => true,
        () = closing.begins() => true,
    };
    if gone {
        return;
    }
    let started = Event::Started { limits: Given::of(&job) }.line();
    if timeout(LAST_WORDS, events.send(started)).await.is_err() {
        return;
    }
    let last = child::run(&server.runner, &job, &events, &mut closing).await;
    drop((place, closing));
    if let Some(last) = last {
        // Whoever does not listen does not miss it.
        let _ = timeout(LAST_WORDS, events.send(last)).await;
    }
}

/// Waits for a slot, and says so.
async fn wait(place: &mut Place, events: &Sender<Bytes>) {
    let mut told = None;
    while let Standing::Ahead(ahead) = place.standing() {
        if told != Some(ahead) {
            told = Some(ahead);
            // Whoever takes nothing must not hold up those behind; what is left out here is said again.
            let _ = events.try_send(Event::Waiting { ahead }.line());
        }
        tokio::select! {
            () = place.changed() => {}
            () = sleep(HEARTBEAT) => told = None,
        }
    }
}
