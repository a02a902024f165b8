//! Declarations of the top level, and declarations of variables anywhere.

use taut_source::{Descent, Diagnostic, Span, Token as _};

use super::stmt::DECLARATIONS;
use super::{GiveUp, Parse, Parser};
use crate::ast::{
    Asked, Block, Count, Declarator, EnumItem, File, Init, InstanceItem, Item, ItemKind, Name,
    Param, ProcedureHead, ProcedureItem, ProcessItem, PropertyItem, StructItem, TypeExpr, VarDecl,
    VarWord, Which,
};
use crate::codes;
use crate::lexer::Token;
use crate::mistakes::{self, Where, instead};

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
    "enum",
    "struct",
    "shared",
    "ghost",
    "local",
    "forbid",
    "invariant",
    "cover",
    "include",
    "pool",
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
            Token::Procedure => self.procedure(ProcedureHead::Word),
            Token::Void => self.procedure(ProcedureHead::Void),
            Token::Enum => self.enumeration(),
            Token::Struct => self.record(),
            Token::Hash => self.define(),
            Token::Ident if self.begins_cover() => {
                self.property(|p| Ok(Asked::Cover(p.expression()?)))
            }
            Token::Ident if self.begins_pool() => self.pool(),
            Token::Ident if self.at_word("include") && self.peek_at(1) == Token::Str => {
                self.bump();
                let path = self.title("the name of a file")?;
                self.semicolon("this declaration")?;
                Ok(ItemKind::Include(path))
            }
            Token::Ident if self.is_item_word() => self.word_item(),
            _ if self.begins_declaration() => self.typed_procedure(),
            Token::Forbid => self.property(|p| Ok(Asked::Forbid(p.expression()?))),
            Token::Invariant => self.property(|p| Ok(Asked::Invariant(p.expression()?))),
            Token::Ltl => self.property(|p| Ok(Asked::Ltl(p.formula()?))),
            Token::Ident => self.word_item(),
            Token::Assert => self.assertion_at_top(),
            _ => self.expected("a declaration"),
        }
    }

    /// Whether `cover NAME` stands here; `cover f(` begins a procedure whose value has a type of that name.
    fn begins_cover(&self) -> bool {
        self.at_word("cover") && self.peek_at(2) != Token::LeftParen
    }

    /// Whether `pool NAME[` stands here.
    fn begins_pool(&self) -> bool {
        self.at_word("pool") && self.peek_at(2) == Token::LeftBracket
    }

    /// `pool node[4];`
    fn pool(&mut self) -> Parse<ItemKind> {
        self.bump();
        let pool = self.declarator_of("the name of a `struct`")?;
        if pool.init.is_some() || pool.dims.len() != 1 {
            let at = pool.name.span;
            let found = Diagnostic::error(codes::POOL_TYPE, "this is no pool", at);
            let found = found.label("expected a number of records, and no initial values");
            self.report(found.help(format!("as in `pool {}[4];`", pool.name.text)));
            return Err(GiveUp);
        }
        self.semicolon("this declaration")?;
        Ok(ItemKind::Pool(pool))
    }

    /// Whether `ref node r` stands here.
    fn begins_reference(&self) -> bool {
        let name = |token| matches!(token, Token::Ident | Token::Quoted);
        self.at_word("ref") && name(self.peek_at(1)) && name(self.peek_at(2))
    }

    /// Whether a word that begins a declaration stands here, or one that looks like it.
    fn is_item_word(&self) -> bool {
        let word = self.slice(0);
        WORDS.contains(&word)
            || mistakes::about(Where::Item, word, self.span(), "").is_some()
            || taut_source::nearest(word, BEGINNINGS.iter().copied()).is_some()
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
        self.foreign_word(Where::Item)?;
        let message = format!("expected a declaration, found {}", self.found());
        let at = self.span();
        let found = Diagnostic::error(codes::EXPECTED, message, at).label("expected a declaration");
        let nearest = taut_source::nearest(word, BEGINNINGS.iter().copied());
        self.report(match nearest {
            Some(meant) => found.help(format!("did you mean `{meant}`?")),
            None => found.help(
                "declarations are `shared`, `local`, `ghost`, `const`, `process`, `procedure`, \
                 `main`, `forbid`, `invariant`, `cover` and `ltl`",
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
        self.variables_of(word)
    }

    /// `int r = 0`: a declaration without a word before it.
    pub(super) fn bare_variables(&mut self) -> Parse<VarDecl> {
        self.variables_of(VarWord::Bare)
    }

    /// Whether a type and then a name stand here.
    pub(super) fn begins_declaration(&self) -> bool {
        match self.peek() {
            Token::IntType | Token::Bool | Token::Byte | Token::Short | Token::Long => true,
            Token::Struct => true,
            Token::Int | Token::Minus => self.range_ahead(),
            Token::Ident if self.begins_reference() || self.at_pointer() => true,
            Token::Ident => match self.peek_at(1) {
                Token::DotDot => true,
                Token::Ident | Token::Quoted => {
                    let after = [Token::Semi, Token::Equal, Token::Comma, Token::LeftBracket];
                    self.at_word("wrap")
                        || after.contains(&self.peek_at(2))
                        || self.peek_at(2) == Token::LeftParen
                }
                Token::Int | Token::Minus => self.at_word("wrap"),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether the two dots of a range stand before the end of the statement.
    fn range_ahead(&self) -> bool {
        use Token::{Assign, DotDot, Eof, RightBrace, Semi};
        let next = (1..16).map(|ahead| self.peek_at(ahead));
        next.take_while(|token| !matches!(token, Assign | Eof | RightBrace | Semi))
            .any(|token| token == DotDot)
    }

    fn variables_of(&mut self, word: VarWord) -> Parse<VarDecl> {
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
            Token::Void => return self.expected("a type of values"),
            Token::Struct => {
                let word = self.bump();
                if self.at_pointer() {
                    return self.pointer_type(word);
                }
                return Ok(TypeExpr::Named(self.name("the name of a `struct`")?));
            }
            Token::Ident if self.begins_reference() => {
                self.bump();
                return Ok(TypeExpr::Ref(self.name("the name of a pool")?));
            }
            Token::Ident | Token::Quoted if self.at_pointer() => {
                let start = self.span();
                return self.pointer_type(start);
            }
            Token::Ident | Token::Quoted if self.at_type_name() => {
                return Ok(TypeExpr::Named(self.name("the name of a type")?));
            }
            Token::Minus | Token::Int | Token::LeftParen | Token::Ident | Token::Quoted => {
                return self.range_type();
            }
            _ => return self.expected("a type"),
        };
        let start = self.bump();
        let length = matches!(named, TypeExpr::Short | TypeExpr::Long);
        if length && matches!(self.peek(), Token::Long | Token::IntType) {
            let mut end = start;
            while matches!(self.peek(), Token::Long | Token::IntType) {
                end = self.bump();
            }
            let word = self.cursor.text(start).to_owned();
            self.foreign(
                "the name of this type is one word",
                "several words",
                start.to(end),
                instead(&word),
            );
        }
        Ok(named)
    }

    /// Whether `node *n` stands here, as a declaration of C.
    fn at_pointer(&self) -> bool {
        use Token::{Comma, Equal, Ident, LeftBracket, Quoted, RightParen, Semi};
        let after = [Semi, Comma, Equal, LeftBracket, RightParen];
        matches!(self.peek(), Ident | Quoted)
            && self.peek_at(1) == Token::Star
            && self.peek_at(2) == Ident
            && after.contains(&self.peek_at(3))
    }

    /// `node *`, which is reported and read as `ref node`.
    fn pointer_type(&mut self, start: Span) -> Parse<TypeExpr> {
        let name = self.name("the name of a type")?;
        self.bump();
        // The star may touch the name of the variable, so that the edit has both.
        let span = start.to(self.span());
        let text = format!("ref {} {}", name.text, self.slice(0));
        let message = "there are no pointers: a reference leads to a record of a pool";
        self.foreign(message, "a pointer", span, instead(&text));
        Ok(TypeExpr::Ref(name))
    }

    /// Whether the name of a type stands here, before the name of what has it.
    fn at_type_name(&self) -> bool {
        let name = matches!(self.peek_at(1), Token::Ident | Token::Quoted);
        let keyword = self.peek_at(1).is_keyword() && self.peek_at(2) != Token::DotDot;
        (name || keyword) && !self.at_word("wrap")
    }

    fn range_type(&mut self) -> Parse<TypeExpr> {
        let wrap = self.peek_at(1) != Token::DotDot && self.eat_word("wrap");
        let lo = self.bound()?;
        self.expect(Token::DotDot)?;
        let hi = self.bound()?;
        Ok(TypeExpr::Range { wrap, bounds: Box::new((lo, hi)) })
    }

    fn declarator(&mut self) -> Parse<Declarator> {
        self.declarator_of("the name of a variable")
    }

    /// Fields of one type.
    fn fields(&mut self) -> Parse<VarDecl> {
        let ty = Some(self.type_before_name()?);
        let mut list = Vec::new();
        loop {
            let name = self.field()?;
            list.push(self.declarator_after(name)?);
            if !self.eat(Token::Comma) {
                return Ok(VarDecl { word: VarWord::Bare, ty, list });
            }
        }
    }

    fn declarator_of(&mut self, what: &str) -> Parse<Declarator> {
        let name = self.name(what)?;
        self.declarator_after(name)
    }

    /// A declarator from what follows its name.
    fn declarator_after(&mut self, name: Name) -> Parse<Declarator> {
        if self.at(Token::Always) {
            let span = self.span();
            let help = format!("as in `{}[4]`", name.text);
            self.foreign("an array has a length", "expected a number in the brackets", span, help);
            return Err(GiveUp);
        }
        let mut dims = Vec::new();
        while self.eat(Token::LeftBracket) {
            dims.push(self.expression()?);
            self.expect(Token::RightBracket)?;
        }
        let assigned = self.at(Token::Assign);
        if assigned {
            self.initialised_by_assignment();
        }
        let init = if assigned || self.eat(Token::Equal) { Some(self.init()?) } else { None };
        Ok(Declarator { name, dims, init })
    }

    /// Takes `:=` where `=` should stand, which is reported.
    fn initialised_by_assignment(&mut self) {
        let at = self.bump();
        let found = Diagnostic::error(codes::EXPECTED, "expected `=`, found `:=`", at);
        self.report(found.label("initial values are written `= value`").help(instead("=")));
    }

    fn init(&mut self) -> Parse<Init> {
        if !self.at(Token::LeftBrace) {
            return Ok(Init::All(self.expression()?));
        }
        let open = self.bump();
        let (values, close) = self.nested(|p| p.list(Token::RightBrace, Self::init))?;
        Ok(Init::List(values, open.to(close)))
    }

    /// `enum color { RED, GREEN = 4 };`
    fn enumeration(&mut self) -> Parse<ItemKind> {
        self.bump();
        let name = match self.at(Token::LeftBrace) {
            true => None,
            false => Some(self.name("the name of the type")?),
        };
        self.expect(Token::LeftBrace)?;
        let (members, _) = self.list(Token::RightBrace, |p| {
            let name = p.name("the name of a constant")?;
            let value = if p.eat(Token::Equal) { Some(p.expression()?) } else { None };
            Ok((name, value))
        })?;
        self.eat(Token::Semi);
        Ok(ItemKind::Enum(EnumItem { name, members }))
    }

    /// `struct node { bool locked; 0..3 next; };`
    fn record(&mut self) -> Parse<ItemKind> {
        let word = self.bump();
        let name = self.name("the name of the type")?;
        let open = self.expect(Token::LeftBrace)?;
        let mut fields = Vec::new();
        while !self.at(Token::RightBrace) {
            let start = self.span();
            let declared = self.fields()?;
            if let Some(one) = declared.list.iter().find(|one| one.init.is_some()) {
                self.initialised_field(one, word);
            }
            self.semicolon("this field")?;
            fields.push((declared, start.to(self.previous())));
        }
        let end = self.bump();
        self.eat(Token::Semi);
        Ok(ItemKind::Struct(StructItem { name, fields, open, end }))
    }

    fn initialised_field(&mut self, one: &Declarator, word: Span) {
        let message = format!("the field `{}` has an initial value", one.name.text);
        let found = Diagnostic::error(codes::INITIAL_VALUES, message, one.name.span);
        let found = found.label("a field is no variable").related(word, "in this `struct`");
        self.report(
            found.help("variables of the type have initial values: `shared node n = {1, 0};`"),
        );
    }

    /// `int f(int n) { … }`
    fn typed_procedure(&mut self) -> Parse<ItemKind> {
        let start = self.span();
        let ty = self.type_expr()?;
        if self.peek_at(1) == Token::LeftParen {
            return self.procedure_named(ProcedureHead::Type(ty), start);
        }
        let end = self.previous();
        self.variable_without_word(start.to(end));
        let mut list = vec![self.declarator()?];
        while self.eat(Token::Comma) {
            list.push(self.declarator()?);
        }
        self.semicolon("this declaration")?;
        Ok(ItemKind::Vars(VarDecl { word: VarWord::Shared, ty: Some(ty), list }))
    }

    /// A declaration at the top without a word that says where the variable is.
    fn variable_without_word(&mut self, ty: Span) {
        let message = "a variable of the whole program needs `shared`, `ghost` or `local`";
        let found = Diagnostic::error(codes::NO_WORD, message, ty);
        let help = instead(&format!("shared {}", self.cursor.text(ty)));
        self.report(found.label("which memory is it in?").help(help));
    }

    /// `const N = 2, M = N + 1;`
    fn constants(&mut self) -> Parse<ItemKind> {
        self.bump();
        let typed = self.begins_declaration();
        let ty = if typed { Some(self.type_expr()?) } else { None };
        let mut all = Vec::new();
        loop {
            let one = self.declarator_of("the name of a constant")?;
            if one.init.is_none() {
                self.expect(Token::Equal)?;
            }
            all.push(one);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.semicolon("this declaration")?;
        Ok(ItemKind::Const(ty, all))
    }

    fn process(&mut self) -> Parse<ItemKind> {
        let main = self.at(Token::Main);
        let start = self.bump();
        if main && matches!(self.peek(), Token::LeftParen | Token::LeftBrace) {
            return self.main_without_name(start);
        }
        let name = self.name("the name of the process")?;
        let mut count = None;
        if self.eat(Token::LeftBracket) {
            count = Some(self.count()?);
            self.expect(Token::RightBracket)?;
        }
        let open = self.span();
        let params = self.params()?;
        if count.is_none() && self.at(Token::LeftBracket) {
            count = Some(self.count_after_parameters(open)?);
        }
        if !main && count.is_none() && self.eat_word("graph") {
            return self.graph(name, params);
        }
        let body = self.body(start)?;
        Ok(ItemKind::Process(ProcessItem { main, name, count, params, body }))
    }

    /// `main { … }`, as in C and Rust.
    fn main_without_name<T>(&mut self, word: Span) -> Parse<T> {
        let message = "the process that starts first has a name";
        self.foreign(
            message,
            "a word, not a name",
            word,
            "as in `main boss { … }`; without a `main`, all processes start".into(),
        );
        Err(GiveUp)
    }

    /// `(i)[2]`: the number of instances stands before the parameters.
    fn count_after_parameters(&mut self, open: Span) -> Parse<Count> {
        let params = open.to(self.previous());
        let bracket = self.bump();
        let count = self.count()?;
        let number = bracket.to(self.expect(Token::RightBracket)?);
        let text = format!("{}{}", self.cursor.text(number), self.cursor.text(params));
        let message = "the number of instances stands before the parameters";
        self.foreign(message, "in the other order", params.to(number), instead(&text));
        Ok(count)
    }

    /// The number of instances, or a star for every number.
    fn count(&mut self) -> Parse<Count> {
        match self.at(Token::Star) {
            true => Ok(Count::Any(self.bump())),
            false => Ok(Count::Number(Box::new(self.expression()?))),
        }
    }

    fn procedure(&mut self, head: ProcedureHead) -> Parse<ItemKind> {
        let start = self.bump();
        self.procedure_named(head, start)
    }

    /// A procedure from its name on.
    fn procedure_named(&mut self, head: ProcedureHead, start: Span) -> Parse<ItemKind> {
        let name = self.name("the name of the procedure")?;
        let params = self.params()?;
        let body = self.body(start)?;
        Ok(ItemKind::Procedure(ProcedureItem { head, name, params, body }))
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

    /// `assert(e);` outside of all processes.
    fn assertion_at_top<T>(&mut self) -> Parse<T> {
        let span = self.span();
        let help = "what is to be true in every state is a property: `invariant small: x <= 3;`";
        self.foreign("an assertion is a statement of a process", "at the top", span, help.into());
        Err(GiveUp)
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
