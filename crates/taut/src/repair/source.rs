//! EditSites in the text of languages with statements: Taut, Promela, litmus tests.
//!
//! The front end lists where a fence can stand. The text with a fence at *every* such point is read; the steps of
//! those fences, found by where they stand, are the places. So that what the loop checks is what the
//! edited text will mean, whatever the language makes of a statement in that position.

use taut_ir::frontend::FenceWords;
use taut_ir::{DefId, Mode, Program, Step, StepId, VarId};
use taut_repair::{RepairKind, RepairProblem, RepairSite, Set, SiteId, Standings};
use taut_source::{EditSites, Point, Replacement, Span, WritePoint};

use super::options::Choice;
use super::places::{Edit, Source, processes};
use super::races::is_race;
use super::report::{RepairError, ShownPlace};
use super::same::{Stored, changed_stores};
use crate::load::{LoadError, Loaded};

/// A program in a language with statements.
pub(super) struct Statements<'l> {
    original: &'l Loaded,
    marked: Loaded,
    places: EditSites,
    /// What each place of the subject is in the text.
    texts: Vec<Text>,
    words: FenceWords<'l>,
    subject: RepairProblem,
}

/// What a place is in the text: one of the points, or one of the writes.
#[derive(Clone, Copy)]
enum Text {
    Point(usize),
    Write(usize),
}

impl Text {
    /// Where it stands in the text.
    fn start(self, places: &EditSites) -> usize {
        match self {
            Text::Point(number) => places.points[number].at,
            Text::Write(number) => places.writes[number].span.start as usize,
        }
    }
}

/// The program with a fence at every point, and where its steps stand.
#[derive(Clone)]
struct Marked {
    loaded: Loaded,
    points: Vec<Point>,
    /// The length of a fence in the text.
    statement: usize,
    /// The steps of the fence at each point.
    fences: Vec<Vec<(DefId, StepId)>>,
    standings: Standings,
}

impl Marked {
    fn new(original: &Loaded, points: &[Point]) -> Result<Marked, RepairError> {
        let fence = words(original)?.mark;
        let (text, starts) = Point::fill(&original.sources, original.file, points, fence);
        let loaded = original.reread_edited(&text).map_err(RepairError::Source)?;
        let fences: Vec<_> = starts.iter().map(|&start| fences_at(&loaded, start)).collect();
        let standings = Standings::of(&loaded.program, &fences.iter().flatten().copied().collect());
        let (points, statement) = (points.to_vec(), fence.len());
        Ok(Marked { loaded, points, statement, fences, standings })
    }

    /// The places of fences.
    fn fences(&self, choice: Choice) -> Vec<(Text, RepairSite)> {
        let mut list = Vec::new();
        for (number, steps) in self.fences.iter().enumerate().filter(|(_, s)| !s.is_empty()) {
            let place = |&kind: &RepairKind| {
                let standing = self.standings.place(kind, steps);
                (Text::Point(number), choice.place(kind, steps.clone(), vec![], standing))
            };
            list.extend(choice.fences().iter().map(place));
        }
        list
    }

    /// The places of atomic writes. Where they stand is read off the text with all fences: without a step between
    /// their heads, a loop at the start of another could not be told from it.
    fn writes(
        &self,
        original: &Loaded,
        choice: Choice,
        writes: &[WritePoint],
        graph: &Marked,
    ) -> Result<Vec<(Text, RepairSite)>, RepairError> {
        let mut list = Vec::new();
        for (number, write) in writes.iter().enumerate() {
            let (steps, vars) = self.stores_of(original, write)?;
            if steps.is_empty() {
                continue;
            }
            let in_graph = graph.stores_of(original, write)?.0;
            let standing = graph.standings.place(RepairKind::AtomicWrite, &in_graph);
            let place = choice.place(RepairKind::AtomicWrite, steps, vars, standing);
            list.push((Text::Write(number), place));
        }
        Ok(list)
    }

    /// The steps of a store and the variables they store to: known by their places, or as what the edits change.
    fn stores_of(&self, original: &Loaded, write: &WritePoint) -> Result<Stored, RepairError> {
        if !write.steps.is_empty() {
            let shift = Shift { points: &self.points, statement: self.statement };
            return Ok(stores_of(&self.loaded, write, &shift));
        }
        taut_budget::tick();
        let mark = words(original)?.mark;
        let fences = self.points.iter().flat_map(|point| point.edits(mark));
        let edits: Vec<_> =
            fences.map(Replacement::from).chain(write.edits.iter().cloned()).collect();
        let text = Replacement::apply(&original.sources, original.file, &edits);
        let changed = original.reread_edited(&text).map_err(RepairError::Source)?;
        Ok(changed_stores(&self.loaded.program, &changed.program).unwrap_or_default())
    }
}

