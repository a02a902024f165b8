//! The dataflow: one operator in a feedback loop, whose timestamps are the phases of the search.
//!
//! The operator is a post office. Parcels come to it through an exchange by their addressee, and go out into the loop; on its way
//! through the loop a parcel's time grows by one. A worker holds the capability of the phase that it is in. So the frontier at
//! the operator's input says when all parcels of earlier phases, of all workers, have come: a parcel of phase `p` arrives at
//! time `p + 1`, and while some worker is in phase `p`, the frontier is at most `p + 1`.
//!
//! The search itself runs between two steps of the dataflow ([`Timely::drive`]). It borrows its machine and its stores, which an
//! operator could not.
//!
//! **Credit.** Timely's queues have no bound. So each parcel with states is acknowledged when it was taken in, and a worker expands
//! nothing while [`WINDOW`] bytes to some worker are not acknowledged. It goes on taking parcels in, so nobody waits in a circle.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::Write;
use std::rc::Rc;
use std::time::Duration;

use taut_explicit::part::{Doing, Outbox, Part, Peers};
use timely::Accountable;
use timely::communication::Push;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message};
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::operators::{ConnectLoop, Feedback};
use timely::scheduling::Activator;
use timely::worker::Worker;

/// Bytes on their way to one worker before nothing more is expanded.
const WINDOW: u64 = 4 << 20;
/// Longest time to sleep while nothing comes.
const NAP: Duration = Duration::from_millis(5);
/// Bytes of the head of a parcel.
const HEAD: usize = 16;

/// A parcel in the dataflow: one record.
#[derive(Default)]
struct Parcel {
    from: u32,
    to: u32,
    /// Bytes that are acknowledged; a parcel that does so has no content.
    acknowledged: u32,
    content: Content,
    /// Whether there is a parcel at all.
    is_there: bool,
}

/// Bytes that were made here, or that came in a block of the network.
enum Content {
    Made(Vec<u8>),
    Came(timely::bytes::arc::Bytes),
}

impl Default for Content {
    fn default() -> Content {
        Content::Made(Vec::new())
    }
}

impl Content {
    fn bytes(&self) -> &[u8] {
        match self {
            Content::Made(bytes) => bytes,
            Content::Came(bytes) => bytes,
        }
    }
}

impl Accountable for Parcel {
    fn record_count(&self) -> i64 {
        i64::from(self.is_there)
    }
}

impl ContainerBytes for Parcel {
    fn from_bytes(mut bytes: timely::bytes::arc::Bytes) -> Parcel {
        let head = bytes.extract_to(HEAD);
        let number =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let content = Content::Came(bytes.extract_to(number(12) as usize));
        Parcel { from: number(0), to: number(4), acknowledged: number(8), content, is_there: true }
    }

    fn length_in_bytes(&self) -> usize {
        HEAD + self.content.bytes().len().next_multiple_of(8)
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let bytes = self.content.bytes();
        let length = u32::try_from(bytes.len()).expect("a parcel has less than 4 GiB");
        let head = [self.from, self.to, self.acknowledged, length];
        let padding = &[0; 8][..bytes.len().next_multiple_of(8) - bytes.len()];
        let parts = head.iter().map(|number| number.to_le_bytes());
        let head: Vec<u8> = parts.flatten().collect();
        for part in [&head, bytes, padding] {
            writer.write_all(part).expect("there is room for what was announced");
        }
    }
}

/// Sends each parcel to its addressee.
struct ByAddressee;

impl Distributor<Parcel> for ByAddressee {
    fn partition<T: Clone, P: Push<Message<T, Parcel>>>(
        &mut self,
        parcel: &mut Parcel,
        time: &T,
        pushers: &mut [P],
    ) {
        let to = parcel.to as usize;
        Message::push_at(parcel, time.clone(), &mut pushers[to]);
    }

    fn flush<T: Clone, P: Push<Message<T, Parcel>>>(&mut self, _: &T, _: &mut [P]) {}
}

/// What the operator and the search share.
#[derive(Default)]
struct Office {
    /// Parcels that have come, with their times.
    came: VecDeque<(u64, Parcel)>,
    /// Parcels that are to be sent.
    leaving: Vec<Parcel>,
    /// The phase whose capability is held.
    phase: u64,
    /// Parcels of earlier times have all come.
    frontier: u64,
    is_over: bool,
}

/// A worker of timely, as the other parts of a search.
pub(crate) struct Timely {
    worker: RefCell<Worker>,
}

impl Timely {
    pub(crate) fn new(worker: Worker) -> Timely {
        Timely { worker: RefCell::new(worker) }
    }
}

impl Peers for Timely {
    fn index(&self) -> u32 {
        self.worker.borrow().index() as u32
    }

    fn count(&self) -> u32 {
        self.worker.borrow().peers() as u32
    }

    fn drive(&self, part: &mut dyn Part) {
        let mut worker = self.worker.borrow_mut();
        let (office, activator) = open(&mut worker);
        let (me, count) = (worker.index() as u32, worker.peers());
        let out = Outbox::default();
        let way = vec![0; count];
        Drive { worker: &mut worker, office, activator, part, out, me, begun: 0, way }.run();
    }
}

