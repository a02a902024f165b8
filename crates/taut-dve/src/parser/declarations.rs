//! Variables, constants and channels.

use taut_source::Descent;

use super::{Parse, Parser};
use crate::ast::Type;
use crate::lexer::Token;
use crate::surface::{Channel, Initial, Variable};

/// A declaration of one type with all its declarators.
pub(super) enum Declaration {
    Variables(Vec<Variable>),
    Channels(Vec<Channel>),
}

impl Parser<'_, '_> {
    /// Whether a declaration stands here.
    pub(super) fn at_declaration(&self) -> bool {
        matches!(self.peek(), Token::Const | Token::Byte | Token::IntType | Token::Channel)
            || self.at_input()
    }

    /// Whether the next word is DiVinE 3's `input` and not a name.
    fn at_input(&self) -> bool {
        let typed = matches!(self.peek_at(1), Token::Byte | Token::IntType);
        typed && self.at_word("input")
    }

    pub(super) fn declaration(&mut self) -> Parse<Declaration> {
        if self.at(Token::Channel) {
            return Ok(Declaration::Channels(self.channels()?));
        }
        let constant = self.at(Token::Const) || self.at_input();
        if constant {
            self.bump();
        }
        let ty = self.ty()?;
        let all = self.commas(|p| p.variable(constant, ty))?;
        self.semicolon("a declaration")?;
        Ok(Declaration::Variables(all))
    }

    fn ty(&mut self) -> Parse<Type> {
        match self.peek() {
            Token::Byte => {
                self.bump();
                Ok(Type::Byte)
            }
            Token::IntType => {
                self.bump();
                Ok(Type::Int)
            }
            _ => self.expected("a type, `byte` or `int`"),
        }
    }

    fn variable(&mut self, constant: bool, ty: Type) -> Parse<Variable> {
        let name = self.name("the name of a variable")?;
        let mut length = None;
        if self.at(Token::LeftBracket) {
            length = Some(self.index()?.0);
        }
        let mut initial = None;
        if self.eat(Token::Equal) {
            initial = Some(self.initial()?);
        }
        let span = name.span.to(self.previous());
        Ok(Variable { name, constant, ty, length, initial, span })
    }

    fn initial(&mut self) -> Parse<Initial> {
        if !self.at(Token::LeftBrace) {
            return Ok(Initial::One(self.expression()?));
        }
        let open = self.bump();
        let values =
            if self.at(Token::RightBrace) { vec![] } else { self.commas(Self::expression)? };
        let close = self.close(Token::RightBrace, open)?;
        Ok(Initial::Many(values, open.to(close)))
    }

    /// `channel a, b;` or `channel {byte, int} a[2];`
    fn channels(&mut self) -> Parse<Vec<Channel>> {
        self.bump();
        let mut types = None;
        if self.at(Token::LeftBrace) {
            let open = self.bump();
            types = Some(self.commas(Self::ty)?);
            self.close(Token::RightBrace, open)?;
        }
        let all = self.commas(|p| p.channel(types.clone()))?;
        self.semicolon("a declaration")?;
        Ok(all)
    }

    fn channel(&mut self, types: Option<Vec<Type>>) -> Parse<Channel> {
        let name = self.name("the name of a channel")?;
        let mut capacity = None;
        if self.at(Token::LeftBracket) {
            capacity = Some(self.index()?.0);
        }
        let span = name.span.to(self.previous());
        Ok(Channel { name, types, capacity, span })
    }
}
