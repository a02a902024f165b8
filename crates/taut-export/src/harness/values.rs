//! Expressions in C, load by load.
//!
//! C leaves the order of operands open. So each load of shared memory is a statement of its own, which puts the value
//! into a variable, and the expression that is left has none. Of `&&`, `||` and `?:` only what is needed is loaded.

use taut_ir::{BinaryOp, DefId, Expr, Overflow, PointId, ProcId, RegId, Type, UnaryOp, VarId};
use taut_ir::{Register, VarKind};

use super::{Loads, Writer};
use crate::c::expr::number;
use crate::text::Text;

/// Where an expression is computed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scope<'s> {
    /// In a step of a definition, whose registers are reached by a prefix.
    Step(DefId, &'s str),
    /// In a property, during a round, under the lock of the observers.
    Flight,
    /// In a property, after the round `i`; of a process if it says so.
    Final(Option<ProcId>),
}

/// Computes expressions. What comes before the expression itself goes to a text.
pub(super) struct Values<'v> {
    writer: &'v Writer<'v>,
    scope: Scope<'v>,
    loads: Loads,
    /// The location of a locked step and the variable that stands for it.
    stand_in: Option<(Expr, &'static str)>,
    /// Values that were loaded in this step, if a location is loaded once.
    loaded: Vec<(Expr, String)>,
    /// Whether something written so far may note a fault.
    pub may_fault: bool,
}

impl<'v> Values<'v> {
    pub(super) fn new(writer: &'v Writer<'v>, scope: Scope<'v>) -> Values<'v> {
        let loads = writer.loads;
        Values { writer, scope, loads, stand_in: None, loaded: Vec::new(), may_fault: false }
    }

    /// The same for a step that loads each location once.
    pub(super) fn once(self) -> Values<'v> {
        Values { loads: Loads::Once, ..self }
    }

    /// The same with a variable for a location.
    pub(super) fn standing_in(self, location: Expr, variable: &'static str) -> Values<'v> {
        Values { stand_in: Some((location, variable)), ..self }
    }

    /// Forgets what was loaded: the step has stored something.
    pub(super) fn forget(&mut self) {
        self.loaded.clear();
    }

    /// An expression without loads; the loads are in the text.
    pub(super) fn value(&mut self, text: &mut Text, e: &Expr) -> String {
        taut_budget::tick();
        if let Some((location, variable)) = &self.stand_in
            && location == e
        {
            return (*variable).into();
        }
        match e {
            Expr::Const(v) => number(*v),
            Expr::Reg(r) => self.register(*r).0,
            Expr::RegElem(r, index) => {
                let (name, size) = self.register(*r);
                let index = self.index(text, index, size);
                format!("{name}[{index}]")
            }
            Expr::Var(v) => self.variable(text, e, *v, "0".into()),
            Expr::VarElem(v, index) => {
                let index = self.index(text, index, self.writer.program.var(*v).size());
                self.variable(text, e, *v, index)
            }
            Expr::Unary(op, a) => {
                let a = self.value(text, a);
                match op {
                    UnaryOp::Neg => format!("taut_sub(0, {a})"),
                    UnaryOp::Not | UnaryOp::BitNot => format!("({}{a})", op.symbol()),
                }
            }
            Expr::Binary(op, a, b) => self.binary(text, *op, a, b),
            Expr::Cond(c, a, b) => self.conditional(text, c, a, b),
            Expr::In(process, inner) => {
                let scope = std::mem::replace(&mut self.scope, Scope::Final(Some(*process)));
                let value = self.value(text, inner);
                self.scope = scope;
                value
            }
            Expr::At(process, points) => self.at(*process, points),
            // No process is spawned, and looked at is only what has come to its end.
            Expr::Alive(_) | Expr::Drained(_) => "1".into(),
            Expr::Enabled(_)
            | Expr::Pid
            | Expr::Processes
            | Expr::Timeout
            | Expr::Channel(..)
            | Expr::Poll(_) => unreachable!("refused before anything is written"),
        }
    }

    /// An index into something of a size.
    pub(super) fn index(&mut self, text: &mut Text, index: &Expr, size: u32) -> String {
        let value = self.value(text, index);
        if self.fits(index, Type::range(0, i64::from(size) - 1)) {
            return value;
        }
        self.may_fault = true;
        format!("taut_index({value}, {size})")
    }

    /// A value as something of a type holds it.
    pub(super) fn fit(&mut self, text: &mut Text, value: &Expr, ty: Type) -> String {
        let written = self.value(text, value);
        if self.fits(value, ty) || ty == Type::INT64 {
            return written;
        }
        let function = match ty.overflow {
            Overflow::Fault => "taut_range",
            Overflow::Wrap => "taut_wrap",
        };
        self.may_fault |= ty.overflow == Overflow::Fault;
        format!("{function}({written}, {}, {})", number(ty.lo), number(ty.hi))
    }

    /// Whether the type of an expression alone shows that its values are in a range.
    fn fits(&self, e: &Expr, ty: Type) -> bool {
        let inside = |of: Type| ty.contains(of.lo) && ty.contains(of.hi);
        match e {
            Expr::Const(v) => ty.contains(*v),
            Expr::Reg(r) | Expr::RegElem(r, _) => inside(self.declared(*r).ty),
            Expr::Var(v) | Expr::VarElem(v, _) => inside(self.writer.program.var(*v).ty),
            Expr::Unary(UnaryOp::Not, _) => inside(Type::BOOL),
            Expr::Binary(op, ..) if is_truth(*op) => inside(Type::BOOL),
            _ => false,
        }
    }

    /// The definition whose registers are named.
    fn owner(&self) -> (DefId, String) {
        match self.scope {
            Scope::Step(def, access) => (def, access.into()),
            Scope::Final(Some(process)) => {
                let def = self.writer.program.process(process).def;
                (def, format!("{}[i].", self.writer.out(process)))
            }
            Scope::Flight | Scope::Final(None) => unreachable!("a register has a process"),
        }
    }

    fn declared(&self, register: RegId) -> &Register {
        let (def, _) = self.owner();
        &self.writer.program.defs[def.index()].registers[register.index()]
    }

    /// A register and its size.
    fn register(&self, register: RegId) -> (String, u32) {
        let (def, access) = self.owner();
        let name = self.writer.names.register(def, register);
        (format!("{access}{name}"), self.declared(register).size())
    }

    fn variable(&mut self, text: &mut Text, e: &Expr, var: VarId, index: String) -> String {
        let slot = self.writer.slot(var);
        if self.writer.program.var(var).kind == VarKind::Ghost {
            let side = match self.scope {
                Scope::Final(_) => "taut_sides[i].",
                Scope::Step(..) | Scope::Flight => "me->side->",
            };
            return format!("{side}ghost[{slot} + {index}]");
        }
        match self.scope {
            Scope::Final(_) => format!("taut_at[{slot}][i][{index}]"),
            Scope::Step(..) | Scope::Flight => self.load(text, e, format!("v{slot}[{index}]")),
        }
    }

    fn load(&mut self, text: &mut Text, e: &Expr, from: String) -> String {
        let known = self.loaded.iter().find(|(location, _)| location == e);
        if let (Loads::Once, Some((_, variable))) = (self.loads, known) {
            return variable.clone();
        }
        let variable = text.fresh("t");
        text.line(&format!("word {variable} = {from};"));
        self.loaded.push((e.clone(), variable.clone()));
        variable
    }

    fn binary(&mut self, text: &mut Text, op: BinaryOp, a: &Expr, b: &Expr) -> String {
        let x = self.value(text, a);
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            return self.lazy(text, op, &x, b);
        }
        let y = self.value(text, b);
        let (function, may_fault) = match op {
            BinaryOp::Add => ("taut_add", false),
            BinaryOp::Sub => ("taut_sub", false),
            BinaryOp::Mul => ("taut_mul", false),
            BinaryOp::Div => ("taut_div", true),
            BinaryOp::Rem => ("taut_rem", true),
            BinaryOp::Shl => ("taut_shl", true),
            BinaryOp::Shr => ("taut_shr", true),
            _ => return format!("({x} {} {y})", op.symbol()),
        };
        self.may_fault |= may_fault;
        format!("{function}({x}, {y})")
    }

