//! Shorter runs after a search that has left states out.
//!
//! Such a search finds runs that are shortest among those it looked at. Once it is known that there is something to
//! find, all states near the initial one are worth a look: a second search leaves nothing out and ends after
//! [`SHORTEN_LIMIT`] states. It is not made if the first search left nothing out: its runs are shortest already.
//!
//! *Why is it made although the first run may have the least length that the code allows?* Of several shortest runs, the
//! one of the search that leaves nothing out changes between processes less often, so people follow it more easily, and
//! its story is shorter.

use taut_ir::{Fault, Finding};

use super::Explorer;
use super::attempt::Subject;
use crate::exploration::{Effort, Exploration, Found};
use crate::limits::{LimitMonitor, Limits};
use crate::search::SearchContext;
use crate::settings::{Order, Reduce, SearchOptions, StoreKind};

/// States that are looked at for shorter runs, at most.
const SHORTEN_LIMIT: u64 = 100_000;

impl Explorer<'_> {
    /// Whether a search that leaves nothing out may find shorter runs.
    pub(super) fn may_be_shorter(&self, exploration: &Exploration, is_simplified: bool) -> bool {
        let pruned = exploration.stats.pruned;
        let left_out = is_simplified || pruned.stubborn > 0 || pruned.symmetric > 0;
        if self.options.order != Order::Bfs || !left_out {
            return false;
        }
        self.options.reduce != Reduce::None && !exploration.found.is_empty()
    }

    /// Replaces runs by shorter ones.
    pub(super) fn shorten(
        &self,
        exploration: &mut Exploration,
        subject: &Subject<'_>,
        context: SearchContext<'_>,
    ) {
        let options = self.options_near(exploration, context);
        let watch = LimitMonitor::new(options.limits.clone());
        let size = exploration.stats.buffer_size;
        let memory = self.memory.bounded(Some(size));
        let context = SearchContext { options: &options, watch: &watch, size, ..context };
        let given;
        let subject = match subject.is_of(self.program, memory) {
            true => subject,
            false => {
                given = Subject::new(self.program, memory);
                &given
            }
        };
        let near = self.search(subject, context).expect("a bounded search ends");
        let states_for_shorter_runs = near.stats.states;
        self.effort.set(Effort { states_for_shorter_runs, ..self.effort.get() });
        exploration.found.iter_mut().for_each(|found| replace(found, &near.found));
    }

    /// Options of a search for what was found, and for nothing else, that leaves nothing out.
    fn options_near(&self, exploration: &Exploration, context: SearchContext<'_>) -> SearchOptions {
        let is_found =
            |f: &Finding| exploration.found.iter().any(|found| found.finding.same_kind(*f));
        let properties = self.program.property_ids().map(Finding::Property);
        let all = properties.chain([Finding::Fault(Fault::Range), Finding::FullBuffer]);
        let limits = context.watch.limits();
        SearchOptions {
            all: exploration.found.len() > 1,
            whole: false,
            deadlock: is_found(&Finding::Deadlock),
            unasked: all.filter(|finding| !is_found(finding)).collect(),
            spawn_all: false,
            must_fit: false,
            reduce: Reduce::None,
            store: StoreKind::Exact,
            limits: Limits {
                states: Some(limits.states.map_or(SHORTEN_LIMIT, |most| most.min(SHORTEN_LIMIT))),
                time: limits.time.map(|time| time.saturating_sub(context.watch.elapsed())),
                progress: None,
                ..limits.clone()
            },
            ..self.options.clone()
        }
    }
}

/// Takes the first run to the same kind of finding, unless it is longer.
fn replace(found: &mut Found, near: &[Found]) {
    let mut others = near.iter().filter(|near| near.finding.same_kind(found.finding));
    if let Some(near) = others.next().filter(|near| near.actions.len() <= found.actions.len()) {
        *found = near.clone();
    }
}
