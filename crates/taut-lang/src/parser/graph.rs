//! The graph form of a process: its program points and steps as they are in the program model.

use taut_ir::Mode;
use taut_source::{Descent, Span};

use super::{Parse, Parser};
use crate::ast::{
    GraphEffect, GraphItem, GraphProcedure, GraphStep, ItemKind, Name, Param, Section, Target,
};
use crate::lexer::Token;

impl Parser<'_, '_> {
    /// What follows the word `graph`.
    pub(super) fn graph(&mut self, name: Name, params: Vec<Param>) -> Parse<ItemKind> {
        let mut graph = GraphItem {
            name,
            params,
            locals: Vec::new(),
            procedures: Vec::new(),
            entry: None,
            sections: Vec::new(),
            word: self.previous(),
            end: Span::NONE,
        };
        while self.at(Token::Local) {
            let start = self.span();
            let declared = self.variables()?;
            self.semicolon("this declaration")?;
            graph.locals.push((declared, start.to(self.previous())));
        }
        while self.at(Token::Procedure) {
            graph.procedures.push(self.graph_procedure()?);
        }
        if self.eat_word("entry") {
            graph.entry = Some(self.number()?);
            self.semicolon("the entry")?;
        }
        while self.at(Token::Hash) {
            graph.sections.push(self.section()?);
        }
        if !self.at(Token::End) {
            return self.expected("a program point such as `#0:`, a step, or `end`");
        }
        graph.end = self.bump();
        self.eat(Token::Semi);
        Ok(ItemKind::Graph(graph))
    }

    /// `procedure f(n; k) at #7;`
    fn graph_procedure(&mut self) -> Parse<GraphProcedure> {
        let start = self.bump();
        let name = self.name("the name of the procedure")?;
        self.expect(Token::LeftParen)?;
        let mut params = Vec::new();
        let mut registers = Vec::new();
        let mut own = false;
        while !self.eat(Token::RightParen) {
            if self.eat(Token::Semi) {
                own = true;
                continue;
            }
            let base = self.base("a register")?;
            if own { &mut registers } else { &mut params }.push(base);
            if !self.eat(Token::Comma) && !matches!(self.peek(), Token::Semi | Token::RightParen) {
                return self.expected("`,`, `;` or `)`");
            }
        }
        if !self.eat_word("at") {
            return self.expected("`at` and a program point");
        }
        let entry = self.number()?;
        self.semicolon("this procedure")?;
        Ok(GraphProcedure { name, params, registers, entry, span: start.to(self.previous()) })
    }

    /// `#3 end atomic [cs]:` and the steps from there.
    fn section(&mut self) -> Parse<Section> {
        let start = self.span();
        let point = self.number()?;
        let end = self.eat(Token::End);
        let atomic = self.eat(Token::Atomic);
        let mut labels = Vec::new();
        if !self.eat(Token::Always) && self.eat(Token::LeftBracket) {
            labels = self.list(Token::RightBracket, |p| p.name("a label"))?.0;
        }
        let head = start.to(self.expect(Token::Colon)?);
        let mut steps = Vec::new();
        while !matches!(self.peek(), Token::Hash | Token::End | Token::Eof) {
            steps.push(self.graph_step()?);
        }
        Ok(Section { point, end, atomic, labels, steps, head })
    }

    /// `when e locked do x := 1; goto #4;`
    fn graph_step(&mut self) -> Parse<GraphStep> {
        let start = self.span();
        let guard = if self.eat_word("when") { Some(self.expression()?) } else { None };
        let mode = self.mode();
        let mut effects = Vec::new();
        if self.eat(Token::Do) {
            while !matches!(self.peek(), Token::Goto | Token::Call | Token::Return) {
                effects.push(self.effect()?);
                self.semicolon("this effect")?;
            }
        }
        let target = self.target()?;
        self.semicolon("this step")?;
        Ok(GraphStep { guard, mode, effects, target, span: start.to(self.previous()) })
    }

    fn mode(&mut self) -> Mode {
        let mode = match self.peek() {
            Token::Fence => Mode::Fence,
            Token::Sync => Mode::Sync,
            Token::Locked => Mode::Locked,
            _ => return Mode::Plain,
        };
        self.bump();
        mode
    }

    fn target(&mut self) -> Parse<Target> {
        match self.peek() {
            Token::Goto => {
                self.bump();
                Ok(Target::Goto(self.number()?))
            }
            Token::Call => {
                self.bump();
                let procedure = self.which("the name of a procedure")?;
                let args = self.arguments()?;
                self.expect(Token::Then)?;
                Ok(Target::Call(procedure, args, self.number()?))
            }
            Token::Return => {
                self.bump();
                Ok(Target::Return)
            }
            _ => self.expected("`when`, `do`, `goto`, `call` or `return`"),
        }
    }

    fn effect(&mut self) -> Parse<GraphEffect> {
        match self.peek() {
            Token::Sfence => {
                self.bump();
                Ok(GraphEffect::Sfence)
            }
            Token::Assert => {
                self.bump();
                self.expect(Token::LeftParen)?;
                let condition = self.expression()?;
                self.expect(Token::RightParen)?;
                if !self.eat_word("as") {
                    return self.expected("`as` and the name of the assertion");
                }
                Ok(GraphEffect::Assert(condition, self.title("the name of the assertion")?))
            }
            Token::Spawn => {
                self.bump();
                let def = self.which("the name of a process")?;
                Ok(GraphEffect::Spawn(def, self.arguments()?))
            }
            _ => self.graph_assignment(),
        }
    }

    /// `atomic x, r := 1, 2`: each `atomic` is for the variable after it.
    fn graph_assignment(&mut self) -> Parse<GraphEffect> {
        let mut places = Vec::new();
        loop {
            let atomic = self.eat(Token::Atomic);
            places.push((atomic, self.reference("an effect")?));
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.assign_sign()?;
        let mut values = vec![self.expression()?];
        while self.eat(Token::Comma) {
            values.push(self.expression()?);
        }
        Ok(GraphEffect::Assign(places, values))
    }
}
