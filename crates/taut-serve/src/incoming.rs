//! The body of a request, read up to a size and within a time.

use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use hyper::StatusCode;
use hyper::body::{Body, Incoming};
use tokio::time::timeout;

use crate::answer::Refusal;

/// How long a request may take to arrive. It comes from this machine.
const PATIENCE: Duration = Duration::from_secs(5);
/// How much of a request that is too large is read before it is refused. Most clients look for an answer only when
/// they have sent everything.
const POLITENESS: usize = 16 << 20;

/// Reads a body of at most so many bytes.
pub(crate) async fn read(body: Incoming, most: usize) -> Result<Vec<u8>, Refusal> {
    let said = body.size_hint().lower();
    if said > POLITENESS as u64 {
        return Err(too_large(most));
    }
    match timeout(PATIENCE, gather(body, most)).await {
        Ok(read) => read,
        Err(_) => {
            let seconds = PATIENCE.as_secs();
            let error = format!("the request did not arrive within {seconds} seconds");
            Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, error))
        }
    }
}

async fn gather(mut body: Incoming, most: usize) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    let mut count = 0;
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let frame = frame.map_err(|_| Refusal::bad("the request ended before it was whole"))?;
        let Ok(data) = frame.into_data() else { continue };
        count += data.len();
        if count > POLITENESS {
            break;
        }
        if count <= most {
            bytes.extend_from_slice(&data);
        }
    }
    if count > most { Err(too_large(most)) } else { Ok(bytes) }
}

fn too_large(most: usize) -> Refusal {
    let error = format!("the request is larger than {most} bytes, with everything in it");
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, error)
        .hint("check large programs with `taut check`, which has no such limit")
}
