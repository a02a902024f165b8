//! Proctypes, `init`, and how many processes there are.

use super::features::{Feature, Features};
use super::formula;
use super::rng::Random;
use super::scope::{CARRIED, Channel, Kind, Place, Scope, Watched};
use super::statement::{Body, Position, Runnable};
use super::tree::Piece;

/// The processes of a model before they are written.
pub(super) struct Processes<'a> {
    features: &'a Features,
    globals: &'a Scope,
    proctypes: Vec<Proctype>,
    runnable: Vec<Runnable>,
    /// Whether there is an `init`, and before the rest.
    init: Option<bool>,
    /// Processes that later ones can look into.
    watched: Vec<Watched>,
    /// Proctypes that were written, each with how many run from the start.
    written: Vec<(Watched, usize)>,
}

/// A proctype before it is written.
struct Proctype {
    name: String,
    /// How many run from the start.
    active: usize,
    /// The type of its parameter, if it takes a number.
    number: Option<Kind>,
    channel: bool,
}

impl<'a> Processes<'a> {
    /// Decides what processes there are.
    pub(super) fn plan(
        random: &mut Random,
        features: &'a Features,
        globals: &'a Scope,
    ) -> Processes<'a> {
        let run = features.has(Feature::Run);
        let init = run.then(|| !features.has(Feature::Remote) && random.chance(40));
        let mut left = if run { 2 } else { 3 };
        let mut proctypes = Vec::new();
        for i in 0..random.between(if run { 1 } else { 2 }, if run { 2 } else { 3 }) {
            let only_run = run && (i == 0 || random.chance(50));
            let most = if only_run { 0 } else { left.min(2) };
            let active = if most == 0 { 0 } else { random.between(1, most) };
            left -= active;
            let kind = Kind::draw(random, features.has(Feature::Wide));
            // A parameter has no width in Promela's grammar.
            let kind = if matches!(kind, Kind::Unsigned(_)) { Kind::Int } else { kind };
            let number = (only_run && random.chance(60)).then_some(kind);
            let channel = only_run && features.has(Feature::ChannelValues) && random.chance(60);
            if active > 0 || only_run {
                proctypes.push(Proctype { name: format!("P{i}"), active, number, channel });
            }
        }
        let runnable = proctypes.iter().filter(|_| run).map(|p| Runnable {
            name: p.name.clone(),
            number: p.number.is_some(),
            channel: p.channel,
        });
        let runnable = runnable.collect();
        let (watched, written) = (Vec::new(), Vec::new());
        Processes { features, globals, proctypes, runnable, init, watched, written }
    }

    /// Writes them.
    pub(super) fn write(&mut self, random: &mut Random) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut pid = 0;
        for i in 0..self.proctypes.len() {
            pieces.push(self.proctype(random, i, pid));
            pid += self.proctypes[i].active;
        }
        match self.init {
            Some(true) => pieces.insert(0, self.write_init(random)),
            Some(false) => pieces.push(self.write_init(random)),
            None => {}
        }
        pieces
    }

    /// What a formula can ask about after they were written.
    pub(super) fn asked(&self) -> Vec<Watched> {
        formula::processes(&self.written, self.init.is_none())
    }

    fn body<'b>(&'b self, random: &'b mut Random, budget: usize) -> Body<'b> {
        let mut scope = self.globals.clone();
        scope.watched.clone_from(&self.watched);
        Body {
            random,
            features: self.features,
            scope,
            runnable: if self.features.runs { &[] } else { &self.runnable },
            budget,
            pending: Vec::new(),
            placed: Vec::new(),
            names: 0,
        }
    }

    /// About how many statements a process has: the more processes, the fewer.
    fn budget(&self) -> usize {
        let processes: usize = self.proctypes.iter().map(|p| p.active.max(1)).sum();
        [12, 12, 8, 5][processes.min(3)]
    }

    fn proctype(&mut self, random: &mut Random, i: usize, pid: usize) -> Piece {
        let Proctype { name, active, number, channel } = &self.proctypes[i];
        let mut body = self.body(random, self.budget());
        let mut parameters = Vec::new();
        if *channel {
            body.scope.holders.push("c".into());
            parameters.push("chan c".to_string());
        }
        if let Some(kind) = *number {
            body.scope.places.push(Place { text: "v".into(), kind });
            parameters.push(kind.declare("v"));
        }
        let parameters = parameters.join("; ");
        let provided = provided(&mut body);
        let (pieces, _, locals) = body.whole();
        let (labels, active) = (body.placed, *active);
        let prefix = match active {
            0 => String::new(),
            1 => "active ".into(),
            n => format!("active [{n}] "),
        };
        let open = format!("{prefix}proctype {name}({parameters}){provided} {{");
        let numbered = format!("{name}[{pid}]");
        let proctype = Watched { text: name.clone(), labels, locals };
        if active > 0 {
            self.watched.push(Watched { text: numbered, ..proctype.clone() });
        }
        self.written.push((proctype, active));
        Piece::block(open, pieces, "}")
    }

    fn write_init(&self, random: &mut Random) -> Piece {
        let mut body = self.body(random, 2);
        let (mut pieces, declarations, _) = body.whole();
        let only_run: Vec<_> = self.proctypes.iter().filter(|p| p.active == 0).collect();
        let mut runs = Vec::new();
        for proctype in only_run {
            let one: Vec<_> = self.runnable.iter().filter(|r| r.name == proctype.name).collect();
            for _ in 0..body.random.between(1, 2) {
                runs.push(run_line(&body.scope, one[0], body.random));
            }
        }
        let runs = match body.random.below(3) {
            0 => vec![Piece::block("atomic {", runs, "};")],
            1 => vec![Piece::line("byte n = 0;"), counted_runs(runs)],
            _ => runs,
        };
        // After the declarations and before what init does itself, or after all of it.
        let at = if body.random.chance(70) { declarations } else { pieces.len() };
        pieces.splice(at..at, runs);
        Piece::block("init {", pieces, "}")
    }
}

