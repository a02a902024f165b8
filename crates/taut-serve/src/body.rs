//! The body of an answer: a text, or what comes while a job runs.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, SizeHint};
use tokio::sync::mpsc::Receiver;

/// What an answer is made of.
pub(crate) enum Answered {
    /// A text, or none.
    Whole(Option<Bytes>),
    /// What comes, when it comes.
    Stream(Receiver<Bytes>),
}

impl Body for Answered {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = match self.get_mut() {
            Answered::Whole(bytes) => Poll::Ready(bytes.take()),
            Answered::Stream(receiver) => receiver.poll_recv(context),
        };
        next.map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Answered::Whole(None))
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Answered::Whole(bytes) => {
                SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
            }
            Answered::Stream(_) => SizeHint::default(),
        }
    }
}
