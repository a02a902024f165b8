//! The end of a server: jobs learn of it, and are waited for.

use tokio::sync::watch;

/// Says when the server ends.
pub(crate) struct Closer(watch::Sender<bool>);

/// What a job holds until its process is gone.
pub(crate) struct Closing(watch::Receiver<bool>);

impl Closer {
    pub(crate) fn new() -> Closer {
        Closer(watch::Sender::new(false))
    }

    pub(crate) fn listener(&self) -> Closing {
        Closing(self.0.subscribe())
    }

    /// Whether the server ends.
    pub(crate) fn has_begun(&self) -> bool {
        *self.0.borrow()
    }

    /// Says that the server ends, and waits until nobody listens any more.
    pub(crate) async fn close(&self) {
        self.0.send_replace(true);
        self.0.closed().await;
    }
}

impl Closing {
    /// Waits until the server ends.
    pub(crate) async fn begins(&mut self) {
        // If the other end is gone, so is the server.
        let _ = self.0.wait_for(|closing| *closing).await;
    }
}
