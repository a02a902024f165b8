//! Statements.

use super::declare::constant;
use super::expression::Expressions;
use super::features::{Feature, Features};
use super::rng::Random;
use super::scope::{Kind, Place, Scope};
use super::tree::Piece;

/// Where in a body a statement stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    /// How deep blocks may still be nested.
    pub(super) depth: usize,
    /// It may be taken more than once by one process.
    pub(super) repeated: bool,
    /// Inside of `atomic` or `d_step`.
    pub(super) atomic: bool,
    /// Inside of `d_step`.
    pub(super) d_step: bool,
    /// Inside of a `do` that `break` may leave.
    pub(super) in_do: bool,
    /// The first of its block, where SPIN accepts no label.
    pub(super) first: bool,
    /// The first of an option beside an `else`, where SPIN accepts no send or receive and no second `else`.
    pub(super) beside_else: bool,
}

/// A proctype that a statement may run.
#[derive(Clone, Debug)]
pub(super) struct Runnable {
    /// Its name.
    pub(super) name: String,
    /// Whether it takes a number.
    pub(super) number: bool,
    /// Whether it takes, first, a channel.
    pub(super) channel: bool,
}

/// The body of a process while it is written.
pub(super) struct Body<'a> {
    pub(super) random: &'a mut Random,
    pub(super) features: &'a Features,
    pub(super) scope: Scope,
    pub(super) runnable: &'a [Runnable],
    /// How many more statements there may be.
    pub(super) budget: usize,
    /// Labels that were jumped to and are not there yet.
    pub(super) pending: Vec<String>,
    /// Labels outside of `atomic` that are there.
    pub(super) placed: Vec<String>,
    /// How many names were made up.
    pub(super) names: usize,
}

