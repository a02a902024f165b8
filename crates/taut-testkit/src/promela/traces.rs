//! Random models with a `trace` or `notrace` assertion.
//!
//! Two to four processes send and receive on up to three channels, rendezvous and buffered, with one or two fields.
//! The assertion has loops, choices, jumps, `end` labels, constants and wildcards. Values are 1 and 2, so that an event
//! is often, but not always, one that the assertion names.

use super::rng::Random;
use super::{Model, Piece};

/// A random model with an assertion.
#[derive(Clone, Debug)]
pub struct Traced {
    /// The model.
    pub model: Model,
    /// Whether the assertion names a send on a rendezvous channel. Of such a send SPIN observes the offer, too.
    pub observes_offers: bool,
}

/// The random model of a seed.
pub fn generate_with_trace(seed: u64) -> Traced {
    let mut random = Random::new(seed ^ 0x7_2ace);
    let may_stop = random.chance(70);
    let mut drawing = Drawing { channels: Vec::new(), labels: 0, may_stop, observes_offers: false };
    let mut pieces = drawing.declarations(&mut random);
    let assertion = drawing.assertion(&mut random);
    for number in 0..random.between(2, 4) {
        pieces.push(drawing.process(&mut random, number));
    }
    // SPIN loses every rendezvous of the first process if the assertion comes before it.
    pieces.push(assertion);
    Traced { model: Model { pieces }, observes_offers: drawing.observes_offers }
}

/// A channel.
#[derive(Clone, Copy)]
struct Drawn {
    capacity: usize,
    fields: usize,
}

struct Drawing {
    channels: Vec<Drawn>,
    labels: usize,
    /// Whether a run may stop nearly everywhere in the assertion.
    may_stop: bool,
    observes_offers: bool,
}

impl Drawing {
    fn declarations(&mut self, random: &mut Random) -> Vec<Piece> {
        let mut pieces = vec![Piece::line("byte g;")];
        for number in 0..random.between(1, 3) {
            let drawn = Drawn {
                capacity: random.weighted(&[(2, 0), (3, 1), (3, 2)]),
                fields: random.between(1, 2),
            };
            let fields = ["byte", "byte, bit"][drawn.fields - 1];
            pieces.push(Piece::line(format!(
                "chan c{number} = [{}] of {{ {fields} }};",
                drawn.capacity
            )));
            self.channels.push(drawn);
        }
        pieces
    }

    fn assertion(&mut self, random: &mut Random) -> Piece {
        let word = if random.chance(30) { "notrace {" } else { "trace {" };
        let body = match random.below(3) {
            0 => self.events(random, 3),
            _ => vec![self.automaton(random, 2)],
        };
        Piece::block(word, body, "}")
    }

    /// A choice or a loop of events, with a label or without.
    fn automaton(&mut self, random: &mut Random, depth: usize) -> Piece {
        self.labels += 1;
        let label = format!("{}{}", if self.may_stop { "end" } else { "L" }, self.labels);
        let (open, close) = if random.chance(75) { ("do", "od;") } else { ("if", "fi;") };
        let mut body = Vec::new();
        for _ in 0..random.between(1, 3) {
            let mut option = vec![self.event(random)];
            option.extend(self.events(random, 1));
            if depth > 1 && random.chance(20) {
                option.push(self.automaton(random, depth - 1));
            }
            match random.below(8) {
                0 if open == "do" => option.push(Piece::line("break;")),
                1 => option.push(Piece::line(format!("goto {label};"))),
                _ => {}
            }
            body.push(Piece::block("::", option, ""));
        }
        if random.chance(8) {
            body.push(Piece::line(format!(":: goto {label};")));
        }
        let whole = Piece::block(open, body, close);
        whole.labelled(&label)
    }

    fn events(&mut self, random: &mut Random, most: usize) -> Vec<Piece> {
        let least = usize::from(most > 1);
        let mut all = Vec::new();
        for _ in 0..random.between(least, most) {
            self.labels += 1;
            let event = self.event(random);
            all.push(match self.may_stop {
                true => event.labelled(&format!("end{}", self.labels)),
                false => event,
            });
        }
        all
    }