/// The texts of fences.
fn words(loaded: &Loaded) -> Result<FenceWords<'_>, RepairError> {
    let title = loaded.language.title();
    let refusal = || RepairError::Refused(format!("{title} has no fences that Taut could insert"));
    loaded.model.fences().or_else(|| loaded.language.fences()).ok_or_else(refusal)
}

impl<'l> Statements<'l> {
    pub(super) fn new(loaded: &'l Loaded, choice: Choice) -> Result<Statements<'l>, RepairError> {
        let mut places = places_of(loaded)?;
        only_in(loaded, &mut places);
        if !choice.with.has_fences() {
            places.unpatchable.clear();
        }
        if choice.with.has_atomics() {
            places.unpatchable.append(&mut places.unwritable);
        }
        if choice.with.has_atomics() && !choice.with.has_fences() && places.writes.is_empty() {
            return Err(no_writes(loaded));
        }
        let graph = Marked::new(loaded, &places.points)?;
        if !choice.with.has_fences() {
            // A fence that is in the text and no place would be there for good.
            places.points.clear();
        }
        let marked = match choice.with.has_fences() {
            true => graph.clone(),
            false => Marked::new(loaded, &[])?,
        };
        let mut list: Vec<(Text, RepairSite)> = marked.fences(choice);
        if choice.with.has_atomics() {
            leave_out_races(loaded, &graph, &mut places)?;
            list.extend(marked.writes(loaded, choice, &places.writes, &graph)?);
        }
        // In the order of the source, which decides where nothing else does.
        list.sort_by_key(|(text, _)| text.start(&places));
        let (texts, all) = list.into_iter().unzip();
        let marked = marked.loaded;
        let subject = RepairProblem::new(marked.program.clone(), all);
        let words = words(loaded)?;
        Ok(Statements { original: loaded, marked, places, texts, words, subject })
    }

    fn span(&self, id: SiteId) -> Span {
        match self.texts[id] {
            Text::Point(number) => self.places.points[number].span,
            Text::Write(number) => self.places.writes[number].span,
        }
    }

    /// What to name the line of: of a fence, where the statement before it ends.
    fn line_of(&self, id: SiteId) -> Span {
        let span = self.span(id);
        match self.texts[id] {
            Text::Point(_) => Span { start: span.end.saturating_sub(1).max(span.start), ..span },
            Text::Write(_) => span,
        }
    }

    fn replacements(&self, id: SiteId) -> Vec<Replacement> {
        let words = self.words;
        let put = |number: usize, fence: &str| {
            let edits = self.places.points[number].edits(fence);
            edits.into_iter().map(Replacement::from).collect()
        };
        match (self.texts[id], self.subject.place(id).kind) {
            (Text::Point(number), RepairKind::StoreFence) => put(number, words.store_fence),
            (Text::Point(number), _) => put(number, words.fence),
            (Text::Write(number), _) => self.places.writes[number].edits.clone(),
        }
    }
}

impl Source for Statements<'_> {
    fn loaded(&self) -> &Loaded {
        &self.marked
    }

    fn subject(&self) -> &RepairProblem {
        &self.subject
    }

    fn show(&self, id: SiteId) -> ShownPlace {
        let place = self.subject.place(id);
        let words = match self.texts[id] {
            Text::Point(number) => self.places.points[number].words.clone(),
            Text::Write(number) => {
                format!("the store to `{}`", self.places.writes[number].variable)
            }
        };
        let (file, line) = position(self.original, self.line_of(id));
        ShownPlace {
            file,
            line,
            kind: place.kind,
            words,
            processes: processes(&self.marked, place),
            cost: place.cost,
            loops: place.standing.depth,
            need: None,
        }
    }

    fn edit(&self, set: &Set) -> Edit {
        let Loaded { sources, file, .. } = self.original;
        let replacements: Vec<_> = set.iter().flat_map(|&id| self.replacements(id)).collect();
        Edit {
            file: self.original.name.clone(),
            original: sources.file(*file).text().to_owned(),
            text: Replacement::apply(sources, *file, &replacements),
        }
    }

    fn reread(&self, text: &str) -> Result<Loaded, Box<LoadError>> {
        self.original.reread(text, self.original.options.clone())
    }

