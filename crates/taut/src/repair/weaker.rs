//! A program with all that can be weaker made weaker, for [`super::Repair::relax`].
//!
//! The front end lists fences and atomic writes with the edits that make them weaker. The text is read with *all* stores
//! in their weaker form and all fences still there. A place of the subject gives one thing back: a store becomes atomic
//! again, a fence becomes one again, or a store fence. With no place chosen the program is as weak as it can be, with all of them
//! it is the program that was read; so the loop of [`taut_repair`] ends with the cheapest set to keep.
//!
//! A store is found among the steps by reading the text once more with that store as it was (`same`), a fence by
//! where its statement stands. What has no step, as code that no process reaches, stays as it is.

use taut_ir::{DefId, Effect, Mode, Program, Step, StepId};
use taut_repair::{RepairKind, RepairProblem, RepairSite, Set, SiteId, Standings};
use taut_source::{Replacement, Span, Weakening, Weakenings, Weaker};

use super::options::Choice;
use super::places::{Edit, Source, processes};
use super::report::{RepairError, ShownPlace, ShownWeakening};
use super::same::changed_stores;
use super::source::position;
use crate::load::{LoadError, Loaded};

const INCLUDED: &str = "it is in an included file";
const UNCLEAR: &str = "its weaker form is not the same program";

/// A program that can be weaker.
pub(super) struct Weakened<'l> {
    original: &'l Loaded,
    /// The program with all stores in their weaker form and all fences.
    marked: Loaded,
    list: Vec<Weakening>,
    kept: Vec<(Span, &'static str)>,
    /// The weakening that each place undoes.
    texts: Vec<usize>,
    subject: RepairProblem,
}

type Steps = Vec<(DefId, StepId)>;

impl<'l> Weakened<'l> {
    pub(super) fn new(original: &'l Loaded, choice: Choice) -> Result<Weakened<'l>, RepairError> {
        let Weakenings { list, mut kept } = listed(original)?;
        let (list, others): (Vec<_>, Vec<_>) =
            list.into_iter().partition(|weakening| weakening.span.file == original.file);
        kept.extend(others.iter().map(|weakening| (weakening.span, INCLUDED)));
        let mut list: Vec<Weakening> =
            list.into_iter().filter(|weakening| is_asked(&weakening.weaker, choice)).collect();
        if !choice.with.has_atomics() {
            kept.clear();
        }
        let (marked, stores) = weaken_stores(original, &mut list, &mut kept)?;
        let mut sites: Vec<(usize, RepairKind, Steps, Vec<_>)> = Vec::new();
        for (index, weakening) in list.iter().enumerate() {
            match &stores[index] {
                Some((steps, vars)) => {
                    sites.push((index, RepairKind::AtomicWrite, steps.clone(), vars.clone()));
                }
                None => {
                    let steps = fence_steps(&marked, &list, weakening);
                    let kinds = kinds(&weakening.weaker, choice).iter();
                    let of_kind = |&kind: &RepairKind| (index, kind, steps.clone(), Vec::new());
                    sites.extend(kinds.filter(|_| !steps.is_empty()).map(of_kind));
                }
            }
        }
        let is_fence = |kind: RepairKind| kind != RepairKind::AtomicWrite;
        let fences = sites.iter().filter(|(_, kind, ..)| is_fence(*kind));
        let fences = fences.flat_map(|(_, _, steps, _)| steps.iter().copied()).collect();
        let standings = Standings::of(&marked.program, &fences);
        let texts = sites.iter().map(|(index, ..)| *index).collect();
        let place = |(_, kind, steps, vars): (usize, RepairKind, Steps, Vec<_>)| -> RepairSite {
            let standing = standings.place(kind, &steps);
            choice.place(kind, steps, vars, standing)
        };
        let places = sites.into_iter().map(place).collect();
        let subject = RepairProblem::new(marked.program.clone(), places);
        Ok(Weakened { original, marked, list, kept, texts, subject })
    }

    /// The kinds in which a weakening's places are in a set, and whether it has places at all.
    fn chosen(&self, index: usize, set: &Set) -> Option<Vec<RepairKind>> {
        let mut ids = (0..self.texts.len()).filter(|&id| self.texts[id] == index).peekable();
        ids.peek()?;
        Some(ids.filter(|id| set.contains(id)).map(|id| self.subject.place(id).kind).collect())
    }

    /// What a set makes of a weakening: the words for it and the edits; none if it stays as it is.
    fn becomes(&self, index: usize, set: &Set) -> Option<(String, &[Replacement])> {
        let kinds = self.chosen(index, set)?;
        let weakening = &self.list[index];
        match (&weakening.weaker, kinds.as_slice()) {
            (Weaker::Write { becomes, edits, .. }, []) => Some((becomes.clone(), edits)),
            (Weaker::Fence { without, .. } | Weaker::StoreFence { without }, []) => {
                Some(("nothing".into(), without))
            }
            (Weaker::Fence { store_fence: Some((words, edits)), .. }, kinds)
                if !kinds.contains(&RepairKind::Fence) =>
            {
                Some((words.clone(), edits))
            }
            _ => None,
        }
    }
}

impl Source for Weakened<'_> {
    fn loaded(&self) -> &Loaded {
        &self.marked
    }

