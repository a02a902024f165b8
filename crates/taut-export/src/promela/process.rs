//! Processes: a label for each location, an atomic block for each step.

use taut_ir::{
    Assignment, Control, DefId, Effect, Expr, FullBuffer, LocId, Mode, Overflow, Place, ProcId,
    ProcedureId, ProcessDef, RegId, Step, Type,
};

use super::Exporter;
use super::expr::Scope;
use super::names::label;
use super::text::Text;

/// The label at which a process waits to be spawned.
const START: &str = "end_start";

impl Exporter<'_> {
    pub(super) fn process(&self, text: &mut Text, process: ProcId) {
        let def = self.program.def_of(process);
        text.line("");
        text.open(&format!("active proctype {}() {{", self.names.process(process)));
        let entry = self.label(process, def.entry);
        if self.is_spawned(process) {
            text.label(START);
            text.line(&format!("({}) -> goto {entry};", self.names.own(process, "go")));
        } else if def.entry != LocId(0) {
            text.line(&format!("goto {entry};"));
        }
        for index in 0..def.locations.len() {
            self.location(text, process, LocId::from(index));
        }
        text.close("}");
    }

    fn label(&self, process: ProcId, location: LocId) -> String {
        let def = self.program.def_of(process);
        label(location, def.locations[location.index()].end)
    }

    fn location(&self, text: &mut Text, process: ProcId, location: LocId) {
        let def = self.program.def_of(process);
        let here = self.label(process, location);
        text.label(&here);
        if def.is_final(location) && self.is_spawned(process) {
            return self.retire(text, process);
        }
        if def.steps_from(location).next().is_none() {
            return text.line("(false);");
        }
        text.open("if");
        for (_, step) in def.steps_from(location) {
            self.step(text, process, step, &here);
        }
        text.close("fi;");
    }

    /// The end of a spawned process: once its buffer is empty it waits to be spawned again.
    fn retire(&self, text: &mut Text, process: ProcId) {
        text.open(&format!("atomic {{ {} ->", self.drained(process)));
        for (i, register) in self.program.def_of(process).registers.iter().enumerate() {
            let name = self.names.register(process, RegId::from(i));
            match register.len {
                None => text.line(&format!("{name} = 0;")),
                Some(len) => (0..len).for_each(|e| text.line(&format!("{name}[{e}] = 0;"))),
            }
        }
        if self.observed[process.index()] {
            text.line(&format!("{} = 0;", self.names.own(process, "pc")));
        }
        text.line(&format!("{} = 0;", self.names.own(process, "go")));
        text.line(&format!("goto {START}"));
        text.close("};");
    }

    /// A step as options: the step itself, what happens where its guard faults, and, where a bound holds
    /// it back, a step that changes nothing.
    fn step(&self, text: &mut Text, process: ProcId, step: &Step, here: &str) {
        let def = self.program.def_of(process);
        let scope = Scope { process, direct: step.mode == Mode::Locked };
        let mut waits = self.needs(process, step);
        if let Some(fault) = self.fault(scope, &step.guard) {
            let when = conjunction(waits.iter().cloned().chain([fault.clone()]));
            text.line(&format!(
                ":: atomic {{ ({when}) -> assert(false); goto {here} }} /* fault */"
            ));
            waits.push(format!("!({fault})"));
        }
        if step.guard != Expr::TRUE {
            waits.push(self.expr(scope, &step.guard));
        }
        let bounds = self.bounds(process, scope, step);
        for (bound, error) in &bounds {
            let when = conjunction(waits.iter().cloned().chain([format!("!({bound})")]));
            let then = if *error { "assert(false); " } else { "" };
            text.line(&format!(":: atomic {{ ({when}) -> {then}goto {here} }} /* bound */"));
        }
        waits.extend(bounds.into_iter().map(|(bound, _)| bound));
        text.open(&format!(":: atomic {{ ({}) ->", conjunction(waits)));
        text.line(&format!(
            "/* {} */",
            super::comment(
                &self.program.show_step(self.program.process(process).def, step).to_string()
            )
        ));
        for effect in &step.effects {
            self.effect(text, scope, step, effect);
        }
        self.go(text, scope, def, step);
        text.close("}");
    }

    /// What a step waits for before its guard is looked at.
    fn needs(&self, process: ProcId, step: &Step) -> Vec<String> {
        let mut all = Vec::new();
        if self.has_atomic {
            all.push(format!("(holder == 0 || holder == {})", process.0 + 1));
        }
        if step.needs_drained() {
            all.push(self.drained(process));
        }
        if step.mode == Mode::Sync {
            all.extend(self.program.process_ids().map(|p| self.drained(p)));
        }
        all.retain(|condition| condition != "true");
        all
    }

    /// The bounds that may hold a step back, each as the condition that it does not, and whether it is an
    /// error if it does.
    fn bounds(&self, process: ProcId, scope: Scope, step: &Step) -> Vec<(String, bool)> {
        let stores = step.assignments().filter(|a| self.places.is_buffered(self.program, step, a));
        let stores: Vec<_> = stores.map(|a| self.destination(scope, &a.place)).collect();
        let mut all = Vec::new();
        if let Some(room) = self.room(process, &stores) {
            all.push((room, self.memory.full_buffer == FullBuffer::Error));
        }
        for effect in &step.effects {
            if let Effect::Spawn { def, .. } = effect {
                let free =
                    self.program.spawn_slots(*def).map(|p| format!("!{}", self.names.own(p, "go")));
                let free: Vec<_> = free.collect();
                let free = if free.is_empty() { "false".into() } else { free.join(" || ") };
                all.push((format!("({free})"), false));
            }
        }
        if let Control::Call { .. } = step.target {
            let sp = self.names.own(process, "sp");
            all.push((format!("{sp} < {}", self.program.call_depth), false));
        }
        all
    }

    fn effect(&self, text: &mut Text, scope: Scope, step: &Step, effect: &Effect) {
        match effect {
            Effect::Assign(list) => self.assign(text, scope, step, list),
            Effect::Assert { condition, .. } => {
                let value = self.expr(scope, condition);
                self.unless_fault(text, self.fault(scope, condition), |text| {
                    text.line(&format!("assert({value});"));
                });
            }
            Effect::StoreFence => self.store_fence(text, scope.process),
            Effect::Spawn { def, args } => self.spawn(text, scope, *def, args),
        }
    }

    /// Writes something that must not happen after a fault.
    fn unless_fault(&self, text: &mut Text, fault: Option<String>, write: impl FnOnce(&mut Text)) {
        let Some(fault) = fault else { return write(text) };
        text.open("if");
        text.line(&format!(":: ({fault}) -> assert(false) /* fault */"));
        text.open(":: else ->");
        write(text);
        text.close("skip");
        text.close("fi;");
    }

    fn assign(&self, text: &mut Text, scope: Scope, step: &Step, list: &[Assignment]) {
        let faults = list
            .iter()
            .flat_map(|a| [self.destination_fault(scope, &a.place), self.fault(scope, &a.value)]);
        let faults: Vec<_> = faults.flatten().collect();
        let fault = (!faults.is_empty()).then(|| faults.join(" || "));
        self.unless_fault(text, fault, |text| match list {
            [one] => {
                let (place, value) =
                    (self.destination(scope, &one.place), self.expr(scope, &one.value));
                self.put(text, scope, step, one, &place, &value);
            }
            _ => self.assign_at_once(text, scope, step, list),
        });
    }

    fn assign_at_once(&self, text: &mut Text, scope: Scope, step: &Step, list: &[Assignment]) {
        for (i, a) in list.iter().enumerate() {
            text.line(&format!("idx{i} = {};", self.destination(scope, &a.place)));
            text.line(&format!("tmp{i} = {};", self.expr(scope, &a.value)));
        }
        for (i, a) in list.iter().enumerate() {
            self.put(text, scope, step, a, &format!("idx{i}"), &format!("tmp{i}"));
        }
        for i in 0..list.len() {
            text.line(&format!("idx{i} = 0; tmp{i} = 0;"));
        }
    }

    /// What tells where an assignment goes: the number of a place, or the index of a register.
    fn destination(&self, scope: Scope, place: &Place) -> String {
        match place {
            Place::Reg(_) => "0".into(),
            Place::RegElem(_, i) => self.expr(scope, i),
            Place::Var(v) => self.place_of(scope, &Expr::Var(*v)),
            Place::VarElem(v, i) => self.place_of(scope, &Expr::VarElem(*v, Box::new(i.clone()))),
        }
    }

    fn destination_fault(&self, scope: Scope, place: &Place) -> Option<String> {
        match place {
            Place::Reg(_) | Place::Var(_) => None,
            Place::RegElem(r, i) => {
                self.index_fault(scope, i, self.program.register(scope.process, *r).size())
            }
            Place::VarElem(v, i) => self.index_fault(scope, i, self.program.var(*v).size()),
        }
    }

    /// Stores a value whose place is known, made to fit.
    fn put(
        &self,
        text: &mut Text,
        scope: Scope,
        step: &Step,
        a: &Assignment,
        place: &str,
        value: &str,
    ) {
        let ty = match &a.place {
            Place::Reg(r) | Place::RegElem(r, _) => self.program.register(scope.process, *r).ty,
            Place::Var(v) | Place::VarElem(v, _) => self.program.var(*v).ty,
        };
        let fits = ty.interval().includes(self.ranges.expr(scope.process, &a.value));
        let (value, fault) = if fits { (value.into(), None) } else { fitted(ty, value) };
        self.unless_fault(text, fault, |text| match &a.place {
            Place::Reg(r) => {
                text.line(&format!("{} = {value};", self.names.register(scope.process, *r)));
            }
            Place::RegElem(r, _) => {
                let name = self.names.register(scope.process, *r);
                text.line(&format!("{name}[{place}] = {value};"));
            }
            _ if self.places.is_buffered(self.program, step, a) => {
                self.buffered_store(text, scope.process, place, &value);
            }
            _ => text.line(&format!("mem[{place}] = {value};")),
        });
    }

    fn spawn(&self, text: &mut Text, scope: Scope, def: DefId, args: &[Expr]) {
        self.pass(text, scope, args);
        text.open("if");
        let mut busy = String::new();
        for slot in self.program.spawn_slots(def) {
            let go = self.names.own(slot, "go");
            text.open(&format!(":: ({busy}!{go}) ->"));
            busy.push_str(&format!("{go} && "));
            let registers = &self.program.defs[def.index()].registers;
            for (i, register) in registers.iter().enumerate() {
                let name = self.names.register(slot, RegId::from(i));
                match (register.len, args.get(i)) {
                    (None, Some(_)) => self.fit_into(text, name, register.ty, &format!("tmp{i}")),
                    (None, None) => text.line(&format!("{name} = {};", register.init[0])),
                    (Some(_), _) => {
                        let set = |(e, v): (usize, &i64)| format!("{name}[{e}] = {v};");
                        register.init.iter().enumerate().for_each(|e| text.line(&set(e)));
                    }
                }
            }
            if self.observed[slot.index()] {
                let entry = self.program.defs[def.index()].entry.0 + 1;
                text.line(&format!("{} = {entry};", self.names.own(slot, "pc")));
            }
            text.close(&format!("{go} = 1"));
        }
        text.close("fi;");
        clear(text, args.len());
    }

    /// Computes arguments into temporaries.
    fn pass(&self, text: &mut Text, scope: Scope, args: &[Expr]) {
        for (i, arg) in args.iter().enumerate() {
            let value = self.expr(scope, arg);
            self.unless_fault(text, self.fault(scope, arg), |text| {
                text.line(&format!("tmp{i} = {value};"));
            });
        }
    }

    fn fit_into(&self, text: &mut Text, name: &str, ty: Type, value: &str) {
        let (value, fault) = fitted(ty, value);
        self.unless_fault(text, fault, |text| text.line(&format!("{name} = {value};")));
    }

    /// Where the process goes.
    fn go(&self, text: &mut Text, scope: Scope, def: &ProcessDef, step: &Step) {
        match &step.target {
            Control::Goto(to) => self.arrive(text, scope.process, def, *to),
            Control::Call { procedure, args, return_to } => {
                self.call(text, scope, def, *procedure, args, *return_to);
            }
            Control::Return => self.return_to_caller(text, scope.process, def, step.source),
        }
    }

    /// Notes that the process is at a location, and goes there.
    fn arrive(&self, text: &mut Text, process: ProcId, def: &ProcessDef, to: LocId) {
        if self.observed[process.index()] {
            text.line(&format!("{} = {};", self.names.own(process, "pc"), to.0 + 1));
        }
        if self.has_atomic {
            let holds = def.locations[to.index()].atomic;
            text.line(&format!("holder = {};", if holds { process.0 + 1 } else { 0 }));
        }
        text.line(&format!("goto {}", self.label(process, to)));
    }

    /// The elements of a procedure's own registers.
    fn own_elements(
        &self,
        process: ProcId,
        def: &ProcessDef,
        id: ProcedureId,
    ) -> Vec<(String, i64)> {
        let mut all = Vec::new();
        for r in &def.procedures[id.index()].registers {
            let register = &def.registers[r.index()];
            let name = self.names.register(process, *r);
            match register.len {
                None => all.push((name.to_string(), register.init[0])),
                Some(_) => {
                    let elements = register.init.iter().enumerate();
                    all.extend(elements.map(|(e, &v)| (format!("{name}[{e}]"), v)));
                }
            }
        }
        all
    }

    fn call(
        &self,
        text: &mut Text,
        scope: Scope,
        def: &ProcessDef,
        id: ProcedureId,
        args: &[Expr],
        return_to: LocId,
    ) {
        let process = scope.process;
        let own = |what: &str| self.names.own(process, what);
        let (sp, saved, size) = (own("sp"), own("saved"), self.most_saved(process));
        self.pass(text, scope, args);
        text.line(&format!("{}[{sp}] = {};", own("ret"), return_to.0));
        let elements = self.own_elements(process, def, id);
        for (i, (element, init)) in elements.iter().enumerate() {
            text.line(&format!("{saved}[{sp} * {size} + {i}] = {element};"));
            text.line(&format!("{element} = {init};"));
        }
        text.line(&format!("{sp}++;"));
        for (i, r) in def.procedures[id.index()].registers.iter().take(args.len()).enumerate() {
            let ty = def.registers[r.index()].ty;
            self.fit_into(text, self.names.register(process, *r), ty, &format!("tmp{i}"));
        }
        clear(text, args.len());
        self.arrive(text, process, def, def.procedures[id.index()].entry);
    }

    fn return_to_caller(&self, text: &mut Text, process: ProcId, def: &ProcessDef, from: LocId) {
        let calls = def.steps.iter().filter_map(|s| match &s.target {
            Control::Call { return_to, .. } => Some(*return_to),
            _ => None,
        });
        let mut targets: Vec<_> = calls.collect();
        targets.sort();
        targets.dedup();
        let Some(id) = def.procedure_of()[from.index()] else { return text.line("(false)") };
        if targets.is_empty() {
            // Nobody calls: this code is never reached.
            return text.line("(false)");
        }
        let own = |what: &str| self.names.own(process, what);
        let (sp, ret, to, size) = (own("sp"), own("ret"), own("to"), self.most_saved(process));
        text.line(&format!("{sp}--;"));
        for (i, (element, _)) in self.own_elements(process, def, id).iter().enumerate() {
            let saved = format!("{}[{sp} * {size} + {i}]", own("saved"));
            text.line(&format!("{element} = {saved}; {saved} = 0;"));
        }
        text.line(&format!("{to} = {ret}[{sp}]; {ret}[{sp}] = 0;"));
        text.open("if");
        for target in targets {
            text.open(&format!(":: ({to} == {}) -> {to} = 0;", target.0));
            self.arrive(text, process, def, target);
            text.close("");
        }
        text.close("fi");
    }
}

fn clear(text: &mut Text, count: usize) {
    for i in 0..count {
        text.line(&format!("tmp{i} = 0;"));
    }
}

/// Conditions that must all be true.
fn conjunction(conditions: impl IntoIterator<Item = String>) -> String {
    let all: Vec<_> = conditions.into_iter().collect();
    // Always true, but SPIN refuses loops that say so.
    if all.is_empty() { "_nr_pr > 0".into() } else { all.join(" && ") }
}

/// A value as a variable of a type holds it, and when that is a fault.
fn fitted(ty: Type, value: &str) -> (String, Option<String>) {
    let (lo, hi) = (ty.lo, ty.hi);
    match ty.overflow {
        Overflow::Fault => (value.into(), Some(format!("({value} < {lo} || {value} > {hi})"))),
        // Promela's int is C's.
        Overflow::Wrap if ty == Type::INT => (value.into(), None),
        Overflow::Wrap => {
            let size = i128::from(hi) - i128::from(lo) + 1;
            (format!("({lo} + (({value} - ({lo})) % {size} + {size}) % {size})"), None)
        }
    }
}