impl Body<'_> {
    pub(super) fn expressions(&mut self) -> Expressions<'_> {
        Expressions { random: self.random, features: self.features, scope: &self.scope }
    }

    pub(super) fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names - 1)
    }

    /// Up to `most` statements, at least one, with the declarations between them.
    pub(super) fn sequence(&mut self, at: Position, most: usize) -> Vec<Piece> {
        let (places, channels) = (self.scope.places.len(), self.scope.channels.len());
        let mut pieces = Vec::new();
        for _ in 0..self.random.between(1, most) {
            if self.budget == 0 && !pieces.is_empty() {
                break;
            }
            let first = pieces.is_empty();
            let beside_else = first && at.beside_else;
            pieces.extend(self.statement(Position { first, beside_else, ..at }));
        }
        // What was declared in here is not known outside.
        self.scope.places.truncate(places);
        self.scope.channels.truncate(channels);
        pieces
    }

    /// One statement, with what it needs before it.
    pub(super) fn statement(&mut self, at: Position) -> Vec<Piece> {
        self.budget = self.budget.saturating_sub(1);
        let mut pieces = self.unlabelled(at);
        if at.d_step || at.first {
            return pieces;
        }
        if let Some(label) = self.label() {
            let last = pieces.pop().expect("a statement");
            pieces.push(last.labelled(&label));
            if !at.atomic {
                self.placed.push(label);
            }
        }
        pieces
    }

    /// A label for the next statement: one that was jumped to already, or a new one, or none.
    fn label(&mut self) -> Option<String> {
        if !self.pending.is_empty() {
            return if self.random.chance(60) { self.pending.pop() } else { None };
        }
        let labels = if self.features.runs { 25 } else { 12 };
        let labels = self.features.weight(Feature::Labels, labels);
        let prefix = *self.random.pick(&["L", "L", "end", "end", "progress", "accept"]);
        // Beside a claim, SPIN takes what is accepted by a process for what is accepted by the claim.
        let prefix = if self.features.runs && prefix == "accept" { "L" } else { prefix };
        self.random.chance(labels).then(|| self.fresh(prefix))
    }

    fn unlabelled(&mut self, at: Position) -> Vec<Piece> {
        let has = |feature, weight| self.features.weight(feature, weight);
        let nested = usize::from(at.depth > 0 && self.budget > 0 && !at.beside_else);
        let outside = usize::from(!at.d_step);
        let open = usize::from(!at.atomic);
        let later = usize::from(!at.first);
        let no_channel = self.scope.channels.is_empty() || at.beside_else;
        let channels = if no_channel { 0 } else { 9 };
        let form = self.random.weighted(&[
            (8, "assign"),
            (outside, "guard"),
            (has(Feature::Assert, 3), "assert"),
            (1, "skip"),
            (1, "print"),
            (channels * outside + channels / 5, "channel"),
            (4 * nested, "if"),
            (has(Feature::Do, 4) * nested * open, "do"),
            (has(Feature::Do, 1) * nested, "counted"),
            (has(Feature::For, 3) * nested, "for"),
            (has(Feature::For, 1) * outside, "select"),
            (has(Feature::Atomic, 4) * nested * open, "atomic"),
            (has(Feature::DStep, 3) * nested * outside, "d_step"),
            (has(Feature::Unless, 3) * nested * outside * later, "unless"),
            (has(Feature::Goto, 2) * outside * nested, "goto"),
            (has(Feature::Run, 2) * outside * nested * self.runnable.len().min(1), "run"),
            (has(Feature::Inline, 3) * self.scope.inlines.len().min(1), "inline"),
            (has(Feature::Locals, 1) * nested * outside, "block"),
            (has(Feature::Locals, 2), "declare"),
            (if at.in_do { 2 * outside } else { 0 }, "break"),
            (self.messages_weight(at), "message"),
            (usize::from(self.scope.shapes), "shape"),
            (has(Feature::Rare, 1), "rare"),
        ]);
        self.form(form, at)
    }

    fn form(&mut self, form: &str, at: Position) -> Vec<Piece> {
        match form {
            "assign" => vec![self.assign(at)],
            "guard" => vec![Piece::line(format!("{};", self.expressions().guard()))],
            "assert" => vec![self.assertion()],
            "skip" => vec![Piece::line(*self.random.pick(&["skip;", "true;", "1;"]))],
            "print" => vec![self.print()],
            "channel" => vec![self.communication(at)],
            "if" => vec![self.selection(at)],
            "do" => vec![self.repetition(at)],
            "counted" => self.counted(at),
            "for" => self.for_loop(at),
            "select" => self.select(),
            "atomic" => vec![self.atomic(at)],
            "d_step" => vec![self.d_step(at)],
            "unless" => vec![self.unless(at)],
            "goto" => vec![self.goto(at)],
            "run" => vec![self.run()],
            "inline" => vec![self.inline_call()],
            "message" => vec![self.message(at)],
            "shape" => vec![Piece::line(*self.random.pick(&["shape = round;", "shape = square;"]))],
            "rare" => vec![self.rare(at)],
            "block" => {
                vec![Piece::block("{", self.sequence(at.inside(), 3), "};")]
            }
            "declare" => {
                let mut pieces = vec![self.declare_local()];
                pieces.push(self.assign(at));
                pieces
            }
            _ => vec![Piece::line("break;")],
        }
    }

    pub(super) fn assign(&mut self, at: Position) -> Piece {
        let Place { text, kind } = self.random.pick(&self.scope.places).clone();
        if kind == Kind::Mtype {
            return Piece::line(format!("{text} = {};", constant(self.random, kind)));
        }
        let wild = self.features.has(Feature::Wide) && !at.repeated;
        Piece::line(match self.random.below(if wild { 8 } else { 5 }) {
            0 | 1 => format!("{text} = {};", constant(self.random, kind)),
            2 => format!("{text} = ({text} + 1) % 3;"),
            3 => format!("{text} = {};", self.expressions().place(false)),
            4 => format!("{text} = ({}) % 3;", self.expressions().number(2)),
            5 => format!("{text} = {};", self.expressions().number(2)),
            6 => format!("{text}{};", *self.random.pick(&["++", "--"])),
            _ => format!("{text} = {text} - {};", *self.random.pick(&["1", "3", "129", "40000"])),
        })
    }

    /// A send or receive, mostly with a way past it.
    fn communication(&mut self, at: Position) -> Piece {
        let statement = self.expressions().channel_statement(!at.d_step, at.repeated);
        let statement = Piece::line(statement.unwrap_or_else(|| "skip;".into()));
        let timeout = self.features.has(Feature::Timeout);
        let past = match self.random.below(5) {
            0 => "true;".to_string(),
            1 if timeout => "timeout;".into(),
            2 => {
                let other = self.expressions().channel_statement(!at.d_step, at.repeated);
                other.unwrap_or_else(|| "skip;".into())
            }
            _ => return statement,
        };
        let option = |piece| Piece::block("::", vec![piece], "");
        Piece::block("if", vec![option(statement), option(Piece::line(past))], "fi;")
    }

    fn assertion(&mut self) -> Piece {
        let condition = match self.random.chance(60) {
            true => format!("{} != {}", self.expressions().place(false), self.random.between(2, 5)),
            false => self.expressions().condition(1),
        };
        Piece::line(format!("assert({condition});"))
    }

    fn print(&mut self) -> Piece {
        let value = self.expressions().number(1);
        Piece::line(format!("printf(\"%d\\n\", {value});"))
    }

    fn goto(&mut self, at: Position) -> Piece {
        let back = at.repeated && !self.placed.is_empty() && self.random.chance(50);
        let label = if back {
            self.random.pick(&self.placed).clone()
        } else {
            let label = self.fresh("F");
            self.pending.push(label.clone());
            label
        };
        let jump = Piece::line(format!("goto {label};"));
        if self.random.chance(25) {
            return jump;
        }
        let guard = Piece::line(format!("{};", self.expressions().guard()));
        let other = if self.random.chance(70) { "else;" } else { "true;" };
        let options = vec![
            Piece::block("::", vec![guard, jump], ""),
            Piece::block("::", vec![Piece::line(other)], ""),
        ];
        Piece::block("if", options, "fi;")
    }

    fn run(&mut self) -> Piece {
        let runnable = self.random.pick(self.runnable).clone();
        let mut args = Vec::new();
        if runnable.channel {
            let values = self.scope.carried();
            args.push(match values.is_empty() {
                true => "0".to_string(),
                false => self.random.pick(&values).clone(),
            });
        }
        if runnable.number {
            args.push(self.random.below(3).to_string());
        }
        let call = format!("run {}({});", runnable.name, args.join(", "));
        let call = match self.random.below(4) {
            0 => format!("{} = {call}", self.expressions().place(false)),
            _ => call,
        };
        let yes = Piece::block("::", vec![Piece::line(format!("_nr_pr < 3 -> {call}"))], "");
        Piece::block("if", vec![yes, Piece::block("::", vec![Piece::line("else;")], "")], "fi;")
    }

    fn inline_call(&mut self) -> Piece {
        let (name, _) = self.scope.inlines[0].clone();
        let places: Vec<_> = self.scope.of_mtype(false).into_iter().cloned().collect();
        let first = self.random.pick(&places).text.clone();
        Piece::line(format!("{name}({first}, {});", self.random.below(3)))
    }

    fn declare_local(&mut self) -> Piece {
        let kind = Kind::draw(self.random, self.features.has(Feature::Wide));
        let name = self.fresh("x");
        let init = match self.random.below(4) {
            0 => String::new(),
            1 => format!(" = {}", self.expressions().number(0)),
            _ => format!(" = {}", constant(self.random, kind)),
        };
        self.scope.places.push(Place { text: name.clone(), kind });
        Piece::line(format!("{}{init};", kind.declare(&name)))
    }
}

impl Position {
    /// Directly in the body of a process.
    pub(super) const OUTERMOST: Position = Position {
        depth: 3,
        repeated: false,
        atomic: false,
        d_step: false,
        in_do: false,
        first: false,
        beside_else: false,
    };

    /// One block deeper.
    pub(super) fn inside(self) -> Position {
        Position { depth: self.depth - 1, ..self }
    }
}
