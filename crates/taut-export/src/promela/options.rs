//! What a process can do in a state, as options of a choice; in both forms of an export.

use taut_ir::ChanId;

use super::conditions::{Bound, Moment, Site, conjunction};
use super::effects::FAULT;
use super::{Exporter, OVER};
use crate::text::Text;

/// The options of a choice that is being written.
pub(super) struct Choice {
    /// The options so far.
    pub(super) text: Text,
    /// When a bound holds a step back, each as a condition.
    pub(super) bounds: Vec<String>,
}

impl Choice {
    /// A choice without options, so much further in than other text.
    pub(super) fn inside(other: &Text, further: usize) -> Choice {
        Choice { text: Text::inside(other, further), bounds: Vec::new() }
    }
}

impl Exporter<'_> {
    /// Leaves the runs: something went wrong, or a bound stops everything.
    pub(super) fn stop(&self, asserts: bool) -> String {
        let assertion = if asserts { "assert(false); " } else { "" };
        let over = if self.temporal { format!("{OVER}; ") } else { String::new() };
        format!("{assertion}{over}goto {FAULT}")
    }

    /// That a process is at a step, as far as the place of the option does not say so, and that its mode
    /// lets it start.
    fn at_hand(&self, moment: Moment) -> Vec<String> {
        let mut all = match (self.one_machine, moment.site) {
            (true, _) | (false, Site::Outside) => {
                vec![self.is_at(moment.process, moment.step.source)]
            }
            (false, Site::Start) => vec![self.is_started(moment.process)],
            (false, Site::Open | Site::Held | Site::Round) => vec![],
        };
        all.extend(self.needs(moment));
        all
    }

    /// That a step can start as far as it is up to its process.
    pub(super) fn startable(&self, moment: Moment) -> Vec<String> {
        let mut all = self.at_hand(moment);
        all.extend(self.guarded(moment));
        all.extend(self.yields(moment));
        all
    }

    /// A step as options: on each channel that it can be about, and where it faults before it starts. What
    /// is about a channel of capacity 0 is no step of its own.
    pub(super) fn options(&self, choice: &mut Choice, moment: Moment) {
        let scope = moment.scope();
        if let Some(fault) = self.fault(scope, &moment.step.guard) {
            self.wrong_option(choice, moment, self.at_hand(moment).into_iter().chain([fault]));
        }
        let mut start = self.startable(moment);
        let Some(op) = &moment.step.channel else {
            return self.option(choice, moment, start, None);
        };
        if let Some(fault) = self.channel_fault(scope, op.channel()) {
            self.wrong_option(choice, moment, start.iter().cloned().chain([fault.clone()]));
            start.push(format!("!({fault})"));
        }
        for id in self.ranges.channels(moment.process, op.channel()) {
            if self.capacity(id) == 0 {
                continue;
            }
            let mut waits = start.clone();
            waits.extend(self.is_channel(scope, op.channel(), id));
            waits.push(self.has_room_or_message(op, id));
            if let Some(fault) = self.match_fault(scope, op) {
                self.wrong_option(choice, moment, waits.iter().cloned().chain([fault.clone()]));
                waits.push(format!("!({fault})"));
            }
            waits.extend(self.matches(scope, op, id));
            self.option(choice, moment, waits, Some(id));
        }
    }

    /// A step that is taken, unless a bound holds it back.
    fn option(&self, choice: &mut Choice, moment: Moment, waits: Vec<String>, id: Option<ChanId>) {
        let bounds = self.bounds(moment);
        let all = self.within_bounds(choice, moment, waits, bounds);
        let text = &mut choice.text;
        open_option(text, moment.site, &conjunction(all));
        self.show(text, moment);
        if let Some(id) = id {
            self.transfer(text, moment, id);
        }
        self.effects(text, moment);
        self.go(text, moment);
        if self.one_machine {
            self.finish(text, moment, moment.step.holds);
        }
        close_option(text, moment.site);
    }

    /// A step that goes wrong before it changes anything.
    pub(super) fn wrong_option(
        &self,
        choice: &mut Choice,
        moment: Moment,
        when: impl Iterator<Item = String>,
    ) {
        open_option(&mut choice.text, moment.site, &conjunction(when));
        choice.text.line(&format!("{} /* fault */", self.stop(true)));
        close_option(&mut choice.text, moment.site);
    }

    /// The conditions of a step together with those that its bounds do not hold it back. Notes what
    /// happens if one does.
    pub(super) fn within_bounds(
        &self,
        choice: &mut Choice,
        moment: Moment,
        mut waits: Vec<String>,
        bounds: Vec<(String, Bound)>,
    ) -> Vec<String> {
        for (within, bound) in &bounds {
            let beyond = waits.iter().cloned().chain([format!("!({within})")]);
            match bound {
                Bound::Error => self.wrong_option(choice, moment, beyond),
                // Something can commit, unless it has to wait until the process leaves its program point.
                Bound::Buffer if !self.has_atomic_points => {}
                Bound::Buffer | Bound::Size | Bound::Program => {
                    choice.bounds.push(conjunction(beyond))
                }
            }
        }
        waits.extend(bounds.into_iter().map(|(within, _)| within));
        waits
    }

    /// Whether any bound holds something back.
    pub(super) fn is_beyond(bounds: &[String]) -> String {
        let all: Vec<_> = bounds.iter().map(|b| format!("({b})")).collect();
        all.join(" || ")
    }
}

/// The beginning of an option. Where SPIN holds the other processes it goes on doing so.
pub(super) fn open_option(text: &mut Text, site: Site, when: &str) {
    match site {
        Site::Held | Site::Round => text.open(&format!(":: ({when}) ->")),
        _ => text.open(&format!(":: atomic {{ ({when}) ->")),
    }
}

pub(super) fn close_option(text: &mut Text, site: Site) {
    match site {
        Site::Held | Site::Round => text.back(),
        _ => text.close("}"),
    }
}
