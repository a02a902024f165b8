//! The queue: so many jobs run, so many wait, in the order in which they came.
//!
//! A [`Place`] is in the line until it is the first one and a slot is free; then it has the slot. Dropping it gives
//! up whichever it has. So whoever holds a place until the job's process is gone keeps the number of processes
//! within the limit.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use tokio::sync::watch;

use crate::Limits;

/// The queue of a server.
#[derive(Clone)]
pub(crate) struct Queue {
    most_running: usize,
    most_waiting: usize,
    line: Arc<Mutex<Line>>,
    /// Says that something has changed.
    changed: watch::Sender<()>,
}

#[derive(Default)]
struct Line {
    running: usize,
    /// The tickets of those who wait, the first to go first.
    waiting: VecDeque<u64>,
    next_ticket: u64,
}

/// How many jobs there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Count {
    pub(crate) running: usize,
    pub(crate) waiting: usize,
}

/// What a place is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// So many go before.
    Ahead(usize),
    /// It has a slot.
    Slot,
}

impl Queue {
    pub(crate) fn new(limits: &Limits) -> Queue {
        Queue {
            most_running: limits.jobs,
            most_waiting: limits.waiting,
            line: Arc::default(),
            changed: watch::Sender::new(()),
        }
    }

    /// A place at the end; none if too many wait.
    pub(crate) fn enter(&self) -> Option<Place> {
        let mut line = self.line();
        let free = self.most_running - line.running;
        if line.waiting.len() >= self.most_waiting + free {
            return None;
        }
        let ticket = line.next_ticket;
        line.next_ticket += 1;
        line.waiting.push_back(ticket);
        Some(Place {
            queue: self.clone(),
            ticket,
            has_slot: false,
            changes: self.changed.subscribe(),
        })
    }

    /// How many jobs run and wait now.
    pub(crate) fn count(&self) -> Count {
        let line = self.line();
        Count { running: line.running, waiting: line.waiting.len() }
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        // Nothing in here panics while the line is half changed.
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place in the queue.
pub(crate) struct Place {
    queue: Queue,
    ticket: u64,
    has_slot: bool,
    changes: watch::Receiver<()>,
}

impl Place {
    /// What it is worth now.
    pub(crate) fn standing(&mut self) -> Standing {
        if self.has_slot {
            return Standing::Slot;
        }
        self.changes.mark_unchanged();
        let mut line = self.queue.line();
        let ahead = line.waiting.iter().take_while(|&&ticket| ticket != self.ticket).count();
        if ahead > 0 || line.running >= self.queue.most_running {
            return Standing::Ahead(ahead);
        }
        line.waiting.pop_front();
        line.running += 1;
        self.has_slot = true;
        drop(line);
        self.queue.changed.send_replace(());
        Standing::Slot
    }

    /// Waits until it may be worth more.
    pub(crate) async fn changed(&mut self) {
        // The queue, which this is a part of, holds the other end.
        let _ = self.changes.changed().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut line = self.queue.line();
        match self.has_slot {
            true => line.running -= 1,
            false => line.waiting.retain(|&ticket| ticket != self.ticket),
        }
        drop(line);
        self.queue.changed.send_replace(());
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn queue(jobs: usize, waiting: usize) -> Queue {
        let time = Duration::from_secs(1);
        Queue::new(&Limits { bytes: 0, time, memory_mib: 0, jobs, waiting })
    }

    #[test]
    fn so_many_run_and_so_many_wait() {
        let queue = queue(2, 1);
        let mut places: Vec<_> = (0..3).map(|_| queue.enter().expect("a place")).collect();
        assert!(queue.enter().is_none());
        let standings: Vec<_> = places.iter_mut().map(Place::standing).collect();
        assert_eq!(standings, [Standing::Slot, Standing::Slot, Standing::Ahead(0)]);
        assert!(queue.enter().is_none());
        assert_eq!(queue.count(), Count { running: 2, waiting: 1 });
    }

    #[test]
    fn the_first_to_come_is_the_first_to_go() {
        let queue = queue(1, 2);
        let mut running = queue.enter().expect("a place");
        assert_eq!(running.standing(), Standing::Slot);
        let (mut first, mut second) =
            (queue.enter().expect("a place"), queue.enter().expect("one"));
        drop(running);
        assert_eq!(second.standing(), Standing::Ahead(1));
        assert_eq!(first.standing(), Standing::Slot);
        assert_eq!(second.standing(), Standing::Ahead(0));
        drop(first);
        assert_eq!(second.standing(), Standing::Slot);
        drop(second);
        assert_eq!(queue.count(), Count { running: 0, waiting: 0 });
    }

    #[test]
    fn who_leaves_the_line_makes_room() {
        let queue = queue(1, 1);
        let mut running = queue.enter().expect("a place");
        running.standing();
        let waiting = queue.enter().expect("a place");
        assert!(queue.enter().is_none());
        drop(waiting);
        assert!(queue.enter().is_some());
    }

    #[test]
    fn who_waits_is_woken() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let queue = queue(1, 1);
            let mut running = queue.enter().expect("a place");
            running.standing();
            let mut waiting = queue.enter().expect("a place");
            assert_eq!(waiting.standing(), Standing::Ahead(0));
            drop(running);
            waiting.changed().await;
            assert_eq!(waiting.standing(), Standing::Slot);
        });
    }

    #[test]
    fn without_a_line_a_free_slot_is_enough() {
        let queue = queue(1, 0);
        let mut running = queue.enter().expect("a place");
        assert!(queue.enter().is_none());
        running.standing();
        assert!(queue.enter().is_none());
        drop(running);
        assert!(queue.enter().is_some());
    }
}
