//! Statements made of statements.

use super::features::Feature;
use super::statement::{Body, Position};
use super::tree::Piece;

impl Body<'_> {
    /// `if … fi`
    pub(super) fn selection(&mut self, at: Position) -> Piece {
        let options = self.options(at.inside());
        Piece::block("if", options, "fi;")
    }

    /// `do … od` with a way out, mostly.
    pub(super) fn repetition(&mut self, at: Position) -> Piece {
        let inside = Position { repeated: true, in_do: true, ..at.inside() };
        let mut options = self.options(inside);
        if self.random.chance(60) {
            let condition = self.expressions().guard();
            let leave = format!("{condition} -> break;");
            options.push(Piece::block("::", vec![Piece::line(leave)], ""));
        }
        let label = !at.first && self.features.has(Feature::Labels) && self.random.chance(40);
        let open = if label { format!("{}: do", self.fresh("end")) } else { "do".into() };
        Piece::block(open, options, "od;")
    }

    /// A loop with one way through, so that whoever is fair comes to all of it.
    pub(super) fn round(&mut self, at: Position) -> Piece {
        let inside = Position { repeated: true, ..at.inside() };
        let mut body = vec![self.assign(inside)];
        body.extend(self.sequence(inside, 4));
        Piece::block("do", vec![Piece::block("::", body, "")], "od;")
    }

    fn options(&mut self, at: Position) -> Vec<Piece> {
        let with_else = at.d_step || (self.features.has(Feature::Else) && self.random.chance(50));
        let at = Position { beside_else: with_else, ..at };
        let mut options = Vec::new();
        for _ in 0..self.random.between(1, 2) {
            let mut body = Vec::new();
            if at.d_step || self.random.chance(55) {
                body.push(Piece::line(format!("{};", self.expressions().guard())));
            }
            if body.is_empty() || self.budget > 0 {
                body.extend(self.sequence(at, 2));
            }
            options.push(Piece::block("::", body, ""));
        }
        if with_else {
            options.push(self.last_option("else;", at));
        } else if self.features.has(Feature::Timeout) && self.random.chance(40) {
            options.push(self.last_option("timeout;", at));
        }
        options
    }

    fn last_option(&mut self, guard: &str, at: Position) -> Piece {
        let mut body = vec![Piece::line(guard)];
        if self.random.chance(50) {
            body.extend(self.sequence(at, 1));
        } else if at.in_do {
            body.push(Piece::line("break;"));
        }
        Piece::block("::", body, "")
    }

    /// A loop that counts, also good inside of `atomic`.
    pub(super) fn counted(&mut self, at: Position) -> Vec<Piece> {
        let counter = self.fresh("k");
        let mut body = vec![Piece::line(format!("{counter} < 2;"))];
        let inside = Position { repeated: true, in_do: true, ..at.inside() };
        body.extend(self.sequence(inside, 1));
        body.push(Piece::line(format!("{counter}++;")));
        let options = vec![
            Piece::block("::", body, ""),
            Piece::block("::", vec![Piece::line("else -> break;")], ""),
        ];
        let declaration = Piece::line(format!("byte {counter} = 0;"));
        let mut pieces = vec![declaration];
        if at.repeated {
            pieces.push(Piece::line(format!("{counter} = 0;")));
        }
        pieces.push(Piece::block("do", options, "od;"));
        pieces
    }

    /// `for`
    pub(super) fn for_loop(&mut self, at: Position) -> Vec<Piece> {
        let index = self.fresh("i");
        let compound = self.features.has(Feature::Compound);
        let range = match self.random.below(if compound { 4 } else { 3 }) {
            0 => "0 .. 1",
            1 => "1 .. 2",
            2 => "0 .. 0",
            _ => "",
        };
        let open = match range {
            "" => format!("for ({index} in a) {{"),
            range => format!("for ({index} : {range}) {{"),
        };
        let inside = Position { repeated: true, in_do: true, ..at.inside() };
        let mut body = self.sequence(inside, 1);
        if self.random.chance(40) {
            let place = self.expressions().place(false);
            body.push(Piece::line(format!("{place} = {index};")));
        }
        let declaration = Piece::line(format!("byte {index};"));
        vec![declaration, Piece::block(open, body, "}")]
    }

    /// `select`
    pub(super) fn select(&mut self) -> Vec<Piece> {
        let index = self.fresh("i");
        let to = self.random.below(3);
        let declaration = Piece::line(format!("byte {index};"));
        vec![declaration, Piece::line(format!("select({index} : 0 .. {to});"))]
    }

    /// `atomic { … }`
    pub(super) fn atomic(&mut self, at: Position) -> Piece {
        let inside = Position { atomic: true, ..at.inside() };
        Piece::block("atomic {", self.sequence(inside, 4), "};")
    }

    /// `d_step { … }`, of which at most the first statement may block.
    pub(super) fn d_step(&mut self, at: Position) -> Piece {
        let inside = Position { atomic: true, d_step: true, in_do: false, ..at.inside() };
        let mut body = self.sequence(inside, 3);
        if self.random.chance(40) {
            body.insert(0, Piece::line(format!("{};", self.expressions().guard())));
        }
        Piece::block("d_step {", body, "};")
    }

    /// `{ … } unless { … }`
    pub(super) fn unless(&mut self, at: Position) -> Piece {
        let main = self.sequence(at.inside(), 3);
        let mut escape = Vec::new();
        if self.random.chance(70) {
            escape.push(Piece::line(format!("{};", self.expressions().guard())));
        }
        if escape.is_empty() || self.random.chance(50) {
            escape.extend(self.sequence(at.inside(), 2));
        }
        let parts = vec![Piece::block("{", main, "}"), Piece::block("unless {", escape, "};")];
        Piece::block("", parts, "")
    }
}
