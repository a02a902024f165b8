//! A connection whose other side must go on reading.

use std::io::{Error, ErrorKind, Result};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// How long the other side may take nothing of what is sent.
const PATIENCE: Duration = Duration::from_secs(10);

/// A connection that ends when the other side does not read.
pub(crate) struct Stalling {
    stream: TcpStream,
    /// When patience ends; none while everything is taken.
    end: Option<Pin<Box<Sleep>>>,
}

impl Stalling {
    pub(crate) fn new(stream: TcpStream) -> Stalling {
        Stalling { stream, end: None }
    }

    /// What a try to write comes to.
    fn judge<T>(&mut self, context: &mut Context<'_>, tried: Poll<Result<T>>) -> Poll<Result<T>> {
        if tried.is_ready() {
            self.end = None;
            return tried;
        }
        let end = self.end.get_or_insert_with(|| Box::pin(sleep(PATIENCE)));
        ready!(end.as_mut().poll(context));
        Poll::Ready(Err(Error::new(ErrorKind::TimedOut, "the other side does not read")))
    }
}

impl AsyncRead for Stalling {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Stalling {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        let tried = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, tried)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let tried = Pin::new(&mut self.stream).poll_flush(context);
        self.judge(context, tried)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
