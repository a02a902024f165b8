//! What cannot be exported, said before anything is written.

use taut_ir::{
    Buffers, ChanId, Channel, ChannelOp, Effect, EffectOrder, Expr, Lifecycle, Lvalue, ProcessDef,
    Step,
};

use super::Exporter;
use super::features::{has_holds, mentions};
use super::handshake::assigned_places;
use crate::ExportError;

/// SPIN keeps numbers of channels and of messages in bytes.
const MOST_CHANNELS: usize = 255;

impl Exporter<'_> {
    pub(super) fn check(&self) -> Result<(), ExportError> {
        self.check_trace()?;
        self.check_channels()?;
        self.check_fairness()?;
        if self.one_machine && self.asks_enabled() {
            let message = "`enabled` in a program with rendezvous, timeouts or priorities";
            return Err(ExportError::new(message));
        }
        for def in &self.program.defs {
            let atomic = def.points.iter().any(|l| l.atomic);
            if atomic && (self.one_machine || has_holds(self.program)) {
                let message = "has atomic program points, together with rendezvous, timeouts or steps that hold";
                return Err(refusal(def, message));
            }
            def.steps.iter().try_for_each(|step| self.check_step(def, step))?;
        }
        Ok(())
    }

    /// Refuses a trace assertion that a run may not leave unfinished: end labels of processes cannot say that.
    fn check_trace(&self) -> Result<(), ExportError> {
        let trace = self.program.event_trace.as_ref();
        match trace.filter(|t| t.may_end().is_some()) {
            None => Ok(()),
            Some(trace) => Err(ExportError::new(format!(
                "the `{}` assertion must be finished where the program stops; SPIN checks the model itself, or give \
                 every state of the assertion an `end` label",
                trace.word
            ))),
        }
    }

    fn check_channels(&self) -> Result<(), ExportError> {
        let (channels, processes) = (&self.program.channels, &self.program.processes);
        if channels.len() > MOST_CHANNELS {
            return Err(ExportError::new("SPIN has at most 255 channels"));
        }
        if let Some(c) = channels.iter().find(|c| c.capacity as usize > MOST_CHANNELS) {
            let message = format!("channel `{}` holds more than 255 messages", c.name);
            return Err(ExportError::new(message));
        }
        // SPIN does the sender's part of a rendezvous first.
        let is_late = |c: &&Channel| c.capacity == 0 && c.order == EffectOrder::ReceiverFirst;
        if let Some(c) = channels.iter().find(is_late).filter(|_| self.both_have_effects()) {
            let message = format!("on channel `{}` the receiver's effects come first", c.name);
            return Err(ExportError::new(message));
        }
        // Processes in slots are gone without a step that could empty their channels.
        let own = processes.iter().find(|p| !p.channels.is_empty());
        match own.filter(|_| self.program.lifecycle == Lifecycle::Slots) {
            Some(p) => {
                let message = format!("process `{}` has channels of its own and no pid", p.name);
                Err(ExportError::new(message))
            }
            None => Ok(()),
        }
    }

    /// Whether a step that sends does anything else, so that the order of a rendezvous can matter.
    fn both_have_effects(&self) -> bool {
        let mut steps = self.program.defs.iter().flat_map(|def| &def.steps);
        steps.any(|s| matches!(s.channel, Some(ChannelOp::Send { .. })) && !s.effects.is_empty())
    }

    /// Refuses the few steps whose room in the buffers, or for new processes, cannot be told before they
    /// are taken.
    fn check_step(&self, def: &ProcessDef, step: &Step) -> Result<(), ExportError> {
        let spawns = step.effects.iter().filter(|e| matches!(e, Effect::Spawn { .. })).count();
        if spawns > 1 {
            return Err(refusal(def, "spawns twice in a step"));
        }
        if step.yields_to.iter().any(|s| self.counts_with_a_partner(step, &def.steps[s.index()])) {
            return Err(refusal(def, "has a step that yields to a rendezvous"));
        }
        match self.memory.model.buffers() {
            Buffers::None | Buffers::PerProcess => Ok(()),
            Buffers::PerCell => self.check_room(def, step),
            Buffers::Slot => check_indices(def, step),
        }
    }

    fn check_room(&self, def: &ProcessDef, step: &Step) -> Result<(), ExportError> {
        let stores = self.buffered_stores(step);
        let computed = |p: &&&Lvalue| p.index().is_some_and(|i| !matches!(i, Expr::Const(_)));
        let Some(index) = stores.iter().find(computed).and_then(|p| p.index()) else {
            return Ok(());
        };
        if stores.len() > 1 {
            return Err(refusal(def, "stores more than once in a step, through a computed index"));
        }
        match self.is_assigned_in(step, index) {
            true => Err(refusal(def, "stores through an index that the same step may change")),
            false => Ok(()),
        }
    }

    /// Whether a rendezvous that another step could take part in keeps a step from being taken.
    fn counts_with_a_partner(&self, step: &Step, other: &Step) -> bool {
        match (&step.channel, &other.channel) {
            (_, Some(send @ ChannelOp::Send { .. })) => self.may_meet(send),
            (Some(own @ ChannelOp::Receive { .. }), Some(receive)) => {
                self.may_meet(own) && self.may_meet(receive)
            }
            _ => false,
        }
    }

    /// Whether an operation may be on a channel of capacity 0.
    fn may_meet(&self, op: &ChannelOp) -> bool {
        let channels = &self.program.channels;
        match op.channel() {
            Expr::Const(value) => {
                let known = ChanId::of_value(*value, channels.len());
                known.is_some_and(|c| channels[c.index()].capacity == 0)
            }
            _ => channels.iter().any(|c| c.capacity == 0),
        }
    }

    /// Whether a step may change the value of an expression before it computes it.
    fn is_assigned_in(&self, step: &Step, expr: &Expr) -> bool {
        // All of a single assignment is computed before it stores.
        if step.channel.is_none() && step.effects.len() == 1 && step.assignments().next().is_some()
        {
            return false;
        }
        let received = step.channel.iter().flat_map(ChannelOp::places);
        let places: Vec<_> = received.chain(assigned_places(step)).collect();
        let is = |e: &Expr| match e {
            Expr::Reg(r) | Expr::RegElem(r, _) => {
                let same =
                    |p: &&Lvalue| matches!(p, Lvalue::Reg(s) | Lvalue::RegElem(s, _) if s == r);
                places.iter().any(same)
            }
            Expr::Var(v) | Expr::VarElem(v, _) => places.iter().any(|p| p.variable() == Some(*v)),
            Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Cond(..) | Expr::Pid => {
                false
            }
            _ => true,
        };
        mentions(expr, &is)
    }
}

/// Refuses stores whose slot can no longer be told once it is overwritten: `a[a[0]] := 1`.
fn check_indices(def: &ProcessDef, step: &Step) -> Result<(), ExportError> {
    let received = step.channel.iter().flat_map(ChannelOp::places);
    let reads_itself = |place: &Lvalue| match place {
        Lvalue::VarElem(var, index) => {
            mentions(index, &|e: &Expr| matches!(e, Expr::VarElem(v, _) if v == var))
        }
        _ => false,
    };
    match received.chain(assigned_places(step)).any(reads_itself) {
        true => Err(refusal(def, "stores through an index that is read from the same array")),
        false => Ok(()),
    }
}

fn refusal(def: &ProcessDef, what: &str) -> ExportError {
    ExportError::new(format!("`{}` {what}", def.name))
}
