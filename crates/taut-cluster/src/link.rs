//! Links between workers: sockets that count their bytes and tell when they are lost.
//!
//! Timely reads and writes them in threads of its own, which panic when a link is lost, while the worker would wait for ever. So a link
//! tells first ([`Links::lost`]), and the worker ends.
//!
//! The system notices a peer that does not answer: a link on which nothing comes back for [`CUT`] is closed (keep-alive probes, and
//! a limit on the time that sent bytes may wait for their acknowledgement).

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use timely::communication::allocator::zero_copy::stream::Stream;

/// After this time without an answer of the other machine a link is taken for cut.
pub const CUT: Duration = Duration::from_secs(20);

/// Takes note that the link to a worker is lost, with the reason.
pub(crate) type Lost = Box<dyn Fn(u32, &str) + Send + Sync>;

/// What all links of a worker share.
pub(crate) struct Links {
    pub(crate) sent: AtomicU64,
    pub(crate) received: AtomicU64,
    /// Called with the number of the worker at the other end.
    pub(crate) lost: Lost,
}

/// One link.
pub(crate) struct Link {
    stream: TcpStream,
    peer: u32,
    links: Arc<Links>,
}

impl Link {
    pub(crate) fn new(stream: TcpStream, peer: u32, links: Arc<Links>) -> io::Result<Link> {
        stream.set_nodelay(true)?;
        notice_cuts(&stream)?;
        Ok(Link { stream, peer, links })
    }

    fn checked(&self, done: io::Result<usize>) -> io::Result<usize> {
        match &done {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                (self.links.lost)(self.peer, &error.to_string());
            }
            _ => {}
        }
        done
    }
}

/// Has the system close a connection whose other end is gone without a word.
pub(crate) fn notice_cuts(stream: &TcpStream) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::net::sockopt;
        let probes = 4;
        sockopt::set_socket_keepalive(stream, true)?;
        sockopt::set_tcp_keepidle(stream, CUT / (probes + 1))?;
        sockopt::set_tcp_keepintvl(stream, CUT / (probes + 1))?;
        sockopt::set_tcp_keepcnt(stream, probes)?;
        sockopt::set_tcp_user_timeout(stream, CUT.as_millis() as u32)?;
    }
    #[cfg(not(target_os = "linux"))]
    let _ = stream;
    Ok(())
}

impl Read for Link {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let done = self.stream.read(to);
        let count = self.checked(done)?;
        if count == 0 && !to.is_empty() {
            (self.links.lost)(self.peer, "the connection was closed");
        }
        self.links.received.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl Write for Link {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.stream.write(bytes);
        let count = self.checked(done)?;
        self.links.sent.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for Link {
    fn try_clone(&self) -> io::Result<Link> {
        let stream = self.stream.try_clone()?;
        Ok(Link { stream, peer: self.peer, links: self.links.clone() })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        self.stream.shutdown(how)
    }
}
