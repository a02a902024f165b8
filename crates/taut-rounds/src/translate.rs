//! The translation of a whole program.

use taut_ir::{
    BinaryOp, Control, Expr, Lvalue, Mode, PointId, ProcId, ProcessDef, Program, ProgramPoint,
    Property, PropertyKind, RegId, Span, Step, StepId, Type, VarId, VarKind, Variable,
};

use crate::copies::{Copies, effect};
use crate::error::TranslateError;
use crate::expr::{Reader, Seen, mark};
use crate::layout::{Layout, Region};
use crate::map::{DefMap, Map, Role};
use crate::plain;
use crate::refuse;
use crate::round::Round;
use crate::scope::Scope;
use crate::step::Steps;

/// A program that does under SC what another does under TSO, and how the two belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation {
    /// The program, for explorers: inside of a round each step holds the others, so that a round is one
    /// transition and its inner states are not stored.
    pub program: Program,
    /// What stands for what.
    pub map: Map,
    /// The runs that it covers.
    pub scope: Scope,
    /// The program it was made from.
    pub original: Program,
    /// What the definitions have in addition, and where their program points are.
    pub(crate) parts: Vec<(Copies, Layout)>,
}

impl Translation {
    /// The same program, step by step, without steps that hold or yield: what keeps the others waiting inside
    /// of a round are its atomic program points alone, and who yields asks for the guards of the others. Other languages can say that; explorers store more.
    pub fn portable(&self) -> Program {
        let mut program = self.program.clone();
        for def in &mut program.defs {
            plain::without_yields(def);
            def.steps.iter_mut().for_each(|s| s.holds = false);
        }
        program
    }

    /// A condition on states of the translated program, for a property: from here a run of the original may
    /// leave the scope. If it is true in no reachable state, the scope has all runs of the original under TSO.
    ///
    /// Why: take the first moment at which a run leaves the scope. There a process begins a round. What
    /// happened before is a run of the translation that ends between rounds, and in it that process has had
    /// all its rounds and has not finished; or, for ages, it has a store that waits and is as old as can be.
    /// In the translation that store is one that never reaches memory, with no rounds `left`.
    pub fn may_leave_scope(&self) -> Expr {
        let calm = all_calm(&self.original, &self.parts);
        let leaves = self.original.process_ids().map(|p| self.process_may_leave(p));
        let some = leaves.reduce(|a, b| Expr::binary(BinaryOp::Or, a, b));
        calm.and(some.unwrap_or(Expr::Const(0)))
    }

    fn process_may_leave(&self, process: ProcId) -> Expr {
        let (copies, layout) = &self.parts[self.original.process(process).def.index()];
        let k = i64::from(self.scope.k());
        let is = |register: RegId, value: i64| Expr::from(register).equals(value.into());
        let used_up = match copies.left {
            None => is(copies.r_sc, k),
            Some(left) => is(copies.r_tso, self.scope.never()).and(is(left, 0)),
        };
        let mut unfinished = layout.everywhere();
        // A final program point is that of one that has finished and of which nothing waits.
        unfinished.retain(|&l| layout.original(l) != Some(l) || !layout.is_final(l));
        mark(process, &used_up).and(Expr::At(process, unfinished))
    }
}

/// Translates a valid program.
///
/// Assertions, faults, and properties of states are carried over exactly; see the crate's documentation.
/// Whether the original can deadlock is not asked of the translation: it has no deadlocks.
pub fn translate(program: &Program, scope: Scope) -> Result<Translation, TranslateError> {
    let _phase = taut_budget::phase("the program is translated into rounds");
    scope.check()?;
    refuse::check(program, scope)?;
    let mut result = Program { name: format!("{} ({scope})", program.name), ..program.clone() };
    let waiting = add_waiting(&mut result, program);
    let mut parts = Vec::new();
    for (def, original) in result.defs.iter_mut().zip(&program.defs) {
        let copies = Copies::add(program, original, scope, &mut def.registers);
        let mut points = Vec::new();
        let layout = Layout::new(original, &copies, &mut points);
        def.points = points;
        parts.push((copies, layout));
    }
    let mut maps = Vec::new();
    for ((def, original), (copies, layout)) in result.defs.iter_mut().zip(&program.defs).zip(&parts)
    {
        let definition = Definition { program, original, copies, layout, parts: &parts, waiting };
        let (steps, roles) = definition.steps(&mut def.points);
        def.steps = steps;
        for procedure in &mut def.procedures {
            procedure.entry = layout.inside(procedure.entry);
        }
        maps.push(DefMap { roles, layout: layout.clone() });
    }
    let asked = program.properties.iter().map(|p| property(program, &parts, p));
    result.properties = asked.collect();
    let (map, original) = (Map { defs: maps }, program.clone());
    Ok(Translation { program: result, map, scope, original, parts })
}

