//! Expressions and steps as text, in the syntax of the Taut language.
//!
//! Used for traces, messages and by the printer of `taut-lang`. Parentheses are printed only where
//! precedence needs them, so that what is printed reads like what was written.

use std::fmt::{self, Display, Formatter};

use crate::{
    Assignment, BinaryOp, ChanId, ChannelOp, ChannelQuery, Control, DefId, Effect, Expr, Lvalue,
    Mode, Pattern, ProcId, Program, Step, UnaryOp,
};

impl UnaryOp {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::Neg => "-",
            UnaryOp::Not => "!",
            UnaryOp::BitNot => "~",
        }
    }
}

impl BinaryOp {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
        }
    }

    /// How tightly it binds: higher is tighter. C's order, except that the bit operators bind tighter
    /// than comparisons, as everybody expects them to.
    pub fn precedence(self) -> u8 {
        match self {
            BinaryOp::Or => 1,
            BinaryOp::And => 2,
            BinaryOp::Eq | BinaryOp::Ne => 3,
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => 4,
            BinaryOp::BitOr => 5,
            BinaryOp::BitXor => 6,
            BinaryOp::BitAnd => 7,
            BinaryOp::Shl | BinaryOp::Shr => 8,
            BinaryOp::Add | BinaryOp::Sub => 9,
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 10,
        }
    }
}

const UNARY: u8 = 11;

/// Something of a program, ready to be printed.
pub struct Shown<'p, T> {
    program: &'p Program,
    /// Whose registers the expression names; `None` in a property.
    def: Option<DefId>,
    what: &'p T,
}

impl Program {
    /// An expression of a process definition, or of a property if there is none.
    pub fn show_expr<'p>(&'p self, def: Option<DefId>, expr: &'p Expr) -> Shown<'p, Expr> {
        Shown { program: self, def, what: expr }
    }

    /// A step of a definition.
    pub fn show_step<'p>(&'p self, def: DefId, step: &'p Step) -> Shown<'p, Step> {
        Shown { program: self, def: Some(def), what: step }
    }

    /// An effect of a definition.
    pub fn show_effect<'p>(&'p self, def: DefId, effect: &'p Effect) -> Shown<'p, Effect> {
        Shown { program: self, def: Some(def), what: effect }
    }
}

impl<'p, T> Shown<'p, T> {
    fn with<U>(&self, what: &'p U) -> Shown<'p, U> {
        Shown { program: self.program, def: self.def, what }
    }

    fn register(&self, id: crate::RegId) -> &'p str {
        let register =
            self.def.and_then(|d| self.program.defs[d.index()].registers.get(id.index()));
        register.map_or("?", |r| r.name.as_str())
    }

    fn var(&self, id: crate::VarId) -> &'p str {
        self.program.vars.get(id.index()).map_or("?", |v| v.name.as_str())
    }

    /// A channel: its name where it is known, else the expression that gives it.
    fn channel(&self, channel: &'p Expr) -> String {
        let known = match channel {
            Expr::Const(value) => ChanId::of_value(*value, self.program.channels.len()),
            _ => None,
        };
        match known {
            Some(id) => self.program.channel(id).name.clone(),
            None => self.with(channel).to_string(),
        }
    }

    fn process(&self, id: ProcId) -> &'p str {
        self.program.processes.get(id.index()).map_or("?", |p| p.name.as_str())
    }
}

