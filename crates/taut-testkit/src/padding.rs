//! Random programs have few steps that concern nobody else: here more of them are put between the others.

use proptest::prelude::*;
use taut_ir::{
    BinaryOp, Control, Effect, Expr, Lvalue, PointId, ProcId, ProcessDef, Program, ProgramPoint,
    PropId, Property, PropertyKind, RegId, Register, Span, Step, StepId, Type, VarId, VarKind,
    Variable,
};

/// What is put behind a step.
#[derive(Clone, Copy, Debug)]
enum Pad {
    Nothing,
    /// A step that does nothing.
    Skip,
    /// A step that counts in a register of the padding, around 3.
    Count,
    /// A choice by that register, of which one way leads back to where the step began.
    Branch,
    /// One way if the register is 1, else the other.
    Else,
    /// A step that can be taken only if the register is 0.
    Block,
    /// An assertion about the register.
    Assert,
    /// A ghost that counts what only this process knows.
    Ghost,
    /// The register is divided by: a fault if it is 0.
    Divide,
    /// A step that holds.
    Hold,
    /// A loop of steps that do nothing, with a way out.
    Loop,
}

/// What is put behind the steps of a program, in turn; and what is asked about it.
#[derive(Clone, Debug)]
pub struct Padding {
    pads: Vec<Pad>,
    /// Some program points are atomic, by bits.
    atomic: u8,
    /// What is asked.
    asks: u8,
}

/// Random paddings.
pub fn padding() -> BoxedStrategy<Padding> {
    let pad = prop_oneof![
        2 => Just(Pad::Nothing),
        2 => Just(Pad::Skip),
        3 => Just(Pad::Count),
        2 => Just(Pad::Branch),
        2 => Just(Pad::Else),
        1 => Just(Pad::Block),
        1 => Just(Pad::Assert),
        2 => Just(Pad::Ghost),
        1 => Just(Pad::Divide),
        1 => Just(Pad::Hold),
        1 => Just(Pad::Loop),
    ];
    let atomic = prop_oneof![3 => Just(0), 1 => any::<u8>()];
    (prop::collection::vec(pad, 1..12), atomic, any::<u8>())
        .prop_map(|(pads, atomic, asks)| Padding { pads, atomic, asks })
        .boxed()
}

impl Padding {
    /// A program with the padding in it.
    pub fn put_into(&self, mut program: Program) -> Program {
        let property = self.assertion(&mut program);
        let mut pads = self.pads.iter().cycle();
        let ghosts = program.vars.len();
        for i in 0..program.defs.len() {
            let name = format!("padding{i}");
            let ty = Type::range(0, 2);
            let ghost = Variable {
                name,
                kind: VarKind::Ghost,
                ty,
                len: None,
                init: vec![0],
                span: Span::NONE,
            };
            program.vars.push(ghost);
            let ghost = VarId::from(ghosts + i);
            let mut code = Code::new(&mut program.defs[i], property, ghost);
            for step in 0..code.def.steps.len() {
                code.pad(step, *pads.next().expect("a cycle"));
            }
            let first = code.first;
            // No language has both atomic sections and channels.
            let atomic = if program.channels.is_empty() { self.atomic } else { 0 };
            for (l, point) in program.defs[i].points.iter_mut().enumerate().skip(first) {
                point.atomic = atomic >> (l % 8) & 1 == 1;
            }
        }
        self.ask(&mut program, VarId::from(ghosts));
        program
    }

    fn assertion(&self, program: &mut Program) -> PropId {
        let kind = PropertyKind::Assert;
        program.properties.push(Property { name: "padding".into(), kind, span: Span::NONE });
        PropId::from(program.properties.len() - 1)
    }

    /// A property that may look at the first process or the first ghost of the padding.
    fn ask(&self, program: &mut Program, ghost: VarId) {
        let first = ProcId(0);
        let def = program.def_of(first);
        let register = RegId::from(def.registers.len() - 1);
        let bad = match self.asks % 4 {
            0 => Expr::In(first, Box::new(register.into())).equals(2.into()),
            1 => {
                let last = PointId::from(def.points.len() - 1);
                Expr::At(first, vec![last])
            }
            2 => Expr::from(ghost).equals(2.into()),
            _ => return,
        };
        let kind = PropertyKind::Forbid(bad);
        program.properties.push(Property { name: "padded".into(), kind, span: Span::NONE });
    }
}

