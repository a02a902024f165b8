//! Declarations of the top level, and declarations of variables anywhere.

use taut_source::{Descent, Diagnostic, Span};

use super::stmt::DECLARATIONS;
use super::{GiveUp, Parse, Parser};
use crate::ast::{
    Asked, Block, Count, Declarator, File, Init, InstanceItem, Item, ItemKind, Param,
    ProcedureItem, ProcessItem, PropertyItem, TypeExpr, VarDecl, VarWord, Which,
};
use crate::codes;
use crate::lexer::Token;

/// Words that are special only at the start of a declaration.
const WORDS: &[&str] = &["program", "call_depth", "instance", "slot", "any", "assertion"];

/// What a declaration can begin with, for hints to misspelt ones.
const BEGINNINGS: &[&str] = &[
    "Svar",
    "Gvar",
    "main",
    "process",
    "procedure",
    "const",
    "shared",
    "ghost",
    "local",
    "forbid",
    "invariant",
    "ltl",
    "program",
    "call_depth",
    "instance",
    "slot",
    "any",
    "assertion",
];

impl Parser<'_, '_> {
    /// The whole file.
    pub(super) fn file(&mut self) -> File {
        let mut items = Vec::new();
        while !self.at(Token::Eof) {
            let (before, start) = (self.cursor.position(), self.span());
            match self.item() {
                Ok(kind) => items.push(Item { kind, span: start.to(self.previous()) }),
                Err(GiveUp) => self.skip_item(before),
            }
        }
        File { items, end: self.cursor.end() }
    }

    /// Goes on before the next word that begins a declaration.
    fn skip_item(&mut self, before: usize) {
        if self.cursor.position() == before {
            self.bump();
        }
        while !self.at(Token::Eof) && !self.begins_item() {
            self.bump();
        }
    }

    fn begins_item(&self) -> bool {
        let token = self.peek();
        // `local` also stands inside of bodies, and after a mistake we may still be in one.
        DECLARATIONS.contains(&token) || token == Token::Ident && WORDS.contains(&self.slice(0))
    }

    fn item(&mut self) -> Parse<ItemKind> {
        match self.peek() {
            Token::Svar | Token::Gvar => self.paper_variables(),
            Token::Shared | Token::Ghost | Token::Local => {
                let declared = self.variables()?;
                self.semicolon("this declaration")?;
                Ok(ItemKind::Vars(declared))
            }
            Token::Const => self.constants(),
            Token::Main | Token::Process => self.process(),
            Token::Procedure => self.procedure(),
            Token::Forbid => self.property(|p| Ok(Asked::Forbid(p.expression()?))),
            Token::Invariant => self.property(|p| Ok(Asked::Invariant(p.expression()?))),
            Token::Ltl => self.property(|p| Ok(Asked::Ltl(p.formula()?))),
            Token::Ident => self.word_item(),
            _ => self.expected("a declaration"),
        }
    }

    fn word_item(&mut self) -> Parse<ItemKind> {
        match self.slice(0) {
            "program" => {
                self.bump();
                let name = self.title("the name of the program")?;
                self.semicolon("this declaration")?;
                Ok(ItemKind::Program(name))
            }
            "call_depth" => {
                self.bump();
                let depth = self.expression()?;
                self.semicolon("this declaration")?;
                Ok(ItemKind::CallDepth(depth))
            }
            "instance" => self.instance(false),
            "slot" => self.instance(true),
            "any" => {
                self.bump();
                let def = self.which("the name of a process")?;
                self.semicolon("this declaration")?;
                Ok(ItemKind::Any(def))
            }
            "assertion" => self.assertion(),
            word => self.unknown_item(word),
        }
    }

    fn unknown_item(&mut self, word: &str) -> Parse<ItemKind> {
        let message = format!("expected a declaration, found {}", self.found());
        let at = self.span();
        let found = Diagnostic::error(codes::EXPECTED, message, at).label("expected a declaration");
        let nearest = taut_source::nearest(word, BEGINNINGS.iter().copied());
        self.report(match nearest {
            Some(meant) => found.help(format!("did you mean `{meant}`?")),
            None => found.help(
                "declarations are `shared`, `local`, `ghost`, `const`, `process`, `procedure`, \
                 `main`, `forbid`, `invariant` and `ltl`",
            ),
        });
        Err(GiveUp)
    }