/// Builds the dataflow.
fn open(worker: &mut Worker) -> (Rc<RefCell<Office>>, Activator) {
    let office = Rc::new(RefCell::new(Office::default()));
    let shared = office.clone();
    let activator = worker.dataflow::<u64, _, _>(move |scope| {
        let (handle, cycle) = scope.feedback::<Parcel>(1);
        let mut activator = None;
        let pact = DistributorPact(|_| ByAddressee);
        let name = "PostOffice";
        let stream = cycle.unary_frontier::<CapacityContainerBuilder<Parcel>, _, _, _>(
            pact,
            name,
            |capability, info| {
                activator = Some(scope.activator_for(info.address));
                let mut capability = Some(capability);
                move |(input, frontier), output| {
                    let mut office = shared.borrow_mut();
                    input.for_each(|capability, parcel| {
                        let time = *capability.time();
                        office.came.push_back((time, std::mem::take(parcel)));
                    });
                    if let Some(capability) = &mut capability {
                        for mut parcel in office.leaving.drain(..) {
                            output.session(capability).give_container(&mut parcel);
                        }
                        if office.phase > *capability.time() {
                            capability.downgrade(&office.phase);
                        }
                    }
                    if office.is_over {
                        capability = None;
                    }
                    office.frontier = frontier.frontier().first().copied().unwrap_or(u64::MAX);
                }
            },
        );
        stream.connect_loop(handle);
        activator.expect("the operator was built")
    });
    (office, activator)
}

/// A search that is being driven.
struct Drive<'d> {
    worker: &'d mut Worker,
    office: Rc<RefCell<Office>>,
    activator: Activator,
    part: &'d mut dyn Part,
    out: Outbox,
    me: u32,
    /// The phase that was begun last.
    begun: u64,
    /// Bytes that are on their way to each worker.
    way: Vec<u64>,
}

impl Drive<'_> {
    fn run(mut self) {
        let mut doing = self.begin();
        while doing != Doing::Ends {
            let took = self.take_in();
            let has_credit = self.way.iter().all(|&bytes| bytes < WINDOW);
            if doing == Doing::Works && has_credit {
                doing = self.part.work(&mut self.out);
                self.send();
                if doing == Doing::Waits {
                    self.leave_phase();
                }
            } else if doing == Doing::Waits && self.is_complete() {
                self.begun += 1;
                doing = self.begin();
            } else if !took {
                self.worker.step_or_park(Some(NAP));
                continue;
            }
            self.worker.step();
        }
        self.office.borrow_mut().is_over = true;
        self.activator.activate();
        while self.worker.has_dataflows() {
            self.worker.step_or_park(Some(NAP));
        }
    }

    fn begin(&mut self) -> Doing {
        let doing = self.part.begin(&mut self.out);
        self.send();
        if doing == Doing::Waits {
            self.leave_phase();
        }
        doing
    }

    /// Lets the others begin the next phase, as far as it depends on this worker.
    fn leave_phase(&mut self) {
        self.office.borrow_mut().phase = self.begun + 1;
        self.activator.activate();
    }

    /// Whether everything has come that was sent before the next phase, and was taken in.
    fn is_complete(&self) -> bool {
        let office = self.office.borrow();
        let next = self.begun + 1;
        office.frontier > next && office.came.iter().all(|&(time, _)| time > next)
    }

    /// Takes in what has come and belongs to this phase or an earlier one; whether there was any.
    fn take_in(&mut self) -> bool {
        let mut took = false;
        loop {
            let mut office = self.office.borrow_mut();
            // An acknowledgement is good at any time. Its sender may be a phase ahead, where this worker cannot follow
            // before it has the credit.
            let is_due =
                |(time, parcel): &(u64, Parcel)| parcel.acknowledged > 0 || *time <= self.begun + 1;
            let due = office.came.iter().position(is_due);
            let Some((_, parcel)) = due.and_then(|at| office.came.remove(at)) else { return took };
            drop(office);
            took = true;
            let Parcel { from, acknowledged, content, .. } = parcel;
            if acknowledged > 0 {
                self.way[from as usize] -= u64::from(acknowledged);
                continue;
            }
            self.part.receive(from, content.bytes(), &mut self.out);
            if from != self.me {
                self.acknowledge(from, content.bytes().len() as u32);
            }
            self.send();
        }
    }

    fn acknowledge(&mut self, to: u32, acknowledged: u32) {
        let from = self.me;
        let parcel = Parcel { from, to, acknowledged, is_there: true, ..Parcel::default() };
        self.office.borrow_mut().leaving.push(parcel);
        self.activator.activate();
    }

    /// Hands over what the part wants to send.
    fn send(&mut self) {
        let mut office = self.office.borrow_mut();
        let mut any = false;
        for (to, bytes) in self.out.drain() {
            if to != self.me {
                self.way[to as usize] += bytes.len() as u64;
            }
            let content = Content::Made(bytes);
            let parcel = Parcel { from: self.me, to, acknowledged: 0, content, is_there: true };
            office.leaving.push(parcel);
            any = true;
        }
        if any {
            self.activator.activate();
        }
    }
}