    fn subject(&self) -> &RepairProblem {
        &self.subject
    }

    fn show(&self, id: SiteId) -> ShownPlace {
        let weakening = &self.list[self.texts[id]];
        let place = self.subject.place(id);
        let (file, line) = position(self.original, weakening.span);
        ShownPlace {
            file,
            line,
            kind: place.kind,
            words: format!("`{}`", weakening.was),
            processes: processes(&self.marked, place),
            cost: place.cost,
            loops: place.standing.depth,
            need: None,
        }
    }

    fn edit(&self, set: &Set) -> Edit {
        let changes = (0..self.list.len()).filter_map(|index| self.becomes(index, set));
        let changes: Vec<_> = changes.flat_map(|(_, edits)| edits.iter().cloned()).collect();
        Edit {
            file: self.original.name.clone(),
            original: self.original.sources.file(self.original.file).text().to_owned(),
            text: applied(self.original, changes),
        }
    }

    fn reread(&self, text: &str) -> Result<Loaded, Box<LoadError>> {
        self.original.reread(text, self.original.options.clone())
    }

    fn weakened(&self, set: &Set) -> Vec<ShownWeakening> {
        let shown = |index: usize| {
            let (becomes, _) = self.becomes(index, set)?;
            let weakening = &self.list[index];
            let (file, line) = position(self.original, weakening.span);
            Some(ShownWeakening { file, line, was: weakening.was.clone(), becomes })
        };
        (0..self.list.len()).filter_map(shown).collect()
    }