/// Adds the ghost that counts who has stores that wait, if some step is a `sync`.
fn add_waiting(result: &mut Program, program: &Program) -> Option<VarId> {
    let mut steps = program.defs.iter().flat_map(|d| &d.steps);
    if !steps.any(|s| s.mode == Mode::Sync) {
        return None;
    }
    let id = VarId::from(program.vars.len());
    let mut name = "waiting".to_owned();
    while program.find_var(&name).is_some() {
        name.push('_');
    }
    result.vars.push(Variable {
        name,
        kind: VarKind::Ghost,
        ty: Type::range(0, program.processes.len() as i64),
        len: None,
        init: vec![0],
        span: Span::NONE,
    });
    Some(id)
}

/// A property, looked at between rounds only.
fn property(program: &Program, parts: &[(Copies, Layout)], property: &Property) -> Property {
    let reader = Reader { program, seen: Seen::Property(parts) };
    let calm = || all_calm(program, parts);
    let kind = match &property.kind {
        PropertyKind::Forbid(bad) => PropertyKind::Forbid(calm().and(reader.expr(bad))),
        PropertyKind::Cover(sought) => PropertyKind::Cover(calm().and(reader.expr(sought))),
        PropertyKind::Invariant(good) => {
            let good = reader.expr(good);
            let unrest = Box::new(calm().not());
            PropertyKind::Invariant(Expr::Binary(BinaryOp::Or, unrest, Box::new(good)))
        }
        other => other.clone(),
    };
    Property { kind, ..property.clone() }
}

/// Whether the state is one of the original: no process is in the middle of a round.
fn all_calm(program: &Program, parts: &[(Copies, Layout)]) -> Expr {
    program.process_ids().map(|p| is_calm(program, parts, p)).fold(Expr::TRUE, Expr::and)
}

/// Whether a process is in no round, or where memory is that of the original all the same.
fn is_calm(program: &Program, parts: &[(Copies, Layout)], process: ProcId) -> Expr {
    let (copies, layout) = &parts[program.process(process).def.index()];
    let outside = mark(process, &Expr::from(copies.sim)).equals(0.into());
    match layout.atomic_points() {
        atomic if atomic.is_empty() => outside,
        atomic => Expr::binary(BinaryOp::Or, outside, Expr::At(process, atomic)),
    }
}

/// What a definition is made from.
struct Definition<'d> {
    program: &'d Program,
    original: &'d ProcessDef,
    copies: &'d Copies,
    layout: &'d Layout,
    parts: &'d [(Copies, Layout)],
    waiting: Option<VarId>,
}

