//! What somebody else than a process itself can see of it.
//!
//! A process is looked at by what is asked and by the steps of all processes, which may name another's
//! registers and program points (Promela's remote references). A step that names its own process in this way counts
//! as somebody else.

use taut_ir::{DefId, Expr, PointId, Program, RegId, VarId};

use super::Question;

/// What can be seen from outside.
pub(super) struct Seen {
    /// For each definition, its registers.
    registers: Vec<Vec<bool>>,
    /// Sets of program points that somebody can tell from the others of a definition.
    points: Vec<(DefId, Vec<PointId>)>,
    /// The variables that are asked for.
    vars: Vec<bool>,
    /// Whether somebody asks what is enabled.
    pub(super) enabled: bool,
}

impl Seen {
    pub(super) fn of(program: &Program, question: &Question) -> Seen {
        let mut seen = Seen {
            registers: program.defs.iter().map(|d| vec![false; d.registers.len()]).collect(),
            points: Vec::new(),
            vars: vec![false; program.vars.len()],
            enabled: false,
        };
        for expr in question.exprs() {
            seen.look(program, expr);
            expr.variables().into_iter().for_each(|v| seen.vars[v.index()] = true);
        }
        // A deadlock depends on where the trace assertion is.
        if let Some(trace) = &program.event_trace {
            seen.vars[trace.state.index()] = true;
        }
        for step in program.defs.iter().flat_map(|d| &d.steps) {
            step.expressions().into_iter().for_each(|expr| seen.look(program, expr));
        }
        seen
    }

    fn look(&mut self, program: &Program, expr: &Expr) {
        expr.visit(&mut |e| match e {
            Expr::In(process, inner) => {
                let registers = &mut self.registers[program.process(*process).def.index()];
                own_registers(inner, &mut |r| registers[r.index()] = true);
            }
            Expr::At(process, points) => {
                self.points.push((program.process(*process).def, points.clone()));
            }
            Expr::Enabled(_) => self.enabled = true,
            _ => {}
        });
    }

    /// Whether a register can be seen.
    pub(super) fn register(&self, def: DefId, register: RegId) -> bool {
        self.registers[def.index()][register.index()]
    }

    /// Whether a variable is asked for.
    pub(super) fn var(&self, var: VarId) -> bool {
        self.vars[var.index()]
    }

    /// Whether two program points can be told apart.
    pub(super) fn tells_apart(&self, def: DefId, a: PointId, b: PointId) -> bool {
        let mut sets = self.points.iter().filter(|(d, _)| *d == def);
        sets.any(|(_, set)| set.contains(&a) != set.contains(&b))
    }
}

/// Calls `f` with the registers that an expression of a process reads, but for looks from outside.
pub(super) fn own_registers(expr: &Expr, f: &mut impl FnMut(RegId)) {
    match expr {
        Expr::In(..) => return,
        Expr::Reg(r) | Expr::RegElem(r, _) => f(*r),
        _ => {}
    }
    for operand in expr.operands() {
        own_registers(operand, f);
    }
}