fn counted_runs(runs: Vec<Piece>) -> Piece {
    let mut body = vec![Piece::line("n < 1;")];
    body.extend(runs);
    body.push(Piece::line("n++;"));
    let leave = Piece::block("::", vec![Piece::line("else -> break;")], "");
    Piece::block("do", vec![Piece::block("::", body, ""), leave], "od;")
}

fn run_line(scope: &Scope, runnable: &Runnable, random: &mut Random) -> Piece {
    let mut args = Vec::new();
    if runnable.channel {
        let values = scope.carried();
        args.push(random.pick(&values).clone());
    }
    if runnable.number {
        args.push(random.below(3).to_string());
    }
    Piece::line(format!("run {}({});", runnable.name, args.join(", ")))
}

fn provided(body: &mut Body<'_>) -> String {
    if !body.features.has(Feature::Provided) || body.random.chance(50) {
        return String::new();
    }
    let globals: Vec<_> = body.scope.of_mtype(false).into_iter().cloned().collect();
    let globals: Vec<_> = globals.iter().filter(|p| p.text.starts_with('g')).collect();
    let place = body.random.pick(&globals).text.clone();
    format!(" provided ({place} != {})", body.random.between(1, 3))
}

impl Body<'_> {
    /// The whole body of a process, how much of it is declarations, and its outermost local variables.
    fn whole(&mut self) -> (Vec<Piece>, usize, Vec<Place>) {
        let globals = self.scope.places.len();
        let mut pieces = self.declarations();
        let declarations = pieces.len();
        let locals = self.scope.places[globals..].to_vec();
        // A process that jumps back repeats everything.
        let repeated = self.features.has(Feature::Goto) && self.random.chance(50);
        let at = Position { repeated, ..Position::OUTERMOST };
        if self.features.runs && self.random.chance(50) {
            pieces.push(self.round(at));
        } else if self.features.has(Feature::Do) && self.random.chance(35) {
            pieces.push(self.repetition(Position { first: true, ..at }));
        }
        while self.budget > 0 {
            pieces.extend(self.statement(at));
        }
        for label in std::mem::take(&mut self.pending) {
            pieces.push(Piece::line("skip;").labelled(&label));
            self.placed.push(label);
        }
        if self.features.has(Feature::Labels) && self.random.chance(15) {
            let label = self.fresh("end");
            pieces.push(Piece::line("false;").labelled(&label));
        }
        (pieces, declarations, locals)
    }

    /// Local variables and channels at the beginning.
    fn declarations(&mut self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        if self.features.has(Feature::Locals) {
            for _ in 0..self.random.below(3) {
                let kind = Kind::draw(self.random, self.features.has(Feature::Wide));
                let name = self.fresh("x");
                let init = if self.random.chance(40) { " = 1" } else { "" };
                pieces.push(Piece::line(format!("{}{init};", kind.declare(&name))));
                self.scope.places.push(Place { text: name, kind });
            }
        }
        if self.features.has(Feature::Locals) && self.features.has(Feature::Compound) {
            pieces.push(self.compound_local());
        }
        if self.features.has(Feature::ChannelValues) {
            pieces.extend(self.channel_variables());
        }
        pieces
    }

    fn channel_variables(&mut self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let capacity = self.scope.carried_capacity;
        if self.random.chance(40) {
            let name = self.fresh("own");
            let many = self.random.chance(30);
            let declared = if many { format!("{name}[2]") } else { name.clone() };
            pieces.push(Piece::line(format!("chan {declared} = [{capacity}] of {{ byte }};")));
            let text = if many { format!("{name}[1]") } else { name };
            self.scope.channels.push(Channel { text, capacity, fields: CARRIED.to_vec() });
        }
        if self.random.chance(50) {
            let name = self.fresh("held");
            let values = self.scope.carried();
            let value = self.random.pick(&values).clone();
            pieces.push(Piece::line(format!("chan {name};")));
            pieces.push(Piece::line(format!("{name} = {value};")));
            self.scope.holders.push(name);
        }
        pieces
    }

    /// A local array or structure.
    fn compound_local(&mut self) -> Piece {
        let name = self.fresh("y");
        let kind = Kind::draw(self.random, false);
        let init = if self.random.chance(40) { " = 1" } else { "" };
        for text in [format!("{name}[0]"), format!("{name}[_pid & 1]")] {
            self.scope.places.push(Place { text, kind });
        }
        Piece::line(format!("{} {name}[2]{init};", kind.word()))
    }
}
