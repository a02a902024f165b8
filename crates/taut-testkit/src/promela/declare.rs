//! Declarations of a model: types, global variables, channels, inline procedures.

use super::features::{Feature, Features};
use super::rng::Random;
use super::scope::{CARRIED, Channel, Kind, MTYPES, Place, Scope};
use super::tree::Piece;

/// Draws the global declarations: what they name, and themselves.
pub(super) fn globals(random: &mut Random, features: &Features) -> (Scope, Vec<Piece>) {
    let mut globals = Globals { random, features, scope: Scope::default(), pieces: Vec::new() };
    globals.constants();
    globals.scalars();
    if features.has(Feature::Compound) {
        globals.array();
        globals.structure();
    }
    globals.channels();
    if features.has(Feature::Messages) {
        globals.messages();
    }
    if features.has(Feature::Rare) {
        globals.rare();
    }
    if features.has(Feature::Inline) {
        globals.inline();
    }
    (globals.scope, globals.pieces)
}

struct Globals<'a> {
    random: &'a mut Random,
    features: &'a Features,
    scope: Scope,
    pieces: Vec<Piece>,
}

impl Globals<'_> {
    fn constants(&mut self) {
        if self.features.has(Feature::Mtype) {
            self.pieces.push(Piece::line(format!("mtype = {{ {} }};", MTYPES.join(", "))));
        }
        if self.features.has(Feature::Compound) {
            self.pieces.push(Piece::line("#define N 2"));
        }
    }

    fn scalars(&mut self) {
        let wide = self.features.has(Feature::Wide);
        for i in 0..self.random.between(1, 3) {
            let kind = Kind::draw(self.random, wide);
            self.variable(&format!("g{i}"), kind);
        }
        if self.features.has(Feature::Mtype) {
            self.variable("gm", Kind::Mtype);
        }
    }

    fn variable(&mut self, name: &str, kind: Kind) {
        let init = match self.random.below(3) {
            0 => format!(" = {}", constant(self.random, kind)),
            _ => String::new(),
        };
        self.pieces.push(Piece::line(format!("{}{init};", kind.declare(name))));
        self.scope.places.push(Place { text: name.into(), kind });
    }

    fn array(&mut self) {
        let kind = Kind::draw(self.random, false);
        let lists = if self.features.has(Feature::Rare) { 2 } else { 0 };
        let init = self.random.weighted(&[(4, ""), (2, " = 1"), (lists, " = { 1, 0 }")]);
        self.pieces.push(Piece::line(format!("{} a[N]{init};", kind.word())));
        for index in ["0", "1", "N-1"] {
            self.scope.places.push(Place { text: format!("a[{index}]"), kind });
        }
        // An index that is always in range, also for a negative value.
        if let Some(index) = self.scope.of_mtype(false).first() {
            let text = format!("a[{} & 1]", index.text);
            self.scope.places.push(Place { text, kind });
        }
    }

    fn structure(&mut self) {
        if !self.random.chance(50) {
            return;
        }
        let field = Kind::draw(self.random, self.features.has(Feature::Wide));
        let array = self.random.chance(40);
        let mut fields = vec![Piece::line(format!("{};", field.declare("f")))];
        if array {
            fields.push(Piece::line("byte h[2];"));
        }
        self.pieces.push(Piece::block("typedef T {", fields, "};"));
        let many = self.random.chance(30);
        let (declared, used) = if many { ("s[2]", "s[1]") } else { ("s", "s") };
        self.pieces.push(Piece::line(format!("T {declared};")));
        self.scope.places.push(Place { text: format!("{used}.f"), kind: field });
        if array {
            self.scope.places.push(Place { text: format!("{used}.h[1]"), kind: Kind::Byte });
        }
    }

    fn channels(&mut self) {
        for (feature, capacities) in [(Feature::Buffered, [1, 2]), (Feature::Rendezvous, [0, 0])] {
            if self.features.has(feature) {
                let capacity = *self.random.pick(&capacities);
                self.channel(capacity);
            }
        }
        if self.features.has(Feature::ChannelValues) {
            self.carried();
        }
    }

    fn channel(&mut self, capacity: usize) {
        let name = format!("c{}", self.scope.channels.len());
        let mut fields = vec![Kind::draw(self.random, self.features.has(Feature::Wide))];
        if self.features.has(Feature::Mtype) && self.random.chance(60) {
            fields.insert(0, Kind::Mtype);
        } else if self.random.chance(30) {
            fields.push(Kind::draw(self.random, false));
        }
        // A field has no width in Promela's grammar.
        fields.retain(|kind| !matches!(kind, Kind::Unsigned(_)));
        if fields.is_empty() {
            fields.push(Kind::Byte);
        }
        let types: Vec<_> = fields.iter().map(|kind| kind.word()).collect();
        let many = self.random.chance(25);
        let declared = if many { format!("{name}[2]") } else { name.clone() };
        let text = format!("chan {declared} = [{capacity}] of {{ {} }};", types.join(", "));
        self.pieces.push(Piece::line(text));
        let texts =
            if many { vec![format!("{name}[0]"), format!("{name}[1]")] } else { vec![name] };
        for text in texts {
            self.scope.channels.push(Channel { text, capacity, fields: fields.clone() });
        }
    }

    /// A channel that can be passed around, and perhaps one that carries such.
    fn carried(&mut self) {
        let capacity = self.random.below(3);
        self.scope.carried_capacity = capacity;
        self.pieces.push(Piece::line(format!("chan cc = [{capacity}] of {{ byte }};")));
        self.scope.channels.push(Channel { text: "cc".into(), capacity, fields: CARRIED.to_vec() });
        if self.random.chance(60) {
            let capacity = self.random.below(2);
            self.pieces.push(Piece::line(format!("chan cx = [{capacity}] of {{ chan }};")));
            self.scope.channels.push(Channel { text: "cx".into(), capacity, fields: vec![] });
        }
    }

    /// A channel of structures.
    fn messages(&mut self) {
        let fields = vec![Piece::line("byte p;"), Piece::line("bool q;")];
        self.pieces.push(Piece::block("typedef M {", fields, "};"));
        self.pieces.push(Piece::line("M m;"));
        let capacity = self.random.below(3);
        self.pieces.push(Piece::line(format!("chan cm = [{capacity}] of {{ M }};")));
        self.scope.places.push(Place { text: "m.p".into(), kind: Kind::Byte });
        self.scope.places.push(Place { text: "m.q".into(), kind: Kind::Bool });
        self.scope.messages = Some(capacity);
    }

    fn rare(&mut self) {
        if self.random.chance(40) {
            self.pieces.push(Piece::line("mtype:shape = { round, square };"));
            self.pieces.push(Piece::line("mtype:shape shape = round;"));
            self.scope.shapes = true;
        }
        if self.random.chance(40) {
            let values = if self.random.chance(50) { " = 2, h1" } else { ", h1 = 1" };
            self.pieces.push(Piece::line(format!("byte h0{values};")));
            for name in ["h0", "h1"] {
                self.scope.places.push(Place { text: name.into(), kind: Kind::Byte });
            }
        }
    }

    fn inline(&mut self) {
        let places = self.scope.of_mtype(false);
        let global = self.random.pick(&places).text.clone();
        let mut body = vec![Piece::line(format!("{global} = (x + 1) % 3;"))];
        if self.random.chance(50) {
            body.push(Piece::line("x = 1;"));
        }
        if self.random.chance(40) {
            let yes = Piece::block("::", vec![Piece::line(format!("x == y -> {global} = 0;"))], "");
            let no = Piece::block("::", vec![Piece::line("else;")], "");
            body.push(Piece::block("if", vec![yes, no], "fi;"));
        }
        if self.random.chance(30) {
            body.insert(0, Piece::line("byte own = y;"));
            body.push(Piece::line("x = own & 1;"));
        }
        self.pieces.push(Piece::block("inline twice(x, y) {", body, "}"));
        self.scope.inlines.push(("twice".into(), 2));
    }
}

/// A small constant of a type.
pub(super) fn constant(random: &mut Random, kind: Kind) -> String {
    match kind {
        Kind::Bit => random.below(2).to_string(),
        Kind::Bool => (*random.pick(&["true", "false"])).to_string(),
        Kind::Mtype => (*random.pick(MTYPES)).to_string(),
        _ => random.below(3).to_string(),
    }
}
