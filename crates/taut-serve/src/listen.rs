//! Connections: as many at once as the server can bear, each for one request.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::server::Server;
use crate::stall::Stalling;
use crate::{Address, Limits, Options, routes};

/// How long the head of a request may take to arrive.
const HEAD: Duration = Duration::from_secs(3);
/// The largest head of a request, in bytes.
const LARGEST_HEAD: usize = 32 << 10;
/// Connections beside those of jobs. Others wait until one of them ends; none lives long.
const CONNECTIONS: usize = 256;
/// How long to wait where the system has no room for another connection.
const BREATH: Duration = Duration::from_millis(50);
/// How long the processes of jobs have to be gone when the server ends.
const FAREWELL: Duration = Duration::from_secs(2);

/// Serves until it is ended: Ctrl-C, or a signal to terminate. `ready` is told the address.
pub fn serve(options: Options, ready: impl FnOnce(&Address)) -> io::Result<()> {
    // One thread is enough to pass lines on, and the work is done in other processes.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(listen(options, ready))
}

async fn listen(options: Options, ready: impl FnOnce(&Address)) -> io::Result<()> {
    let listener = TcpListener::bind((options.host, options.port)).await?;
    let address = Address::new(listener.local_addr()?)?;
    let end = end()?;
    ready(&address);
    let server = Arc::new(Server::new(options, address));
    tokio::select! {
        () = accept(listener, &server) => {}
        () = end => {}
    }
    // Those that are not gone by then are killed when they are dropped.
    let _ = timeout(FAREWELL, server.closer.close()).await;
    Ok(())
}

/// Takes connections, for ever.
async fn accept(listener: TcpListener, server: &Arc<Server>) {
    let Limits { jobs, waiting, .. } = server.limits;
    let most = (jobs.saturating_add(waiting)).saturating_add(CONNECTIONS);
    let room = Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)));
    loop {
        // The semaphore is never closed.
        let Ok(permit) = room.clone().acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, _)) => {
                let server = server.clone();
                tokio::spawn(async move {
                    converse(stream, server).await;
                    drop(permit);
                });
            }
            // The other side is gone, or there is no room for now.
            Err(_) => sleep(BREATH).await,
        }
    }
}

/// One connection: one request, one answer.
async fn converse(stream: TcpStream, server: Arc<Server>) {
    let service = service_fn(move |request| {
        let answer = routes::answer(server.clone(), request);
        async move { Ok::<_, Infallible>(answer.await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(LARGEST_HEAD)
        .keep_alive(false)
        .serve_connection(TokioIo::new(Stalling::new(stream)), service);
    // What goes wrong here went wrong on the other side.
    let _ = connection.await;
}

/// Waits for the end.
#[cfg(unix)]
fn end() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn end() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
