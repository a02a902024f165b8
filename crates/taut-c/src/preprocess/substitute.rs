//! Bodies of macros with their arguments put in: `#`, `##`, `__VA_OPT__`.

use taut_source::{Diagnostic, Span};

use super::Preprocessor;
use super::expand::{Argument, Macro, Part};
use super::hide::Hide;
use super::lexer::single;
use super::token::{Kind, Token, sym};
use crate::codes;

/// The longest token that `#` and `##` make.
const LONGEST_TOKEN: usize = 1 << 18;

impl Preprocessor<'_> {
    /// What the use of a macro stands for. `head` is the use: its place, and whether blank space stands before it.
    pub(super) fn substitute(
        &mut self,
        found: &Macro,
        arguments: &mut [Argument],
        head: Token,
        hide: Hide,
        depth: usize,
    ) -> Vec<Token> {
        let mut use_ = Use { found, arguments, head, depth };
        let mut out = self.parts(&mut use_, 0..found.body.len());
        out.retain(|token| token.kind != Kind::Placemarker);
        for token in &mut out {
            token.hide = self.hides.union(token.hide, hide);
        }
        if let Some(first) = out.first_mut() {
            (first.space, first.line) = (head.space, head.line);
        }
        self.spend(out.len(), head.span);
        out
    }

    /// Some parts of a body. Empty operands of `##` are left as placemarkers.
    fn parts(&mut self, use_: &mut Use<'_>, range: std::ops::Range<usize>) -> Vec<Token> {
        let body = &use_.found.body;
        let (mut out, mut at): (Vec<Token>, usize) = (Vec::new(), range.start);
        let mut blank = false;
        while at < range.end && !self.stopped {
            let pastes = is_paste(&body[at]) && at > range.start && at + 1 < range.end;
            if !pastes {
                let end = at + width(use_.found, at, range.end);
                let before_paste = body[..range.end].get(end).is_some_and(is_paste);
                let mut made = self.operand(use_, at..end, before_paste);
                // Blank space before an empty argument stands before what follows it.
                blank |= body[at].token.space;
                if let Some(first) = made.first_mut() {
                    first.space |= std::mem::take(&mut blank);
                }
                out.extend(made);
                at = end;
                continue;
            }
            let end = at + 1 + width(use_.found, at + 1, range.end);
            let right = self.operand(use_, at + 1..end, true);
            let after_comma = out.last().is_some_and(|left| left.is(sym::COMMA));
            match out.pop() {
                // GNU's `, ## __VA_ARGS__`: without an argument the comma goes, too; with one, even an empty one,
                // nothing is pasted.
                Some(comma) if after_comma && use_.is_rest(at + 1) => {
                    if !use_.rest_is_left_out() {
                        out.push(comma);
                        out.extend(right);
                    }
                }
                Some(left) => self.paste(left, right, &mut out),
                None => out.extend(right),
            }
            at = end;
        }
        out
    }

    /// One operand of a body: a token, `#parameter`, a parameter or `__VA_OPT__(…)`. As an operand of `##` an argument
    /// is taken as it was written.
    fn operand(
        &mut self,
        use_: &mut Use<'_>,
        range: std::ops::Range<usize>,
        pasted: bool,
    ) -> Vec<Token> {
        let part = use_.found.body[range.start];
        let of_use = Token { span: use_.head.span, line: false, expanded: true, ..part.token };
        if part.parameter.is_none() && range.len() == 2 {
            let argument = use_.argument(range.start + 1);
            return vec![self.stringify(&argument.written, of_use)];
        }
        if part.parameter.is_none() && range.len() > 2 {
            let given = use_.rest_is_given();
            let inner = range.start + 2..range.end - 1;
            let mut tokens = if given { self.parts(use_, inner) } else { Vec::new() };
            tokens.retain(|token| token.kind != Kind::Placemarker);
            return or_placemarker(tokens, of_use, pasted);
        }
        if part.parameter.is_none() {
            return vec![of_use];
        }
        let mut tokens = match pasted {
            true => use_.argument(range.start).written,
            false => self.replaced(use_, range.start),
        };
        if let Some(first) = tokens.first_mut() {
            (first.space, first.line) = (part.token.space, false);
        }
        or_placemarker(tokens, of_use, pasted)
    }

    /// An argument with macros replaced.
    fn replaced(&mut self, use_: &mut Use<'_>, at: usize) -> Vec<Token> {
        let Some(index) = use_.found.body[at].parameter.map(usize::from) else { return Vec::new() };
        let Some(argument) = use_.arguments.get(index) else { return Vec::new() };
        if let Some(done) = &argument.replaced {
            return done.clone();
        }
        let done = self.expand(argument.written.clone(), use_.depth + 1);
        use_.arguments[index].replaced = Some(done.clone());
        done
    }

    /// `#argument`
    fn stringify(&mut self, argument: &[Token], place: Token) -> Token {
        let mut text = String::from("\"");
        for (index, token) in argument.iter().enumerate() {
            if index > 0 && (token.space || token.line) {
                text.push(' ');
            }
            let quoted = matches!(token.kind, Kind::Str | Kind::Char);
            // Each level of quotation doubles the backslashes of the one below.
            if text.len() > LONGEST_TOKEN {
                break;
            }
            for c in self.interner.text(token.text).chars() {
                if quoted && matches!(c, '"' | '\\') {
                    text.push('\\');
                }
                text.push(c);
            }
        }
        text.push('"');
        self.check_length(text.len(), place.span);
        Token { kind: Kind::Str, text: self.interner.get(&text), ..place }
    }

    /// `left ## right`, where only the first token of the right side is pasted.
    fn paste(&mut self, left: Token, right: Vec<Token>, out: &mut Vec<Token>) {
        let mut right = right.into_iter();
        let Some(first) = right.next() else { return out.push(left) };
        match (left.kind, first.kind) {
            (_, Kind::Placemarker) => out.push(left),
            (Kind::Placemarker, _) => out.push(Token { space: left.space, ..first }),
            _ => {
                let text = format!("{}{}", self.text(&left), self.text(&first));
                match single(&text) {
                    Some(kind) => {
                        self.check_length(text.len(), left.span);
                        let text = self.interner.get(&text);
                        let hide = self.hides.intersection(left.hide, first.hide);
                        out.push(Token { kind, text, hide, expanded: true, ..left });
                    }
                    None => {
                        self.bad_paste(&left, &first);
                        out.extend([left, first]);
                    }
                }
            }
        }
        out.extend(right);
    }

    /// Ends the reading if a token is too long.
    fn check_length(&mut self, length: usize, span: Span) {
        self.spend(length / 16, span);
        if length <= LONGEST_TOKEN || self.stopped {
            return;
        }
        self.stopped = true;
        let message = format!("macros make a token of more than {LONGEST_TOKEN} characters");
        let found = Diagnostic::error(codes::MACRO_LIMIT, message, span);
        self.report(found.label("by `#` or `##` here").help("use fewer levels of macros"));
    }

    fn bad_paste(&mut self, left: &Token, right: &Token) {
        let (left_text, right_text) = (self.text(left), self.text(right));
        let message = format!("`{left_text}` and `{right_text}` together are no token");
        let found = Diagnostic::error(codes::BAD_PASTE, message, left.span);
        self.report(found.label("pasted by `##` here").help("leave out the `##`"));
    }
}

