//! Expressions, and the conditions under which they fault.

use taut_ir::{BinaryOp, Buffers, Expr, Interval, Lifecycle, Lvalue, PointId, ProcId};
use taut_memory::CellId;

use super::Exporter;

/// Whose registers an expression names, and whether buffers stand between it and memory.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    pub(super) process: ProcId,
    pub(super) direct: bool,
    /// What `timeout` is.
    pub(super) timeout: bool,
}

impl Scope {
    /// A property's: it names no registers without their process.
    const OUTSIDE: Scope = Scope { process: ProcId(0), direct: true, timeout: false };

    /// As another process sees things.
    fn of(self, process: ProcId) -> Scope {
        Scope { process, direct: false, ..self }
    }
}

/// One condition or another.
pub(super) fn either(a: Option<String>, b: Option<String>) -> Option<String> {
    match (a, b) {
        (Some(a), Some(b)) => Some(format!("({a} || {b})")),
        (a, b) => a.or(b),
    }
}

impl Exporter<'_> {
    /// An expression of a property.
    pub(super) fn observed_expr(&self, expr: &Expr) -> String {
        self.expr(Scope::OUTSIDE, expr)
    }

    /// When an expression of a property faults.
    pub(super) fn observed_fault(&self, expr: &Expr) -> Option<String> {
        self.fault(Scope::OUTSIDE, expr)
    }

    pub(super) fn expr(&self, scope: Scope, expr: &Expr) -> String {
        taut_budget::tick();
        match expr {
            Expr::Const(v) if *v < 0 => format!("({v})"),
            Expr::Const(v) => v.to_string(),
            Expr::Reg(r) => self.names.register(scope.process, *r).into(),
            Expr::RegElem(r, i) => {
                format!("{}[{}]", self.names.register(scope.process, *r), self.expr(scope, i))
            }
            Expr::Var(_) | Expr::VarElem(..) => {
                self.load(scope, &self.place_of(scope, expr), self.may_wait(scope, expr))
            }
            Expr::Unary(op, a) => format!("({}{})", op.symbol(), self.expr(scope, a)),
            Expr::Binary(op, a, b) => {
                format!("({} {} {})", self.expr(scope, a), op.symbol(), self.expr(scope, b))
            }
            Expr::Cond(c, a, b) => {
                let [c, a, b] = [c, a, b].map(|e| self.expr(scope, e));
                format!("(({c}) -> {a} : {b})")
            }
            Expr::In(p, e) => self.inside(scope.of(*p), e),
            Expr::At(p, points) => self.at(*p, points),
            Expr::Drained(p) => self.drained(*p),
            Expr::Enabled(p) => self.enabled(*p),
            Expr::Pid => self.names.own(scope.process, "pid"),
            Expr::Processes => "living".into(),
            Expr::Alive(p) => self.alive(*p),
            Expr::Timeout => if scope.timeout { "true" } else { "false" }.into(),
            Expr::Channel(query, channel) => self.query(scope, *query, channel),
            Expr::Poll(poll) => self.polled(scope, poll),
        }
    }

    fn inside(&self, scope: Scope, expr: &Expr) -> String {
        let value = self.expr(scope, expr);
        match self.has_flag(scope.process) {
            true => format!("({} -> {value} : 0)", self.alive(scope.process)),
            false => value,
        }
    }

    /// Whether a process lives. In the form with one machine, a spawned process that has finished is gone
    /// without a step that says so.
    pub(super) fn alive(&self, process: ProcId) -> String {
        let go = self.names.own(process, "go");
        match (self.one_machine, self.program.lifecycle) {
            _ if !self.has_flag(process) => "true".into(),
            (true, Lifecycle::Slots) => {
                let def = self.program.def_of(process);
                let ends = (0..def.points.len()).map(PointId::from).filter(|&l| def.is_final(l));
                let ends: Vec<_> = ends.map(|l| self.is_at(process, l)).collect();
                if ends.is_empty() {
                    return go;
                }
                format!("({go} && !(({}) && {}))", ends.join(" || "), self.drained(process))
            }
            _ => go,
        }
    }

    fn at(&self, process: ProcId, points: &[PointId]) -> String {
        let pc = self.names.own(process, "pc");
        let tests: Vec<_> = points.iter().map(|l| format!("{pc} == {}", l.0 + 1)).collect();
        if tests.is_empty() {
            return "false".into();
        }
        match self.one_machine && self.has_flag(process) {
            true => format!("({} && ({}))", self.alive(process), tests.join(" || ")),
            false => format!("({})", tests.join(" || ")),
        }
    }

    /// The number of a variable's place, as an expression.
    pub(super) fn place_of(&self, scope: Scope, expr: &Expr) -> String {
        match expr {
            Expr::Var(v) => self.places.of(*v, 0).0.to_string(),
            Expr::VarElem(v, index) => {
                let first = self.places.of(*v, 0).0;
                match &**index {
                    Expr::Const(i) => (i64::from(first) + i).to_string(),
                    index => format!("{first} + {}", self.expr(scope, index)),
                }
            }
            _ => unreachable!("only variables have places"),
        }
    }

    /// The places that something assigned may be.
    pub(super) fn possible(&self, place: &Lvalue) -> Vec<CellId> {
        self.places.stored(self.program, place)
    }

    /// Whether a store to what is read may wait in the reader's buffer.
    fn may_wait(&self, scope: Scope, expr: &Expr) -> bool {
        let (Expr::Var(var) | Expr::VarElem(var, _)) = expr else { return false };
        let of_var = |p: &CellId| self.places.variable(*p).0 == *var;
        !scope.direct && self.buffered(scope.process).iter().any(of_var)
    }

    /// What a process sees at a place.
    fn load(&self, scope: Scope, place: &str, may_wait: bool) -> String {
        let own = |what: &str| self.names.own(scope.process, what);
        match self.memory.model.buffers() {
            Buffers::PerProcess if may_wait => {
                format!("({}[{place}] -> {}[{place}] : mem[{place}])", own("cnt"), own("new"))
            }
            Buffers::PerCell | Buffers::Slot if may_wait => {
                let (len, val, bound) = (own("len"), own("val"), self.bound);
                let newest = format!("({place}) * {bound} + {len}[{place}] - 1");
                format!("({len}[{place}] -> {val}[{newest}] : mem[{place}])")
            }
            _ => format!("mem[{place}]"),
        }
    }

    /// Whether nothing of a process waits.
    pub(super) fn drained(&self, process: ProcId) -> String {
        let buffered = self.buffered(process);
        let len = self.names.own(process, "len");
        match self.memory.model.buffers() {
            _ if buffered.is_empty() => "true".into(),
            Buffers::None => "true".into(),
            Buffers::PerProcess => format!("({len} == 0)"),
            Buffers::PerCell | Buffers::Slot => {
                let empty = buffered.iter().map(|p| format!("{len}[{}] == 0", p.0));
                format!("({})", empty.collect::<Vec<_>>().join(" && "))
            }
        }
    }

    /// When computing an expression faults; `None` if it never does.
    pub(super) fn fault(&self, scope: Scope, expr: &Expr) -> Option<String> {
        taut_budget::tick();
        match expr {
            Expr::Const(_)
            | Expr::Reg(_)
            | Expr::Var(_)
            | Expr::At(..)
            | Expr::Drained(_)
            | Expr::Enabled(_)
            | Expr::Pid
            | Expr::Processes
            | Expr::Alive(_)
            | Expr::Timeout => None,
            Expr::Channel(_, channel) => self.channel_fault(scope, channel),
            Expr::Poll(poll) => self.poll_fault(scope, poll),
            Expr::RegElem(r, i) => {
                let len = self.program.register(scope.process, *r).size();
                self.index_fault(scope, i, len)
            }
            Expr::VarElem(v, i) => self.index_fault(scope, i, self.program.var(*v).size()),
            Expr::Unary(_, a) => self.fault(scope, a),
            Expr::Binary(op, a, b) => self.binary_fault(scope, *op, a, b),
            Expr::Cond(c, a, b) => {
                let chosen = match (self.fault(scope, a), self.fault(scope, b)) {
                    (None, None) => None,
                    (a, b) => {
                        let [a, b] = [a, b].map(|f| f.unwrap_or_else(|| "false".into()));
                        Some(format!("(({}) -> {a} : {b})", self.expr(scope, c)))
                    }
                };
                either(self.fault(scope, c), chosen)
            }
            Expr::In(p, e) => {
                let fault = self.fault(scope.of(*p), e)?;
                match self.has_flag(*p) {
                    true => Some(format!("({} && {fault})", self.alive(*p))),
                    false => Some(fault),
                }
            }
        }
    }

    pub(super) fn index_fault(&self, scope: Scope, index: &Expr, len: u32) -> Option<String> {
        let inside = Interval { lo: 0, hi: i64::from(len) - 1 };
        let outside = (!inside.includes(self.ranges.expr(scope.process, index))).then(|| {
            let index = self.expr(scope, index);
            format!("({index} < 0 || {index} >= {len})")
        });
        either(self.fault(scope, index), outside)
    }

    fn binary_fault(&self, scope: Scope, op: BinaryOp, a: &Expr, b: &Expr) -> Option<String> {
        let (left, right) = (self.fault(scope, a), self.fault(scope, b));
        let right_range = self.ranges.expr(scope.process, b);
        let own = match op {
            BinaryOp::And => {
                let right = right.map(|f| format!("({} && {f})", self.expr(scope, a)));
                return either(left, right);
            }
            BinaryOp::Or => {
                let right = right.map(|f| format!("(!{} && {f})", self.expr(scope, a)));
                return either(left, right);
            }
            BinaryOp::Div | BinaryOp::Rem => {
                right_range.contains(0).then(|| format!("({} == 0)", self.expr(scope, b)))
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let bits = Interval { lo: 0, hi: 63 };
                let b = self.expr(scope, b);
                (!bits.includes(right_range)).then(|| format!("({b} < 0 || {b} > 63)"))
            }
            _ => None,
        };
        either(either(left, right), own)
    }
}