impl Shown<'_, Expr> {
    fn write(&self, f: &mut Formatter<'_>, around: u8) -> fmt::Result {
        taut_budget::tick();
        match self.what {
            Expr::Const(v) if *v < 0 && around >= UNARY => write!(f, "({v})"),
            Expr::Const(v) => write!(f, "{v}"),
            Expr::Reg(r) => f.write_str(self.register(*r)),
            Expr::RegElem(r, i) => write!(f, "{}[{}]", self.register(*r), self.with(&**i)),
            Expr::Var(v) => f.write_str(self.var(*v)),
            Expr::VarElem(v, i) => write!(f, "{}[{}]", self.var(*v), self.with(&**i)),
            Expr::Unary(op, a) => {
                f.write_str(op.symbol())?;
                self.with(&**a).write(f, UNARY)
            }
            Expr::Binary(op, a, b) => self.write_binary(f, *op, a, b, around),
            Expr::Cond(c, a, b) => {
                write!(f, "({} ? {} : {})", self.with(&**c), self.with(&**a), self.with(&**b))
            }
            Expr::In(p, e) => self.write_inside(f, *p, e),
            Expr::At(p, points) => self.write_at(f, *p, points),
            Expr::Drained(p) => write!(f, "drained({})", self.process(*p)),
            Expr::Enabled(p) => write!(f, "enabled({})", self.process(*p)),
            Expr::Pid => f.write_str("_pid"),
            Expr::Processes => f.write_str("_nr_pr"),
            Expr::Alive(p) => write!(f, "alive({})", self.process(*p)),
            Expr::Timeout => f.write_str("timeout"),
            Expr::Channel(query, channel) => {
                let word = match query {
                    ChannelQuery::Length => "len",
                    ChannelQuery::Full => "full",
                    ChannelQuery::Empty => "empty",
                };
                write!(f, "{word}({})", self.channel(channel))
            }
            Expr::Poll(poll) => {
                let fields = poll.pattern.iter().map(|field| match field {
                    Some(value) => self.with(value).to_string(),
                    None => "_".into(),
                });
                let fields: Vec<_> = fields.collect();
                let sign = if poll.anywhere { "??" } else { "?" };
                write!(f, "{}{sign}[{}]", self.channel(&poll.channel), fields.join(", "))
            }
        }
    }

    fn write_binary(
        &self,
        f: &mut Formatter<'_>,
        op: BinaryOp,
        a: &Expr,
        b: &Expr,
        around: u8,
    ) -> fmt::Result {
        let own = op.precedence();
        let parens = own < around;
        if parens {
            f.write_str("(")?;
        }
        let side = |what| Shown { program: self.program, def: self.def, what };
        side(a).write(f, own)?;
        write!(f, " {} ", op.symbol())?;
        side(b).write(f, own + 1)?;
        if parens {
            f.write_str(")")?;
        }
        Ok(())
    }

    fn write_inside(&self, f: &mut Formatter<'_>, p: ProcId, e: &Expr) -> fmt::Result {
        let def = self.program.processes.get(p.index()).map(|p| p.def);
        let inner = Shown { program: self.program, def, what: e };
        match e {
            Expr::Reg(_) | Expr::RegElem(..) | Expr::Pid => {
                write!(f, "{}:{inner}", self.process(p))
            }
            _ => write!(f, "view({}, {inner})", self.process(p)),
        }
    }

    fn write_at(&self, f: &mut Formatter<'_>, p: ProcId, points: &[crate::PointId]) -> fmt::Result {
        let def = self.program.def_of(p);
        let shared = points.first().and_then(|l| {
            def.points[l.index()].labels.iter().find(|label| def.labelled(label) == points)
        });
        match shared {
            Some(label) => write!(f, "{}@{label}", self.process(p)),
            None => {
                let names: Vec<_> = points.iter().map(|l| format!("#{}", l.0)).collect();
                write!(f, "{}@{{{}}}", self.process(p), names.join(", "))
            }
        }
    }
}

impl Display for Shown<'_, Expr> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

impl Display for Shown<'_, Lvalue> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.what {
            Lvalue::Reg(r) => f.write_str(self.register(*r)),
            Lvalue::RegElem(r, i) => write!(f, "{}[{}]", self.register(*r), self.with(i)),
            Lvalue::Var(v) => f.write_str(self.var(*v)),
            Lvalue::VarElem(v, i) => write!(f, "{}[{}]", self.var(*v), self.with(i)),
        }
    }
}

