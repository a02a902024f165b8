//! Expressions.

use super::declare::constant;
use super::features::{Feature, Features};
use super::rng::Random;
use super::scope::{Channel, Kind, Scope};

/// Draws expressions over a scope.
pub(super) struct Expressions<'a> {
    pub(super) random: &'a mut Random,
    pub(super) features: &'a Features,
    pub(super) scope: &'a Scope,
}

impl Expressions<'_> {
    /// Something with a value, not of an `mtype`.
    pub(super) fn number(&mut self, depth: usize) -> String {
        let deep = if depth == 0 { 0 } else { 1 };
        let rich = self.features.weight(Feature::RichExpressions, deep);
        let form = self.random.weighted(&[
            (4, "constant"),
            (6, "place"),
            (self.features.weight(Feature::Predefined, 2), "predefined"),
            (self.queries(2), "length"),
            (self.remote_places(1), "remote"),
            (3 * deep, "plus"),
            (2 * rich, "operator"),
            (rich, "divide"),
            (rich, "unary"),
            (rich, "conditional"),
            (rich, "shift"),
        ]);
        match form {
            "constant" => self.random.below(4).to_string(),
            "place" => self.place(false),
            "predefined" => {
                let last = if self.features.has(Feature::Rare) { "_last" } else { "_pid" };
                (*self.random.pick(&["_pid", "_nr_pr", "_nr_pr", last])).to_string()
            }
            "length" => format!("len({})", self.channel().text),
            "remote" => self.remote_place(),
            "plus" => self.binary(depth, &["+", "-"]),
            "operator" => self.binary(depth, &["*", "&", "|", "^", "<", "==", "&&"]),
            "divide" => {
                let by = self.random.between(2, 3);
                let op = *self.random.pick(&["/", "%"]);
                format!("({} {op} {by})", self.number(depth - 1))
            }
            "unary" => {
                format!("{}({})", *self.random.pick(&["-", "~", "!"]), self.number(depth - 1))
            }
            "shift" => {
                let op = *self.random.pick(&["<<", ">>"]);
                format!("(({}) {op} {})", self.number(depth - 1), self.random.below(3))
            }
            _ => {
                let condition = self.condition(depth - 1);
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                format!("({condition} -> {a} : {b})")
            }
        }
    }

    fn binary(&mut self, depth: usize, ops: &[&'static str]) -> String {
        let op = *self.random.pick(ops);
        format!("({} {op} {})", self.number(depth - 1), self.number(depth - 1))
    }

    /// A variable, of an `mtype` or not; a constant where there is none.
    pub(super) fn place(&mut self, mtype: bool) -> String {
        let places = self.scope.of_mtype(mtype);
        match places.is_empty() {
            true if mtype => constant(self.random, Kind::Mtype),
            true => "1".into(),
            false => self.random.pick(&places).text.clone(),
        }
    }

    /// A condition without `full` and the like, which may stand below a `!`.
    pub(super) fn condition(&mut self, depth: usize) -> String {
        let deep = if depth == 0 { 0 } else { 1 };
        let form = self.random.weighted(&[
            (8, "compare"),
            (self.features.weight(Feature::Mtype, 2), "mtype"),
            (self.poll_weight(), "poll"),
            (self.labels(4), "label"),
            (usize::from(self.scope.shapes), "shape"),
            (3 * deep, "and"),
            (deep, "not"),
            (1, "plain"),
        ]);
        match form {
            "compare" => {
                let op = *self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
                format!("({} {op} {})", self.place(false), self.number(depth))
            }
            "mtype" => {
                let op = *self.random.pick(&["==", "!="]);
                format!("({} {op} {})", self.place(true), constant(self.random, Kind::Mtype))
            }
            "poll" => self.poll(),
            "shape" => "(shape == round)".into(),
            "label" => self.label(),
            "and" => {
                let op = *self.random.pick(&["&&", "||"]);
                format!("({} {op} {})", self.condition(depth - 1), self.condition(depth - 1))
            }
            "not" => format!("!({})", self.condition(depth - 1)),
            _ => self.place(false),
        }
    }

    /// A condition that may stand as a statement or after `::`.
    pub(super) fn guard(&mut self) -> String {
        let buffered = self.queries(3);
        if buffered > 0 && self.random.chance(30) {
            let query = *self.random.pick(&["full", "empty", "nfull", "nempty"]);
            let text = format!("{query}({})", self.channel().text);
            return match self.random.below(3) {
                0 => format!("({text} && {})", self.condition(0)),
                _ => text,
            };
        }
        self.condition(1)
    }

    fn channel(&mut self) -> Channel {
        let channels: Vec<_> = self.buffered().cloned().collect();
        self.random.pick(&channels).clone()
    }

    fn buffered(&self) -> impl Iterator<Item = &Channel> {
        self.scope.channels.iter().filter(|c| c.capacity > 0)
    }

    fn queries(&self, weight: usize) -> usize {
        match self.buffered().next() {
            Some(_) => self.features.weight(Feature::ChannelQueries, weight),
            None => 0,
        }
    }

    fn poll_weight(&self) -> usize {
        match self.buffered().any(|c| !c.fields.is_empty()) {
            true => self.features.weight(Feature::RichReceive, 2),
            false => 0,
        }
    }

    fn poll(&mut self) -> String {
        let channels: Vec<_> = self.buffered().filter(|c| !c.fields.is_empty()).cloned().collect();
        let channel = self.random.pick(&channels).clone();
        let op = *self.random.pick(&["?", "??"]);
        let fields: Vec<_> = channel.fields.iter().map(|&kind| self.pattern(kind)).collect();
        format!("{}{op}[{}]", channel.text, fields.join(", "))
    }

    /// A pattern that assigns nothing.
    pub(super) fn pattern(&mut self, kind: Kind) -> String {
        match self.random.below(4) {
            0 => "_".into(),
            1 if kind != Kind::Mtype && self.random.chance(30) => {
                format!("eval({} + 1)", self.place(false))
            }
            1 => format!("eval({})", self.place(kind == Kind::Mtype)),
            _ => constant(self.random, kind),
        }
    }

    fn remote_places(&self, weight: usize) -> usize {
        let some = self.scope.watched.iter().any(|w| !w.locals.is_empty());
        if some { self.features.weight(Feature::Remote, weight) } else { 0 }
    }

    fn remote_place(&mut self) -> String {
        let watched: Vec<_> = self.scope.watched.iter().filter(|w| !w.locals.is_empty()).collect();
        let process = *self.random.pick(&watched);
        format!("{}:{}", process.text, self.random.pick(&process.locals).text)
    }

    fn labels(&self, weight: usize) -> usize {
        let some = self.scope.watched.iter().any(|w| !w.labels.is_empty());
        if some { self.features.weight(Feature::Remote, weight) } else { 0 }
    }

    fn label(&mut self) -> String {
        let watched: Vec<_> = self.scope.watched.iter().filter(|w| !w.labels.is_empty()).collect();
        let process = *self.random.pick(&watched);
        format!("{}@{}", process.text, self.random.pick(&process.labels))
    }
}