    fn unpatchable(&self) -> Vec<(String, u32, &'static str)> {
        let spans = self.places.unpatchable.iter();
        let shown = |&(span, why): &(Span, &'static str)| {
            let (file, line) = position(self.original, span);
            (file, line, why)
        };
        let mut all: Vec<_> = spans.map(shown).collect();
        // A line may hold several places, of which one note is enough.
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// Leaves out the stores that an atomic write would not repair: those of racy read-modify-writes. The store of
/// `x := x + 1` can be atomic, but its load stays an access of its own, and the model has both in one step.
fn leave_out_races(
    original: &Loaded,
    graph: &Marked,
    places: &mut EditSites,
) -> Result<(), RepairError> {
    const RACY: &str = "it loads what it stores, and other processes store it, too: make it one locked instruction";
    let program = &graph.loaded.program;
    for write in std::mem::take(&mut places.writes) {
        let (steps, vars) = graph.stores_of(original, &write)?;
        match steps.iter().any(|&(def, step)| is_race(program, def, step, &vars)) {
            true => places.unpatchable.push((write.span, RACY)),
            false => places.writes.push(write),
        }
    }
    Ok(())
}

/// The file and the line of a span.
pub(super) fn position(loaded: &Loaded, span: Span) -> (String, u32) {
    match loaded.sources.get(span.file) {
        Some(file) => (file.name().to_owned(), file.position(span.start).line),
        None => (loaded.name.clone(), 1),
    }
}

/// The places that the program's front end knows.
fn places_of(loaded: &Loaded) -> Result<EditSites, RepairError> {
    let Loaded { sources, file, .. } = loaded;
    let places = loaded.model.edit_sites(sources, *file);
    let failed = |diagnostics| LoadError { sources: sources.clone(), diagnostics };
    places.map_err(|diagnostics| RepairError::Source(Box::new(failed(diagnostics))))
}

/// Leaves only what is in the program's main file. What an included file has is not changed: other programs
/// may include it, too.
fn only_in(loaded: &Loaded, places: &mut EditSites) {
    const INCLUDED: &str = "it is in an included file";
    let is_ours = |span: Span| span.file == loaded.file;
    let others = places.points.iter().filter(|p| p.file != loaded.file).map(|p| p.span);
    let mut others: Vec<Span> = others.collect();
    others.extend(places.writes.iter().map(|w| w.span).filter(|&span| !is_ours(span)));
    places.points.retain(|point| point.file == loaded.file);
    places.writes.retain(|write| is_ours(write.span));
    others.dedup();
    places.unpatchable.extend(others.into_iter().map(|span| (span, INCLUDED)));
}

fn no_writes(loaded: &Loaded) -> RepairError {
    RepairError::Refused(loaded.language.no_atomic_writes().into())
}

/// The steps of fences that begin at a byte of the marked text.
fn fences_at(marked: &Loaded, start: Option<usize>) -> Vec<(DefId, StepId)> {
    let is_there = |step: &Step| {
        step.mode == Mode::Fence
            // A step that does more is not taken out.
            && step.effects.is_empty()
            && step.span.file == marked.file
            && Some(step.span.start as usize) == start
    };
    steps(&marked.program).filter(|(_, step)| is_there(step)).map(|(id, _)| id).collect()
}

fn steps(program: &Program) -> impl Iterator<Item = ((DefId, StepId), &Step)> {
    program.defs.iter().enumerate().flat_map(|(d, def)| {
        let of_def = def.steps.iter().enumerate();
        of_def.map(move |(s, step)| ((DefId::from(d), StepId::from(s)), step))
    })
}

/// The steps that a store of the original text became in the marked one, and the variables they store to.
fn stores_of(
    marked: &Loaded,
    write: &WritePoint,
    shift: &Shift<'_>,
) -> (Vec<(DefId, StepId)>, Vec<VarId>) {
    let spans: Vec<Span> = write.steps.iter().map(|&span| shift.apply(span)).collect();
    let is_buffered = |var: &VarId| marked.program.var(*var).kind.is_buffered();
    let (mut found, mut vars) = (Vec::new(), Vec::new());
    for (id, step) in steps(&marked.program).filter(|(_, step)| spans.contains(&step.span)) {
        let plain = step.assignments().filter(|a| !a.atomic);
        let stored: Vec<_> = plain.filter_map(|a| a.place.variable()).filter(is_buffered).collect();
        if !stored.is_empty() {
            found.push(id);
            vars.extend(stored);
        }
    }
    vars.sort();
    vars.dedup();
    (found, vars)
}

/// Where what stood in a text stands when fences are put in.
struct Shift<'p> {
    points: &'p [Point],
    /// How long a fence is.
    statement: usize,
}

impl Shift<'_> {
    fn apply(&self, span: Span) -> Span {
        let grown = |at: u32, is_end: bool| {
            let before = self.points.iter().filter(|p| {
                p.file == span.file && if is_end { p.at < at as usize } else { p.at <= at as usize }
            });
            let by: usize = before.map(|p| p.before.len() + self.statement + p.after.len()).sum();
            at as usize + by
        };
        Span::new(span.file, grown(span.start, false)..grown(span.end, true))
    }
}