    /// `Svar s1 s2, s3;` as in the paper: commas, spaces and the `;` are all optional.
    fn paper_variables(&mut self) -> Parse<ItemKind> {
        let word = if self.at(Token::Svar) { VarWord::Svar } else { VarWord::Gvar };
        self.bump();
        let mut list = Vec::new();
        if !matches!(self.peek(), Token::Semi | Token::Gvar | Token::Main) {
            list.push(self.declarator()?);
        }
        loop {
            let comma = self.eat(Token::Comma);
            if !comma && !matches!(self.peek(), Token::Ident | Token::Quoted) {
                break;
            }
            list.push(self.declarator()?);
        }
        self.eat(Token::Semi);
        Ok(ItemKind::Vars(VarDecl { word, ty: None, list }))
    }

    /// `shared int x = 0, y`, without the `;`.
    pub(super) fn variables(&mut self) -> Parse<VarDecl> {
        let word = match self.peek() {
            Token::Shared => VarWord::Shared,
            Token::Ghost => VarWord::Ghost,
            _ => VarWord::Local,
        };
        self.bump();
        let ty = Some(self.type_before_name()?);
        let mut list = vec![self.declarator()?];
        while self.eat(Token::Comma) {
            list.push(self.declarator()?);
        }
        Ok(VarDecl { word, ty, list })
    }

    /// A type; a name that stands where the type was forgotten gets a hint.
    fn type_before_name(&mut self) -> Parse<TypeExpr> {
        let forgotten = self.at(Token::Ident)
            && matches!(
                self.peek_at(1),
                Token::Semi | Token::Equal | Token::Comma | Token::LeftBracket | Token::Assign
            );
        if !forgotten {
            return self.type_expr();
        }
        let name = self.slice(0);
        let message = format!("expected a type, found {}", self.found());
        let at = self.span();
        let found = Diagnostic::error(codes::EXPECTED, message, at).label("expected a type");
        self.report(found.help(format!("for example `int {name}` or `0..3 {name}`")));
        Err(GiveUp)
    }

    fn type_expr(&mut self) -> Parse<TypeExpr> {
        let named = match self.peek() {
            Token::IntType => TypeExpr::Int,
            Token::Bool => TypeExpr::Bool,
            Token::Byte => TypeExpr::Byte,
            Token::Short => TypeExpr::Short,
            Token::Long => TypeExpr::Long,
            Token::Minus | Token::Int | Token::LeftParen | Token::Ident | Token::Quoted => {
                return self.range_type();
            }
            _ => return self.expected("a type"),
        };
        self.bump();
        Ok(named)
    }

    fn range_type(&mut self) -> Parse<TypeExpr> {
        let wrap = self.peek_at(1) != Token::DotDot && self.eat_word("wrap");
        let lo = self.bound()?;
        self.expect(Token::DotDot)?;
        let hi = self.bound()?;
        Ok(TypeExpr::Range { wrap, bounds: Box::new((lo, hi)) })
    }

    fn declarator(&mut self) -> Parse<Declarator> {
        let name = self.name("the name of a variable")?;
        let mut len = None;
        if self.eat(Token::LeftBracket) {
            len = Some(self.expression()?);
            self.expect(Token::RightBracket)?;
        }
        if self.at(Token::Assign) {
            return self.initialised_by_assignment();
        }
        let init = if self.eat(Token::Equal) { Some(self.init()?) } else { None };
        Ok(Declarator { name, len, init })
    }

    fn initialised_by_assignment<T>(&mut self) -> Parse<T> {
        let at = self.span();
        let found = Diagnostic::error(codes::EXPECTED, "expected `=`, found `:=`", at);
        self.report(found.label("expected `=`").help("initial values are written `= value`"));
        Err(GiveUp)
    }

    fn init(&mut self) -> Parse<Init> {
        if !self.at(Token::LeftBrace) {
            return Ok(Init::All(self.expression()?));
        }
        let open = self.bump();
        let (values, close) = self.list(Token::RightBrace, Self::expression)?;
        Ok(Init::List(values, open.to(close)))
    }

