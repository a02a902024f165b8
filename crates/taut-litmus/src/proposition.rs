//! The question: what to show, what to count, and the condition.
//!
//! ```text
//! question ::= [locations '[' item (';' item)* [';'] ']'] [filter prop] [quantifier prop [';']]
//! prop     ::= and ('\/' and)*
//! and      ::= implies ('/\' implies)*
//! implies  ::= unary ['=>' implies]
//! unary    ::= ('~' | not) unary | '(' prop ')' | true | false | item ('=' | '<>') (number | item)
//! ```

use taut_source::{Diagnostic, Span};

use crate::ast::{Item, Quantifier, Question};
use crate::condition::{Atom, Condition, Side, Variable};
use crate::error::{self, Failed, Parsed};
use crate::lexer::Kind;
use crate::parser::{Parser, shorten};

/// How deep parentheses, negations and implications may nest.
const DEEPEST: usize = 200;

const LOCATIONS: &str = "what to show is listed as `locations [x; 0:rax;]`";

/// How many variables conditions may mention, counting repetitions.
const MOST_MENTIONED: usize = 65_536;

impl<'s> Parser<'s> {
    /// Reads everything after the table.
    pub(crate) fn question(&mut self) -> Parsed<Question<'s>> {
        let mut question = no_question(self.span(self.token));
        if self.at_word("locations") {
            self.bump();
            question.locations = self.locations()?;
        }
        let mut reader = Propositions { mentioned: Vec::new(), depth: 0 };
        if self.at_word("filter") {
            self.bump();
            question.filter = Some(reader.prop(self)?);
        }
        let start = self.token.start;
        if !self.at(Kind::End) {
            question.quantifier = self.quantifier()?;
            question.condition = reader.prop(self)?;
            question.span = self.span_from(start);
            self.eat(Kind::Semicolon);
        }
        self.end_of_file()?;
        Ok(Question { mentioned: reader.mentioned, ..question })
    }

    fn end_of_file(&mut self) -> Parsed<()> {
        if self.at(Kind::End) {
            return Ok(());
        }
        if self.at(Kind::OpenComment) {
            return Err(self.open_comment());
        }
        let message = "there is text after the condition";
        let diagnostic = Diagnostic::error(error::TRAILING, message, self.span(self.token))
            .label("expected `/\\`, `\\/`, `=>` or the end of the file")
            .help("a test has one condition; put notes in comments `(* … *)`");
        Err(self.fail(diagnostic))
    }

    /// `[x; 0:rax;]`; an item may be followed by its type.
    fn locations(&mut self) -> Parsed<Vec<Item<'s>>> {
        self.expect(Kind::OpenBracket, "`[`", LOCATIONS)?;
        let mut items = Vec::new();
        loop {
            if self.eat(Kind::CloseBracket) {
                return Ok(items);
            }
            if items.len() == MOST_MENTIONED {
                return Err(self.too_many("locations", MOST_MENTIONED));
            }
            items.push(self.item()?);
            if !self.at_question() {
                self.eat(Kind::Word);
                self.eat(Kind::Star);
            }
            if !self.eat(Kind::Semicolon) && !self.at(Kind::CloseBracket) {
                return Err(self.unexpected("`;` or `]`", LOCATIONS));
            }
        }
    }

    fn quantifier(&mut self) -> Parsed<Quantifier> {
        if self.at(Kind::OpenComment) {
            return Err(self.open_comment());
        }
        let token = self.token;
        let text = self.text_of(token);
        let found = match text {
            "exists" | "final" => Quantifier::Exists,
            "forall" => Quantifier::Forall,
            "~" if self.text_of(self.after()) == "exists" => {
                self.bump();
                Quantifier::NotExists
            }
            _ => {
                let help = match text {
                    "not" => "write `~exists`",
                    "locations" | "filter" => "`locations` comes first, then `filter`, then this",
                    _ => "the condition is `exists (…)`, `~exists (…)` or `forall (…)`",
                };
                let message = format!("unexpected `{}`", shorten(text));
                let diagnostic = Diagnostic::error(error::QUANTIFIER, message, self.span(token))
                    .label("expected `exists`, `~exists` or `forall`")
                    .help(help);
                return Err(self.fail(diagnostic));
            }
        };
        self.bump();
        Ok(found)
    }
}

/// What an empty question means.
fn no_question<'s>(span: Span) -> Question<'s> {
    Question {
        locations: Vec::new(),
        filter: None,
        quantifier: Quantifier::Forall,
        condition: Condition::True,
        mentioned: Vec::new(),
        span,
    }
}

/// Reads conditions and numbers the variables in them.
struct Propositions<'s> {
    mentioned: Vec<Item<'s>>,
    depth: usize,
}