    /// The right side is computed only if the left does not decide.
    fn lazy(&mut self, text: &mut Text, op: BinaryOp, x: &str, b: &Expr) -> String {
        let known = self.loaded.len();
        let mut inner = Text::inside(text, 1);
        let y = self.value(&mut inner, b);
        if inner.is_empty() {
            text.take_names(&inner);
            return format!("({x} {} {y})", op.symbol());
        }
        text.take_names(&inner);
        let result = text.fresh("t");
        let decided = u8::from(op == BinaryOp::Or);
        let test = if op == BinaryOp::And { format!("({x}) != 0") } else { format!("!({x})") };
        text.line(&format!("word {result} = {decided};"));
        text.open(&format!("if ({test}) {{"));
        text.append(inner);
        text.line(&format!("{result} = ({y}) != 0;"));
        text.close("}");
        self.loaded.truncate(known);
        result
    }

    fn conditional(&mut self, text: &mut Text, c: &Expr, a: &Expr, b: &Expr) -> String {
        let c = self.value(text, c);
        let result = text.fresh("t");
        text.line(&format!("word {result};"));
        for (line, part) in [(format!("if ({c}) {{"), a), ("} else {".into(), b)] {
            let known = self.loaded.len();
            text.open(&line);
            let value = self.value(text, part);
            text.line(&format!("{result} = {value};"));
            text.back();
            self.loaded.truncate(known);
        }
        text.line("}");
        result
    }

    fn at(&self, process: ProcId, points: &[PointId]) -> String {
        let test = |p: &PointId| match self.scope {
            Scope::Final(_) => format!("taut_end[{}][i] == {}", process.0, p.0),
            // Nowhere is 0.
            _ => format!("me->side->pc[{}] == {}", process.0, p.0 + 1),
        };
        let tests: Vec<_> = points.iter().map(test).collect();
        if tests.is_empty() { "0".into() } else { format!("({})", tests.join(" || ")) }
    }
}

fn is_truth(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, And | Or | Eq | Ne | Lt | Le | Gt | Ge)
}