    /// `const N = 2, M = N + 1;`
    fn constants(&mut self) -> Parse<ItemKind> {
        self.bump();
        let mut all = Vec::new();
        loop {
            let name = self.name("the name of a constant")?;
            if self.at(Token::Assign) {
                return self.initialised_by_assignment();
            }
            self.expect(Token::Equal)?;
            all.push((name, self.expression()?));
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.semicolon("this declaration")?;
        Ok(ItemKind::Const(all))
    }

    fn process(&mut self) -> Parse<ItemKind> {
        let main = self.at(Token::Main);
        let start = self.bump();
        let name = self.name("the name of the process")?;
        let mut count = None;
        if self.eat(Token::LeftBracket) {
            count = Some(self.count()?);
            self.expect(Token::RightBracket)?;
        }
        let params = self.params()?;
        if !main && count.is_none() && self.eat_word("graph") {
            return self.graph(name, params);
        }
        let body = self.body(start)?;
        Ok(ItemKind::Process(ProcessItem { main, name, count, params, body }))
    }

    /// The number of instances, or a star for every number.
    fn count(&mut self) -> Parse<Count> {
        match self.at(Token::Star) {
            true => Ok(Count::Any(self.bump())),
            false => Ok(Count::Number(self.expression()?)),
        }
    }

    fn procedure(&mut self) -> Parse<ItemKind> {
        let start = self.bump();
        let name = self.name("the name of the procedure")?;
        let params = self.params()?;
        let body = self.body(start)?;
        Ok(ItemKind::Procedure(ProcedureItem { name, params, body }))
    }

    /// `begin … end`, or braces, and a `;` if somebody wrote one.
    fn body(&mut self, start: Span) -> Parse<Block> {
        let braces = self.at(Token::LeftBrace);
        if !braces && !self.at(Token::Begin) {
            return self.expected("`begin` or `{`");
        }
        self.bump();
        let close: &[Token] = if braces { &[Token::RightBrace] } else { &[Token::End] };
        let block = self.statements(close, start, braces)?;
        self.bump();
        self.eat(Token::Semi);
        Ok(block)
    }

    fn params(&mut self) -> Parse<Vec<Param>> {
        if !self.eat(Token::LeftParen) {
            return Ok(Vec::new());
        }
        Ok(self.list(Token::RightParen, Self::param)?.0)
    }

    fn param(&mut self) -> Parse<Param> {
        let untyped = matches!(self.peek_at(1), Token::Comma | Token::RightParen | Token::Equal);
        let ty = if untyped { None } else { Some(self.type_expr()?) };
        let name = self.name("the name of a parameter")?;
        let init = if self.eat(Token::Equal) { Some(self.expression()?) } else { None };
        Ok(Param { ty, name, init })
    }

    fn instance(&mut self, slot: bool) -> Parse<ItemKind> {
        self.bump();
        let name = self.process_name()?;
        self.expect(Token::Equal)?;
        let def = self.which("the name of a process")?;
        let args = self.arguments()?;
        self.semicolon("this declaration")?;
        Ok(ItemKind::Instance(InstanceItem { slot, name, def, args }))
    }

    /// A name, or a number after `#` where names are not unique.
    pub(super) fn which(&mut self, what: &str) -> Parse<Which> {
        match self.at(Token::Hash) {
            true => Ok(Which::Number(self.number()?)),
            false => Ok(Which::Name(self.name(what)?)),
        }
    }

    fn assertion(&mut self) -> Parse<ItemKind> {
        self.bump();
        let name = self.title("the name of the property")?;
        self.semicolon("this property")?;
        Ok(ItemKind::Property(PropertyItem { name, asked: Asked::Assertion }))
    }

    /// `forbid NAME: …;` and the like.
    fn property(&mut self, asked: impl FnOnce(&mut Self) -> Parse<Asked>) -> Parse<ItemKind> {
        let word = self.slice(0);
        self.bump();
        let name = self.title("the name of the property")?;
        if !self.at(Token::Colon) {
            return self.property_without_name(word);
        }
        self.bump();
        let asked = asked(self)?;
        let formula = matches!(asked, Asked::Ltl(_));
        if !formula && matches!(self.peek(), Token::Arrow | Token::Equivalent) {
            return self.temporal_in_expression();
        }
        self.semicolon("this property")?;
        Ok(ItemKind::Property(PropertyItem { name, asked }))
    }

    fn property_without_name<T>(&mut self, word: &str) -> Parse<T> {
        let message =
            format!("expected `:` after the name of the property, found {}", self.found());
        let at = self.span();
        let found = Diagnostic::error(codes::EXPECTED, message, at).label("expected `:`");
        let example = if word == "ltl" { "[] (p@try -> <> p@cs)" } else { "p@cs && q@cs" };
        let name = if word == "ltl" { "gets_in" } else { "both_in" };
        self.report(found.help(format!("properties have names: `{word} {name}: {example};`")));
        Err(GiveUp)
    }
}