impl Definition<'_> {
    fn steps(&self, points: &mut Vec<ProgramPoint>) -> (Vec<Step>, Vec<Role>) {
        let Definition { program, copies, layout, parts, waiting, .. } = *self;
        let (made, first) = (Vec::new(), Vec::new());
        let mut steps = Steps { program, copies, layout, parts, waiting, points, made, first };
        for (id, step) in self.original.steps.iter().enumerate() {
            steps.step(StepId::from(id), step);
        }
        let (mut made, first) = (steps.made, steps.first);
        for (here, step) in first.iter().zip(&self.original.steps) {
            let others = step.yields_to.iter().map(|other| first[other.index()]);
            made[here.index()].0.yields_to = others.collect();
        }
        self.rounds(&mut made, &first);
        for (step, _) in &mut made {
            step.holds = self.holds(step);
        }
        made.into_iter().unzip()
    }

    /// Whether the others are held after a step: unless it leads to where the original could be.
    fn holds(&self, step: &Step) -> bool {
        let looked_at = |to| self.layout.original(to).is_some();
        match &step.target {
            Control::Goto(to) => !looked_at(*to),
            Control::Call { procedure, .. } => {
                let entry = self.original.procedures[procedure.index()].entry;
                !looked_at(self.layout.inside(entry))
            }
            Control::Return => !self.layout.returns_to_atomic(self.original),
            Control::Exit => false,
        }
    }

    /// The steps that begin and end rounds.
    fn rounds(&self, made: &mut Vec<(Step, Role)>, first: &[StepId]) {
        let Definition { program, copies, waiting, .. } = *self;
        let round = Round { program, copies, waiting };
        for region in self.layout.regions() {
            let init = Step { effects: round.init(), ..self.skip(region.begin, region.enter) };
            let finish = Step { effects: round.finish(), ..self.skip(region.end, region.leave) };
            made.push((init, Role::Flush));
            made.push((finish, Role::End));
        }
        for point in self.layout.originals().filter(|&l| !self.layout.is_atomic(l)) {
            let region = self.layout.region(point);
            made.extend(self.begin(&round, point, region).map(|s| (s, Role::Begin)));
            made.extend(self.end(point, region).map(|s| (s, Role::End)));
            made.extend(self.end_stuck(point, region, first).map(|s| (s, Role::End)));
        }
    }

    fn skip(&self, from: PointId, to: PointId) -> Step {
        Step::skip(from, to, self.original.span)
    }

    /// `is_init_round`: to the beginning of a round and back.
    fn begin(
        &self,
        round: &Round<'_>,
        point: PointId,
        region: Region,
    ) -> impl Iterator<Item = Step> {
        let (back, inside) = (self.copies.back, self.layout.inside(point));
        let here = i64::from(point.0);
        // A process that has finished, and of which nothing waits, begins no rounds.
        let outside = match self.layout.is_final(point) {
            true => self.layout.late(point),
            false => Some(point),
        };
        let go = outside.map(|outside| Step {
            guard: round.may_begin(),
            effects: vec![effect(Lvalue::Reg(back), here), effect(Lvalue::Reg(self.copies.sim), 1)],
            ..self.skip(outside, region.begin)
        });
        let come = self.come_back(region.enter, inside, here, Expr::TRUE);
        go.into_iter().chain([come])
    }

    /// `is_end_round`: to the end of a round and back. A round in which nothing happens is none.
    fn end(&self, point: PointId, region: Region) -> impl Iterator<Item = Step> {
        let (back, inside) = (self.copies.back, self.layout.inside(point));
        let here = i64::from(point.0);
        let simulated = Expr::from(self.copies.sim).equals(2.into());
        let guard = match self.copies.held {
            Some(held) => simulated.and(Expr::from(held).equals(0.into())),
            None => simulated,
        };
        let effects = vec![effect(Lvalue::Reg(back), here)];
        let go = Step { guard, effects, ..self.skip(inside, region.end) };
        let drained = match self.layout.late(point) {
            Some(_) => self.copies.drained(),
            None => Expr::TRUE,
        };
        let over = |to, condition| {
            let mut come = self.come_back(region.leave, to, here, condition);
            come.effects.push(effect(Lvalue::Reg(self.copies.sim), 0));
            come
        };
        let come = over(point, drained.clone());
        let late = self.layout.late(point).map(|late| over(late, drained.not()));
        [go, come].into_iter().chain(late)
    }

    /// A process that holds the others ends its round only where it cannot go on.
    fn end_stuck(&self, point: PointId, region: Region, first: &[StepId]) -> Option<Step> {
        let held = Expr::from(self.copies.held?).equals(1.into());
        let into = |s: &Step| s.holds && s.target == Control::Goto(point);
        self.original.steps.iter().any(into).then_some(())?;
        let own = self.original.steps.iter().zip(first).filter(|(s, _)| s.source == point);
        Some(Step {
            guard: Expr::from(self.copies.sim).equals(2.into()).and(held),
            effects: vec![effect(Lvalue::Reg(self.copies.back), i64::from(point.0))],
            yields_to: own.map(|(_, &first)| first).collect(),
            ..self.skip(self.layout.inside(point), region.end)
        })
    }

    fn come_back(&self, from: PointId, to: PointId, here: i64, condition: Expr) -> Step {
        let back = self.copies.back;
        Step {
            guard: Expr::from(back).equals(here.into()).and(condition),
            effects: vec![effect(Lvalue::Reg(back), 0)],
            ..self.skip(from, to)
        }
    }
}