impl Shown<'_, Vec<Assignment>> {
    fn list(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let places: Vec<_> = self.what.iter().map(|a| self.with(&a.place).to_string()).collect();
        let values: Vec<_> = self.what.iter().map(|a| self.with(&a.value).to_string()).collect();
        let atomic = if self.what.iter().any(|a| a.atomic) { "atomic " } else { "" };
        write!(f, "{atomic}{} := {}", places.join(", "), values.join(", "))
    }
}

impl Display for Shown<'_, Effect> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.what {
            Effect::Assign(list) => self.with(list).list(f),
            Effect::Assert { condition, .. } => write!(f, "assert({})", self.with(condition)),
            Effect::StoreFence => f.write_str("sfence"),
            Effect::Fail(fault) => write!(f, "fail({})", fault.describe()),
            Effect::Spawn { def, args, pid } => {
                if let Some(place) = pid {
                    write!(f, "{} := ", self.with(place))?;
                }
                let name = self.program.defs.get(def.index()).map_or("?", |d| d.name.as_str());
                let args: Vec<_> = args.iter().map(|a| self.with(a).to_string()).collect();
                if args.is_empty() {
                    write!(f, "spawn {name}")
                } else {
                    write!(f, "spawn {name}({})", args.join(", "))
                }
            }
        }
    }
}

impl Display for Shown<'_, ChannelOp> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.what {
            ChannelOp::Send { channel, message, sorted } => {
                let message: Vec<_> = message.iter().map(|e| self.with(e).to_string()).collect();
                let sign = if *sorted { "!!" } else { "!" };
                write!(f, "{}{sign}{}", self.channel(channel), message.join(", "))
            }
            ChannelOp::Receive { channel, pattern, anywhere, keep } => {
                let fields = pattern.iter().map(|field| match field {
                    Pattern::Bind(place) => self.with(place).to_string(),
                    Pattern::Match(Expr::Const(value)) => value.to_string(),
                    Pattern::Match(value) => format!("eval({})", self.with(value)),
                    Pattern::Any => "_".into(),
                });
                let fields = fields.collect::<Vec<_>>().join(", ");
                let sign = if *anywhere { "??" } else { "?" };
                match keep {
                    true => write!(f, "{}{sign}<{fields}>", self.channel(channel)),
                    false => write!(f, "{}{sign}{fields}", self.channel(channel)),
                }
            }
        }
    }
}

/// The step in one line: what it waits for, then what it does. Where it goes is left out.
impl Display for Shown<'_, Step> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let step = self.what;
        if let Some(text) = &step.text {
            return f.write_str(text);
        }
        let mut parts = Vec::new();
        if step.guard != Expr::TRUE {
            parts.push(format!("assume({})", self.with(&step.guard)));
        }
        match step.mode {
            Mode::Plain | Mode::Locked => {}
            Mode::Fence => parts.push("fence".into()),
            Mode::Sync => parts.push("sync".into()),
        }
        if step.drains {
            parts.push("drain".into());
        }
        parts.extend(step.channel.iter().map(|op| self.with(op).to_string()));
        parts.extend(step.effects.iter().map(|e| self.with(e).to_string()));
        match &step.target {
            Control::Goto(_) => {}
            Control::Call { procedure, args, .. } => {
                let def = self.def.and_then(|d| self.program.defs.get(d.index()));
                let name = def.and_then(|d| d.procedures.get(procedure.index()));
                let name = name.map_or("?", |p| p.name.as_str());
                let args: Vec<_> = args.iter().map(|a| self.with(a).to_string()).collect();
                if args.is_empty() {
                    parts.push(format!("call {name}"));
                } else {
                    parts.push(format!("call {name}({})", args.join(", ")));
                }
            }
            Control::Return => parts.push("return".into()),
            Control::Exit => parts.push("exit".into()),
        }
        if parts.is_empty() {
            parts.push("skip".into());
        }
        let body = parts.join("; ");
        match step.mode {
            Mode::Locked => write!(f, "locked {{ {body} }}"),
            _ => f.write_str(&body),
        }
    }
}