/// The code of a definition, about to be padded.
struct Code<'p> {
    def: &'p mut ProcessDef,
    property: PropId,
    ghost: VarId,
    register: RegId,
    /// The first program point of the padding.
    first: usize,
}

impl<'p> Code<'p> {
    fn new(def: &'p mut ProcessDef, property: PropId, ghost: VarId) -> Code<'p> {
        let register = RegId::from(def.registers.len());
        def.registers.push(Register {
            name: "padding".into(),
            ty: Type::range(0, 2),
            len: None,
            init: vec![0],
            span: Span::NONE,
        });
        let first = def.points.len();
        Code { def, property, ghost, register, first }
    }

    fn point(&mut self) -> PointId {
        self.def.points.push(ProgramPoint::new());
        PointId::from(self.def.points.len() - 1)
    }

    /// A step between two program points.
    fn edge(&mut self, from: PointId, to: PointId, guard: Expr, effects: Vec<Effect>) -> StepId {
        self.def.steps.push(Step { guard, effects, ..Step::skip(from, to, Span::NONE) });
        StepId::from(self.def.steps.len() - 1)
    }

    /// Puts a pad between a step and where it leads.
    fn pad(&mut self, step: usize, pad: Pad) {
        let Control::Goto(to) = self.def.steps[step].target else { return };
        if matches!(pad, Pad::Nothing) {
            return;
        }
        let source = self.def.steps[step].source;
        let at = self.point();
        self.def.steps[step].target = Control::Goto(at);
        let (r, g) = (self.register, self.ghost);
        let is = |n: i64| Expr::from(r).equals(n.into());
        match pad {
            Pad::Nothing => {}
            Pad::Skip => {
                self.edge(at, to, Expr::TRUE, vec![]);
            }
            Pad::Count => {
                let count = Effect::assign(Lvalue::Reg(r), around(r.into()));
                self.edge(at, to, Expr::TRUE, vec![count]);
            }
            Pad::Branch => {
                self.edge(at, to, is(0).not(), vec![]);
                self.edge(at, source, is(0), vec![Effect::assign(Lvalue::Reg(r), 1)]);
            }
            Pad::Else => {
                let first = self.edge(at, to, is(1), vec![]);
                let other = self.point();
                let second = self.edge(at, other, Expr::TRUE, vec![]);
                self.def.steps[second.index()].yields_to.push(first);
                self.edge(other, to, Expr::TRUE, vec![Effect::assign(Lvalue::Reg(r), 2)]);
            }
            Pad::Block => {
                self.edge(at, to, is(0), vec![]);
            }
            Pad::Assert => {
                let assert = Effect::Assert { condition: is(2).not(), property: self.property };
                self.edge(at, to, Expr::TRUE, vec![assert]);
            }
            Pad::Ghost => {
                let count = Effect::assign(Lvalue::Var(g), around(g.into()));
                self.edge(at, to, Expr::TRUE, vec![count]);
            }
            Pad::Divide => {
                let quotient = Expr::binary(BinaryOp::Div, 1.into(), r.into());
                self.edge(at, to, Expr::TRUE, vec![Effect::assign(Lvalue::Reg(r), quotient)]);
            }
            Pad::Hold => {
                let step = self.edge(at, to, Expr::TRUE, vec![]);
                self.def.steps[step.index()].holds = true;
            }
            Pad::Loop => {
                let other = self.point();
                self.edge(at, other, Expr::TRUE, vec![]);
                self.edge(other, at, is(0), vec![]);
                self.edge(other, to, Expr::TRUE, vec![]);
            }
        }
    }
}

/// One more, around 3.
fn around(value: Expr) -> Expr {
    let more = Expr::binary(BinaryOp::Add, value, 1.into());
    Expr::binary(BinaryOp::Rem, more, 3.into())
}