    fn unpatchable(&self) -> Vec<(String, u32, &'static str)> {
        let shown = |&(span, why): &(Span, &'static str)| {
            let (file, line) = position(self.original, span);
            (file, line, why)
        };
        let mut all: Vec<_> = self.kept.iter().map(shown).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// What the program's front end knows.
fn listed(loaded: &Loaded) -> Result<Weakenings, RepairError> {
    let Loaded { sources, file, .. } = loaded;
    let Some(found) = loaded.model.weakenings(sources, *file) else {
        let title = loaded.language.title();
        return Err(RepairError::Refused(format!(
            "`--relax` reads C and Taut programs; {title} has no fences and orders that Taut could make weaker"
        )));
    };
    let failed = |diagnostics| LoadError { sources: sources.clone(), diagnostics };
    found.map_err(|diagnostics| RepairError::Source(Box::new(failed(diagnostics))))
}

fn is_asked(weaker: &Weaker, choice: Choice) -> bool {
    match weaker {
        Weaker::Write { .. } => choice.with.has_atomics(),
        Weaker::Fence { .. } => choice.with.has_fences(),
        Weaker::StoreFence { .. } => choice.with.has_fences() && choice.store_fences,
    }
}

/// The fences that a fence can be given back as.
fn kinds(weaker: &Weaker, choice: Choice) -> &'static [RepairKind] {
    match weaker {
        Weaker::Write { .. } => &[],
        Weaker::StoreFence { .. } => &[RepairKind::StoreFence],
        Weaker::Fence { store_fence: Some(_), .. } if choice.store_fences => {
            &[RepairKind::Fence, RepairKind::StoreFence]
        }
        Weaker::Fence { .. } => &[RepairKind::Fence],
    }
}

/// The steps and variables of a store; none for fences.
type Stores = Vec<Option<(Steps, Vec<taut_ir::VarId>)>>;

/// The program with all stores weaker, and the steps of each. Stores whose weaker form cannot be told leave the list.
fn weaken_stores(
    original: &Loaded,
    list: &mut Vec<Weakening>,
    kept: &mut Vec<(Span, &'static str)>,
) -> Result<(Loaded, Stores), RepairError> {
    loop {
        let marked = with_weaker_stores(original, list, None)?;
        let mut stores: Stores = vec![None; list.len()];
        let mut bad = None;
        for (index, weakening) in list.iter().enumerate() {
            taut_budget::tick();
            if !matches!(weakening.weaker, Weaker::Write { .. }) {
                continue;
            }
            let as_it_was = with_weaker_stores(original, list, Some(index))?;
            match changed_stores(&marked.program, &as_it_was.program) {
                Some((steps, vars)) if !steps.is_empty() => stores[index] = Some((steps, vars)),
                found => {
                    bad = Some((index, found.is_some()));
                    break;
                }
            }
        }
        let Some((index, unreached)) = bad else { return Ok((marked, stores)) };
        let gone = list.remove(index);
        if !unreached {
            kept.push((gone.span, UNCLEAR));
        }
    }
}

/// The program with all stores weaker, perhaps but one.
fn with_weaker_stores(
    original: &Loaded,
    list: &[Weakening],
    but: Option<usize>,
) -> Result<Loaded, RepairError> {
    let weaker = list.iter().enumerate().filter(|(index, _)| Some(*index) != but);
    let edits = weaker.flat_map(|(_, weakening)| store_edits(weakening)).cloned().collect();
    let text = applied(original, edits);
    original.reread_edited(&text).map_err(RepairError::Source)
}

fn store_edits(weakening: &Weakening) -> &[Replacement] {
    match &weakening.weaker {
        Weaker::Write { edits, .. } => edits,
        Weaker::Fence { .. } | Weaker::StoreFence { .. } => &[],
    }
}

/// The text of the program with some edits. Where two take out the same blanks, they are taken out once.
fn applied(original: &Loaded, mut edits: Vec<Replacement>) -> String {
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut done = 0;
    for edit in &mut edits {
        edit.span.start = edit.span.start.max(done);
        edit.span.end = edit.span.end.max(edit.span.start);
        done = edit.span.end;
    }
    Replacement::apply(&original.sources, original.file, &edits)
}

/// The steps of a fence in the program with all stores weaker: those that begin where its statement does, if they are all
/// fences and nothing else.
fn fence_steps(marked: &Loaded, list: &[Weakening], fence: &Weakening) -> Steps {
    let edits = list.iter().flat_map(store_edits);
    let before = edits.filter(|edit| edit.span.end <= fence.span.start);
    let growth =
        |edit: &Replacement| edit.text.len() as i64 - i64::from(edit.span.end - edit.span.start);
    let grown: i64 = before.map(growth).sum();
    let start = i64::from(fence.span.start) + grown;
    let is_there =
        |step: &Step| step.span.file == marked.file && i64::from(step.span.start) == start;
    let here: Vec<_> = steps(&marked.program).filter(|(_, step)| is_there(step)).collect();
    let is_full = matches!(fence.weaker, Weaker::Fence { .. });
    let is_fence = |step: &Step| match is_full {
        true => step.mode == Mode::Fence && step.effects.is_empty(),
        false => step.mode == Mode::Plain && step.effects == [Effect::StoreFence],
    };
    match here.iter().all(|(_, step)| is_fence(step)) {
        true => here.into_iter().map(|(id, _)| id).collect(),
        false => Vec::new(),
    }
}

fn steps(program: &Program) -> impl Iterator<Item = ((DefId, StepId), &Step)> {
    program.defs.iter().enumerate().flat_map(|(d, def)| {
        let of_def = def.steps.iter().enumerate();
        of_def.map(move |(s, step)| ((DefId::from(d), StepId::from(s)), step))
    })
}