impl<'s> Propositions<'s> {
    fn prop(&mut self, parser: &mut Parser<'s>) -> Parsed<Condition> {
        let first = self.and(parser)?;
        if !parser.at(Kind::Or) {
            return Ok(first);
        }
        let mut list = vec![first];
        while parser.eat(Kind::Or) {
            list.push(self.and(parser)?);
        }
        Ok(Condition::Or(list))
    }

    fn and(&mut self, parser: &mut Parser<'s>) -> Parsed<Condition> {
        let first = self.implies(parser)?;
        if !parser.at(Kind::And) {
            return Ok(first);
        }
        let mut list = vec![first];
        while parser.eat(Kind::And) {
            list.push(self.implies(parser)?);
        }
        Ok(Condition::And(list))
    }

    fn implies(&mut self, parser: &mut Parser<'s>) -> Parsed<Condition> {
        let left = self.unary(parser)?;
        if !parser.eat(Kind::Implies) {
            return Ok(left);
        }
        let right = self.deeper(parser, Self::implies)?;
        Ok(Condition::Implies(Box::new(left), Box::new(right)))
    }

    fn unary(&mut self, parser: &mut Parser<'s>) -> Parsed<Condition> {
        match parser.token.kind {
            Kind::Tilde => self.not(parser),
            Kind::Open => {
                parser.bump();
                let inner = self.deeper(parser, Self::prop)?;
                let help = "and is written `/\\`, or is written `\\/`; every `(` needs its `)`";
                parser.expect(Kind::Close, "`)`, `/\\`, `\\/` or `=>`", help)?;
                Ok(inner)
            }
            Kind::Word => match parser.text_of(parser.token) {
                "not" => self.not(parser),
                "true" => Ok(constant(parser, Condition::True)),
                "false" => Ok(constant(parser, Condition::False)),
                _ => self.atom(parser),
            },
            _ => self.atom(parser),
        }
    }

    fn not(&mut self, parser: &mut Parser<'s>) -> Parsed<Condition> {
        parser.bump();
        let inner = self.deeper(parser, Self::unary)?;
        Ok(Condition::Not(Box::new(inner)))
    }

    /// Reads something one level deeper, if that is not too deep.
    fn deeper(
        &mut self,
        parser: &mut Parser<'s>,
        read: impl FnOnce(&mut Self, &mut Parser<'s>) -> Parsed<Condition>,
    ) -> Parsed<Condition> {
        if self.depth == DEEPEST {
            return Err(too_deep(parser));
        }
        self.depth += 1;
        let inner = read(self, parser);
        self.depth -= 1;
        inner
    }

    fn atom(&mut self, parser: &mut Parser<'s>) -> Parsed<Condition> {
        let left = self.variable(parser)?;
        let equal = match parser.token.kind {
            Kind::Equal => true,
            Kind::NotEqual => false,
            _ => {
                return Err(
                    parser.unexpected("`=` or `<>`", "conditions only compare: `0:rax=1`, `x<>0`")
                );
            }
        };
        parser.bump();
        let right = self.side(parser)?;
        let atom = Condition::Atom(Atom { left, right });
        Ok(if equal { atom } else { Condition::Not(Box::new(atom)) })
    }

    /// A number or a variable. `0` is a number, `0:rax` a register.
    ///
    /// DIVERGENCE: to herd7 a bare name on this side is the address of the location. Here are no
    /// addresses, and `0:rax=x` compares with what the location holds, as `0:rax=[x]` does.
    fn side(&mut self, parser: &mut Parser<'s>) -> Parsed<Side> {
        match parser.token.kind {
            Kind::Number if parser.after().kind != Kind::Colon => {
                Ok(Side::Number(parser.number()?))
            }
            Kind::Number | Kind::Word | Kind::OpenBracket => {
                Ok(Side::Variable(self.variable(parser)?))
            }
            _ => Err(parser.unexpected(
                "a number or a variable",
                "an equation is `0:rax=1`, `x=1` or `0:rax=1:rbx`",
            )),
        }
    }

    fn variable(&mut self, parser: &mut Parser<'s>) -> Parsed<Variable> {
        if self.mentioned.len() == MOST_MENTIONED {
            return Err(parser.too_many("equations", MOST_MENTIONED));
        }
        let item = parser.item()?;
        let name = item.what.to_string();
        self.mentioned.push(item);
        Ok(Variable { name, slot: self.mentioned.len() - 1 })
    }
}

fn constant(parser: &mut Parser<'_>, value: Condition) -> Condition {
    parser.bump();
    value
}

fn too_deep(parser: &mut Parser<'_>) -> Failed {
    let span: Span = parser.span(parser.token);
    let diagnostic = Diagnostic::error(error::DEPTH, "the condition is nested too deeply", span)
        .label(format!("expected at most {DEEPEST} levels"))
        .help("leave parentheses out: `/\\` binds tighter than `\\/`");
    parser.fail(diagnostic)
}
