//! What all connections of a server share.

use hyper::body::Bytes;
use taut_page::{JobHost, Offer, OfferedLimits, Setup};

use crate::closing::Closer;
use crate::queue::Queue;
use crate::{Address, Limits, Options, Runner};

/// What all connections share.
pub(crate) struct Server {
    pub(crate) address: Address,
    pub(crate) limits: Limits,
    pub(crate) setup: Setup,
    pub(crate) runner: Runner,
    pub(crate) queue: Queue,
    pub(crate) closer: Closer,
    pub(crate) script: Bytes,
    pub(crate) style: Bytes,
}

impl Server {
    pub(crate) fn new(options: Options, address: Address) -> Server {
        let Options { limits, setup, runner, .. } = options;
        Server {
            address,
            limits,
            setup,
            runner,
            queue: Queue::new(&limits),
            closer: Closer::new(),
            script: taut_page::script(JobHost::Server).into(),
            style: taut_page::style().into(),
        }
    }

    pub(crate) fn offer(&self) -> Offer<'_> {
        let Limits { bytes, time, memory_mib, jobs, waiting } = self.limits;
        let seconds = time.as_secs_f64();
        let limits = OfferedLimits { bytes, seconds, memory_mib, jobs, waiting };
        Offer { setup: &self.setup, limits }
    }
}
