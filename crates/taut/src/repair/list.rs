//! Places of a model whose language has no fences and no atomic writes, as DVE: its steps. Repairs stand in a list next to
//! the model ([`RepairList`]), and that is the file that is changed.

use std::collections::BTreeSet;

use taut_ir::frontend::{NamedText, RepairList};
use taut_ir::{DefId, Mode, Step, StepId, VarId};
use taut_repair::{RepairKind, RepairProblem, Set, SiteId, Standings};

use super::options::Choice;
use super::places::{Edit, Source, processes};
use super::races::is_race;
use super::report::ShownPlace;
use crate::load::{LoadError, Loaded};

/// A model with a list of repairs.
pub(super) struct Listed<'l> {
    loaded: &'l Loaded,
    list: &'l dyn RepairList,
    subject: RepairProblem,
}

impl<'l> Listed<'l> {
    pub(super) fn new(loaded: &'l Loaded, list: &'l dyn RepairList, choice: Choice) -> Listed<'l> {
        let mut places = Vec::new();
        let standings = Standings::of(&loaded.program, &BTreeSet::new());
        for (d, def) in loaded.program.defs.iter().enumerate() {
            for (s, step) in def.steps.iter().enumerate() {
                let here = vec![(DefId::from(d), StepId::from(s))];
                places.extend(places_of(loaded, step, choice).map(|(kind, vars)| {
                    let standing = standings.place(kind, &here);
                    choice.place(kind, here.clone(), vars, standing)
                }));
            }
        }
        Listed { loaded, list, subject: RepairProblem::new(loaded.program.clone(), places) }
    }

    /// The line of the list for a place.
    fn entry(&self, id: SiteId) -> Option<String> {
        let place = self.subject.place(id);
        let &(def, step) = place.steps.first()?;
        let var = match place.kind {
            RepairKind::AtomicWrite => Some(*place.vars.first()?),
            RepairKind::Fence | RepairKind::StoreFence | RepairKind::Barrier => None,
        };
        self.list.entry(&self.loaded.program, def, step, var)
    }

    /// The list as it is.
    fn current(&self) -> NamedText {
        let empty = || NamedText { name: self.list.usual_name().into(), text: String::new() };
        self.list.list().cloned().unwrap_or_else(empty)
    }
}

/// What can be done to a step, and to which variable.
fn places_of(
    loaded: &Loaded,
    step: &Step,
    choice: Choice,
) -> impl Iterator<Item = (RepairKind, Vec<VarId>)> {
    let fence = choice.with.has_fences() && step.mode == Mode::Plain;
    let written = step.assignments().filter(|a| !a.atomic && choice.with.has_atomics());
    let mut vars: Vec<_> = written.filter_map(|a| a.place.variable()).collect();
    vars.retain(|&var| loaded.program.var(var).kind.is_buffered());
    vars.sort();
    vars.dedup();
    let fence = fence.then_some((RepairKind::Barrier, Vec::new()));
    fence.into_iter().chain(vars.into_iter().map(|var| (RepairKind::AtomicWrite, vec![var])))
}

impl Source for Listed<'_> {
    fn loaded(&self) -> &Loaded {
        self.loaded
    }

    fn subject(&self) -> &RepairProblem {
        &self.subject
    }

    fn show(&self, id: SiteId) -> ShownPlace {
        let place = self.subject.place(id);
        let spans = place.steps.first().map(|&(def, step)| {
            self.loaded.program.defs[def.index()].steps[step.index()].span.start
        });
        let file = self.loaded.sources.file(self.loaded.file);
        let mut words = self.entry(id).map_or_else(String::new, |entry| format!("`{entry}`"));
        // A transition is one step here, so that it is right to make it atomic; but it is more than a store.
        let is_racy = |&(def, step)| is_race(&self.loaded.program, def, step, &place.vars);
        if place.kind == RepairKind::AtomicWrite && place.steps.iter().any(is_racy) {
            words.push_str(", a locked instruction: it loads the variable, too");
        }
        ShownPlace {
            file: self.loaded.name.clone(),
            line: spans.map_or(1, |start| file.position(start).line),
            kind: place.kind,
            words,
            processes: processes(self.loaded, place),
            cost: place.cost,
            loops: place.standing.depth,
            need: None,
        }
    }

    fn edit(&self, set: &Set) -> Edit {
        let NamedText { name, text } = self.current();
        let mut edited = text.clone();
        if !edited.is_empty() && !edited.ends_with('\n') {
            edited.push('\n');
        }
        for entry in set.iter().filter_map(|&id| self.entry(id)) {
            edited.push_str(&format!("{entry}\n"));
        }
        Edit { file: name, original: text, text: edited }
    }

    fn reread(&self, text: &str) -> Result<Loaded, Box<LoadError>> {
        let mut options = self.loaded.options.clone();
        let list = NamedText { text: text.into(), ..self.current() };
        options.values.set_file(self.list.option(), list);
        let model = self.loaded.sources.file(self.loaded.file).text().to_owned();
        self.loaded.reread(&model, options)
    }

    fn unpatchable(&self) -> Vec<(String, u32, &'static str)> {
        Vec::new()
    }
}
