//! Places of a text where a fence can be put, and the programs that sets of them make.
//!
//! The front end lists the points of the text at which a statement can stand. What it promises of its list
//! ([`taut_source::EditSites`]): with any of them, the text reads as the same program with these statements added, and
//! nothing else changed. So the text is read once with a fence at every point. The steps of these fences, found by where
//! they stand, are the places; where a fence is missing, its step does nothing.

use std::collections::{BTreeMap, BTreeSet};

use taut_ir::{DefId, Effect, Expr, Mode, Program, Step, StepId};
use taut_proof::{FenceKind, Header, Repair};
use taut_source::{FileId, Insertion, Point};

use crate::Refusal;
use crate::read::{Reading, messages};

/// A place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// What may be put there.
    pub kind: FenceKind,
    /// The steps of the fence in the program with all fences.
    pub steps: Vec<(DefId, StepId)>,
    /// The line of the text as it was.
    pub line: u32,
    /// Where it is, in words.
    pub words: String,
    /// The change of the text.
    edits: Vec<Insertion>,
}

/// The places of a text.
pub struct Places {
    original: Reading,
    /// The program with a fence at every point.
    marked: Reading,
    /// In the order of the text.
    pub(crate) all: Vec<Place>,
}

impl Places {
    /// The places of the text that a repair has changed. The header says how the text is read.
    pub fn new(file: &str, header: &Header, repair: &Repair) -> Result<Places, Refusal> {
        let original = Reading::of(file, repair.original.as_bytes(), header)?;
        let (sources, id) = (&original.sources, original.file);
        let words = original.model.fences().or_else(|| original.language.fences());
        let words = words.ok_or_else(|| Refusal::proof("its language has no fences"))?;
        let sites = original.model.edit_sites(sources, id);
        let mut points = sites.map_err(|found| messages(sources, &found))?.points;
        points.retain(|point| point.file == id);
        points.sort_by_key(|point| point.at);
        let (text, starts) = Point::fill(sources, id, &points, words.mark);
        let marked = Reading::of(file, text.as_bytes(), header)?;
        let program = marked.with_slots(&None)?;
        let mut all = Vec::new();
        for (point, start) in points.iter().zip(starts) {
            let steps = fences(&program, marked.file, start)
                .ok_or_else(|| Refusal::proof("a fence is no step of its own"))?;
            let last = point.span.end.saturating_sub(1).max(point.span.start);
            let line = sources.get(point.span.file).map_or(0, |file| file.position(last).line);
            all.extend(repair.kinds.iter().filter(|_| !steps.is_empty()).map(|&kind| {
                let word = match kind {
                    FenceKind::Fence => words.fence,
                    FenceKind::StoreFence => words.store_fence,
                };
                let (steps, words, edits) = (steps.clone(), point.words.clone(), point.edits(word));
                Place { kind, steps, line, words, edits }
            }));
        }
        Ok(Places { original, marked, all })
    }

    /// The places, in the order of the text.
    pub fn all(&self) -> &[Place] {
        &self.all
    }

    /// The text with a set of places changed, if another text is this one or the one that it is made from.
    pub(crate) fn fixed(&self, set: &BTreeSet<usize>, text: &[u8]) -> Result<Vec<u8>, Refusal> {
        let Reading { sources, file, .. } = &self.original;
        let edits: Vec<_> = set.iter().flat_map(|&place| self.all[place].edits.clone()).collect();
        let fixed = Insertion::apply(sources, *file, &edits).into_bytes();
        match text == sources.file(*file).text().as_bytes() || text == fixed {
            true => Ok(fixed),
            false => Err(Refusal::proof("the text is neither the one that was fixed nor its fix")),
        }
    }

    /// The program with all places but some.
    pub(crate) fn without(
        &self,
        missing: &BTreeSet<usize>,
        slots: &Option<BTreeMap<String, u32>>,
    ) -> Result<Program, Refusal> {
        let mut program = self.marked.with_slots(slots)?;
        let mut steps = self.all.iter().flat_map(|place| &place.steps);
        let is_there = |(d, s): &(DefId, StepId)| {
            let def = program.defs.get(d.index());
            def.and_then(|def| def.steps.get(s.index())).is_some_and(is_fence)
        };
        if !steps.all(is_there) {
            return Err(Refusal::proof("with other processes its steps are other ones"));
        }
        let mut change = |place: &Place, f: &dyn Fn(&mut Step)| {
            let steps = place.steps.iter();
            steps.for_each(|(def, s)| f(&mut program.defs[def.index()].steps[s.index()]));
        };
        self.all.iter().for_each(|place| change(place, &|step| step.mode = Mode::Plain));
        let there = self.all.iter().enumerate().filter(|(number, _)| !missing.contains(number));
        there.for_each(|(_, place)| match place.kind {
            FenceKind::Fence => change(place, &|step| step.mode = Mode::Fence),
            FenceKind::StoreFence => change(place, &|step| step.effects.push(Effect::StoreFence)),
        });
        Ok(program)
    }
}

/// The steps of a fence that begins at a byte of the marked text, of which each must do nothing else.
fn fences(program: &Program, file: FileId, start: Option<usize>) -> Option<Vec<(DefId, StepId)>> {
    let mut found = Vec::new();
    for (d, def) in program.defs.iter().enumerate() {
        for (s, step) in def.steps.iter().enumerate() {
            if step.span.file == file && Some(step.span.start as usize) == start {
                is_fence(step).then(|| found.push((DefId::from(d), StepId::from(s))))?;
            }
        }
    }
    Some(found)
}

/// Whether a step is a fence and nothing else.
fn is_fence(step: &Step) -> bool {
    let is_bare = step.effects.is_empty() && step.channel.is_none() && step.guard == Expr::TRUE;
    step.mode == Mode::Fence && is_bare
}
