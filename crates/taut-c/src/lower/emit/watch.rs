//! What the search for data races adds to the steps of a thread ([`super::super::races`]).

use taut_ir::{BinaryOp as B, Effect, Expr, Lvalue, PointId, RegId, Step};

use super::ThreadEmit;
use crate::lower::mir::{Chain, Edge, Op, Place, RUNNING, Watch};

impl ThreadEmit<'_, '_> {
    /// The forms of a step that mark an access of it, and those that find a race.
    pub(super) fn watch(&mut self, edge: &Edge, step: &Step) {
        let Some(watched) = &self.all.watched else { return };
        for op in &edge.ops {
            let Op::Watch(Watch::Access(point)) = op else { continue };
            let Some((var, index)) = self.location(&point.place) else { continue };
            let (number, conflict) = watched.access(var.index(), &index, point);
            let mut marking = step.clone();
            marking.guard = step.guard.clone().and(watched.is_open()).and(self.others_run());
            let mark = Effect::assign(Lvalue::Var(watched.mark), number.clone());
            let knows = Effect::assign(Lvalue::Reg(self.reg(point.knows)), Expr::Const(1));
            marking.effects.splice(0..0, [mark, knows]);
            self.steps.push(marking);
            let ignorant = self.expr(&point.knowledge).equals(Expr::Const(0));
            let mut racing = step.clone();
            racing.guard = step.guard.clone().and(conflict).and(ignorant);
            racing.effects.splice(0..0, watched.found(number));
            self.steps.push(racing);
        }
    }

    /// True if a thread runs that need not come after what this one did. Before `main` creates threads, and after it
    /// has waited for all of them, no access of it can race.
    fn others_run(&self) -> Expr {
        let (true, Some(states)) = (self.id.0 == 0, self.all.mir.states) else { return Expr::TRUE };
        let runs = |number: u32| {
            self.cell(states, Expr::Const(i64::from(number))).equals(Expr::Const(RUNNING))
        };
        let all = (1..self.all.counts.total).map(runs).reduce(|a, b| Expr::binary(B::Or, a, b));
        all.unwrap_or(Expr::Const(0))
    }

    /// Adds the step that finds a race with the `free` of an object; the guard of one without a race. A marked object
    /// is not freed: what comes after that is no access to it.
    pub(super) fn freed(
        &mut self,
        edge: &Edge,
        source: PointId,
        guard: Expr,
        class: usize,
        cells: std::ops::Range<i64>,
    ) -> Expr {
        let Some(watched) = &self.all.watched else { return guard };
        let marked = watched.is_marked(class, cells.clone());
        let knowledge = edge.ops.iter().find_map(|op| match op {
            Op::Watch(Watch::Free(knows)) => Some(self.expr(knows)),
            _ => None,
        });
        let ignorant = knowledge.unwrap_or(Expr::Const(1)).equals(Expr::Const(0));
        let mut racing = Step::skip(source, source, edge.span);
        racing.guard = guard.clone().and(marked.clone()).and(ignorant);
        racing.effects = watched.found(watched.freed(class, cells.start));
        racing.target = self.target(&edge.to);
        racing.text = edge.text.clone();
        racing.whole = true;
        self.steps.push(racing);
        guard.and(marked.not())
    }

    /// What a thread learns, or tells with a value.
    pub(super) fn told(&self, watch: &Watch) -> Vec<Effect> {
        match watch {
            Watch::Learn(reg, value) => {
                vec![Effect::assign(Lvalue::Reg(self.reg(*reg)), self.expr(value))]
            }
            Watch::Carry(place, told, chain) => self.carry(place, self.expr(told), *chain),
            _ => Vec::new(),
        }
    }

    /// The value in a place carries something from now on.
    fn carry(&self, place: &Place, told: Expr, chain: Chain) -> Vec<Effect> {
        let Some((var, index)) = self.location(place) else { return Vec::new() };
        let Some(watched) = &self.all.watched else { return Vec::new() };
        let Some(carrier) = watched.carrier(var.index()) else { return Vec::new() };
        let joined = |before: Expr| match chain {
            Chain::Joined => Expr::binary(B::Or, before, told.clone()),
            Chain::Own | Chain::Ended => told.clone(),
        };
        let mut effects = Vec::new();
        let bit = self.read(carrier, index.clone());
        effects.push(Effect::assign(self.lvalue(carrier, index.clone()), joined(bit)));
        let Some(heads) = watched.heads(var.index()) else { return effects };
        let own = joined(self.headed(place));
        // The thread's own sequence is read before those of others are ended.
        let own = Effect::assign(self.lvalue(heads, self.head(&index, self.number())), own);
        effects.insert(0, own);
        if chain == Chain::Joined {
            return effects;
        }
        for number in 0..self.all.counts.total {
            let number = Expr::Const(i64::from(number));
            let place = self.lvalue(heads, self.head(&index, number.clone()));
            let bit = self.read(heads, self.head(&index, number.clone()));
            let is_own = number.equals(self.number());
            let kept = is_own.and(Expr::binary(B::Ne, bit, Expr::Const(0)));
            effects.insert(1, Effect::assign(place, kept));
        }
        effects
    }

    /// The cell of the release sequences of a thread.
    fn head(&self, index: &Expr, number: Expr) -> Expr {
        let threads = Expr::Const(i64::from(self.all.counts.total));
        Expr::binary(B::Add, Expr::binary(B::Mul, index.clone(), threads), number)
    }

    /// The number of the thread.
    fn number(&self) -> Expr {
        if self.id.0 == 0 { Expr::Const(0) } else { Expr::Reg(RegId::from(0)) }
    }

    /// True if the value in a place carries what is known.
    pub(super) fn carried(&self, place: &Place) -> Expr {
        let bit = || {
            let (var, index) = self.location(place)?;
            let carrier = self.all.watched.as_ref()?.carrier(var.index())?;
            Some(self.read(carrier, index))
        };
        bit().unwrap_or(Expr::Const(0))
    }

    /// True if a release sequence of the thread's own carries it.
    pub(super) fn headed(&self, place: &Place) -> Expr {
        let bit = || {
            let (var, index) = self.location(place)?;
            let heads = self.all.watched.as_ref()?.heads(var.index())?;
            Some(self.read(heads, self.head(&index, self.number())))
        };
        bit().unwrap_or(Expr::Const(0))
    }
}