/// The use of a macro.
struct Use<'a> {
    found: &'a Macro,
    arguments: &'a mut [Argument],
    head: Token,
    depth: usize,
}

impl Use<'_> {
    /// The argument for the parameter at a place of the body; empty if it was left out.
    fn argument(&self, at: usize) -> Argument {
        let index = self.found.body[at].parameter.map(usize::from);
        index.and_then(|index| self.arguments.get(index)).cloned().unwrap_or_default()
    }

    /// Whether the part at a place is the parameter that takes all further arguments.
    fn is_rest(&self, at: usize) -> bool {
        let last = self.found.parameters.as_ref().map_or(0, Vec::len);
        let index = self.found.body[at].parameter.map(usize::from);
        self.found.variadic && index.is_some_and(|index| index + 1 == last)
    }

    /// Whether a call has not even a comma for further arguments.
    fn rest_is_left_out(&self) -> bool {
        let last = self.found.parameters.as_ref().map_or(0, Vec::len);
        let given = self.arguments.len();
        given < last || (last == 1 && self.arguments.iter().all(|a| a.written.is_empty()))
    }

    /// Whether there are further arguments.
    fn rest_is_given(&self) -> bool {
        let last = self.found.parameters.as_ref().map_or(0, Vec::len);
        let rest = self.arguments.get(last.wrapping_sub(1));
        rest.is_some_and(|argument| !argument.written.is_empty())
    }
}

fn is_paste(part: &Part) -> bool {
    part.token.kind == Kind::Punct && part.token.is(sym::PASTE)
}

/// Number of parts of the operand at a place: 2 for `#parameter`, all of `__VA_OPT__(…)`.
fn width(found: &Macro, at: usize, end: usize) -> usize {
    let body = &found.body[..end];
    let next = body.get(at + 1);
    if found.parameters.is_none() {
        return 1;
    }
    if body[at].token.is(sym::HASH) && next.is_some_and(|part| part.parameter.is_some()) {
        return 2;
    }
    let optional = found.variadic && body[at].token.is(sym::VA_OPT);
    if !optional || !next.is_some_and(|part| part.token.is(sym::OPEN)) {
        return 1;
    }
    let mut depth = 0_usize;
    for (index, part) in body[at..].iter().enumerate().skip(1) {
        if part.token.is(sym::OPEN) {
            depth += 1;
        } else if part.token.is(sym::CLOSE) {
            depth -= 1;
            if depth == 0 {
                return index + 1;
            }
        }
    }
    1
}

/// The tokens, or as an operand of `##` a placemarker if there are none.
fn or_placemarker(tokens: Vec<Token>, place: Token, pasted: bool) -> Vec<Token> {
    if tokens.is_empty() && pasted {
        return vec![Token { kind: Kind::Placemarker, text: sym::EMPTY, ..place }];
    }
    tokens
}