    fn event(&mut self, random: &mut Random) -> Piece {
        let channel = random.below(self.channels.len());
        let drawn = self.channels[channel];
        let sends = random.chance(if drawn.capacity == 0 { 15 } else { 50 });
        self.observes_offers |= sends && drawn.capacity == 0;
        let field = |random: &mut Random, constants: [&'static str; 2]| match random.below(10) {
            0..=2 => constants[random.below(2)],
            3 if sends => "(1+1)",
            3 => "eval(g)",
            _ => "_",
        };
        let mut fields = vec![field(random, ["1", "2"])];
        if drawn.fields == 2 {
            fields.push(field(random, ["0", "1"]));
        }
        let sign = if sends { '!' } else { '?' };
        Piece::line(format!("c{channel}{sign}{};", fields.join(",")))
    }

    fn process(&mut self, random: &mut Random, number: usize) -> Piece {
        // Most processes may stop nearly everywhere, so that what is wrong is the assertion.
        let may_stop = random.chance(85);
        let mut body = vec![Piece::line("byte x, y;")];
        match random.below(4) {
            0 => body.extend(self.statements(random, may_stop)),
            1 => {
                let options = (0..2).map(|_| self.option(random, may_stop)).collect();
                let whole = Piece::block("if", options, "fi;");
                body.push(if may_stop { whole.labelled("end") } else { whole });
                body.extend(self.statements(random, may_stop));
            }
            _ => {
                let mut options: Vec<Piece> =
                    (0..random.between(1, 2)).map(|_| self.option(random, may_stop)).collect();
                if random.chance(30) {
                    options.push(Piece::line(":: break;"));
                }
                let whole = Piece::block("do", options, "od;");
                body.push(if may_stop { whole.labelled("end") } else { whole });
            }
        }
        if random.chance(25) {
            body.push(Piece::line("endless: (g == 9);"));
        }
        Piece::block(format!("active proctype P{number}() {{"), body, "}")
    }

    /// An option: its first statement has no label, as SPIN wants it.
    fn option(&mut self, random: &mut Random, may_stop: bool) -> Piece {
        let mut all = vec![self.statement(random)];
        all.extend(self.statements(random, may_stop));
        Piece::block("::", all, "")
    }

    fn statements(&mut self, random: &mut Random, may_stop: bool) -> Vec<Piece> {
        let mut all = Vec::new();
        for _ in 0..random.between(1, 3) {
            self.labels += 1;
            let statement = self.statement(random);
            all.push(match may_stop {
                true => statement.labelled(&format!("end{}", self.labels)),
                false => statement,
            });
        }
        all
    }

    fn statement(&self, random: &mut Random) -> Piece {
        let channel = random.below(self.channels.len());
        let two = self.channels[channel].fields == 2;
        let value = |random: &mut Random| {
            ["1", "2", "x", "g"][random.weighted(&[(5, 0), (3, 1), (1, 2), (1, 3)])]
        };
        let text = match random.below(20) {
            0 => format!("g = {};", random.below(3)),
            1 => {
                let rest = if two { ",_" } else { "" };
                format!("c{channel}?<x{rest}>;")
            }
            2..11 => {
                let rest = if two { format!(",{}", random.below(2)) } else { String::new() };
                let first = value(random);
                match random.below(8) {
                    0 => format!("atomic {{ c{channel}!{first}{rest}; g = 1; }}"),
                    _ => format!("c{channel}!{first}{rest};"),
                }
            }
            _ => {
                let first =
                    ["x", "_", "1", "eval(g)"][random.weighted(&[(5, 0), (2, 1), (2, 2), (1, 3)])];
                let rest = if two { [",y", ",_", ",1"][random.below(3)] } else { "" };
                format!("c{channel}?{first}{rest};")
            }
        };
        Piece::line(text)
    }
}
