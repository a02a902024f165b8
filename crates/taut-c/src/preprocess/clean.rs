//! Tokens that the parser cannot read, and those that have another meaning here.
//!
//! Attributes, `_Alignas` and `__extension__` are left out; attributes that change what a program does are refused. `abort()`
//! in a function whose name begins with `assume` is an assumption that fails, as verifiers' programs have it.

use std::collections::HashMap;

use taut_source::Diagnostic;

use super::Preprocessor;
use super::items::items;
use super::token::{Kind, Symbol, Token, sym};
use crate::{codes, runtime};

/// Attributes that change what a program does.
const REFUSED: &[(&str, &str)] = &[
    ("cleanup", "functions that are called at the end of a scope"),
    ("constructor", "functions that run before `main`"),
    ("destructor", "functions that run after `main`"),
    ("vector_size", "vectors"),
    ("ifunc", "functions that are chosen when the program is loaded"),
];

/// The tokens for the parser.
pub(super) fn clean(this: &mut Preprocessor<'_>, mut tokens: Vec<Token>) -> Vec<Token> {
    assume_instead_of_abort(this, &mut tokens);
    rename(this, &mut tokens);
    let mut out = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at];
        let next = tokens.get(at + 1);
        let opens = next.is_some_and(|next| next.is(sym::OPEN));
        match token.text {
            sym::EXTENSION => at += 1,
            // Alignment does not matter, and the parser does not know it in structures.
            sym::ALIGNAS if opens => at = group_end(&tokens, at + 1),
            sym::THREAD => {
                out.push(Token { text: sym::THREAD_LOCAL, ..token });
                at += 1;
            }
            sym::ATTRIBUTE | sym::ATTRIBUTE__ if opens => {
                let end = group_end(&tokens, at + 1);
                refuse_attributes(this, &tokens[at..end]);
                at = end;
            }
            // `[[nodiscard]]`: two brackets begin nothing else.
            sym::LEFT_BRACKET if next.is_some_and(|next| next.is(sym::LEFT_BRACKET)) => {
                at = group_end(&tokens, at);
            }
            // GNU's `a ?: b`: the name stands for the value of the condition.
            sym::QUESTION if next.is_some_and(|next| next.is(sym::COLON)) => {
                let same = Token { kind: Kind::Ident, text: sym::SAME, expanded: true, ..token };
                out.extend([token, same]);
                at += 1;
            }
            sym::CPROVER_FENCE if opens => {
                let end = group_end(&tokens, at + 1);
                out.extend(fence(this, token, &tokens[at + 1..end]));
                at = end;
            }
            // Labels of a block: names of labels are those of the function here.
            sym::LABEL => {
                let length = tokens[at..].iter().position(|token| token.is(sym::SEMICOLON));
                at += length.map_or(1, |length| length + 1);
            }
            sym::AUTO_TYPE => {
                let (made, end) = auto_type(&tokens, at);
                out.extend(made);
                at = end;
            }
            _ => {
                out.push(token);
                at += 1;
            }
        }
    }
    out
}

/// The place after the parenthesis or bracket that closes the one at a place.
fn group_end(tokens: &[Token], open: usize) -> usize {
    let (left, right) = match tokens[open].text {
        sym::LEFT_BRACKET => (sym::LEFT_BRACKET, sym::RIGHT_BRACKET),
        _ => (sym::OPEN, sym::CLOSE),
    };
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        if token.kind != Kind::Punct {
            continue;
        }
        depth += usize::from(token.is(left));
        if token.is(right) {
            depth -= 1;
            if depth == 0 {
                return index + 1;
            }
        }
    }
    tokens.len()
}

fn refuse_attributes(this: &mut Preprocessor<'_>, tokens: &[Token]) {
    for token in tokens {
        let word = this.text(token).trim_matches('_');
        let Some((name, what)) = REFUSED.iter().find(|(name, _)| *name == word) else { continue };
        let message = format!("the attribute `{name}` is not supported");
        let found = Diagnostic::error(codes::ATTRIBUTE, message, token.span);
        this.report(
            found
                .label(format!("{what} are not modelled"))
                .help("call the function where it is to run"),
        );
    }
}

/// `__CPROVER_fence("WWfence", …)` by the pairs of accesses that it orders: 0 a full fence, 1 one between stores,
/// 2 nothing that stores wait for.
fn fence(this: &mut Preprocessor<'_>, head: Token, arguments: &[Token]) -> [Token; 4] {
    let has = |word: &str| arguments.iter().any(|token| this.text(token).contains(word));
    let kind = match (has("WR"), has("WW")) {
        (true, _) => sym::ZERO,
        (_, true) => sym::ONE,
        _ => sym::TWO,
    };
    let word = |kind, text| Token { kind, text, expanded: true, ..head };
    [
        word(Kind::Ident, sym::TAUT_FENCE),
        word(Kind::Punct, sym::OPEN),
        word(Kind::Number, kind),
        word(Kind::Punct, sym::CLOSE),
    ]
}

/// `__auto_type x = e` as `__typeof__(e) x = e`, up to the end of the value.
fn auto_type(tokens: &[Token], at: usize) -> (Vec<Token>, usize) {
    let head = tokens[at];
    let is_value = tokens.get(at + 2).is_some_and(|token| token.is(sym::ASSIGN));
    if !is_value {
        return (vec![head], at + 1);
    }
    let value = at + 3;
    let mut end = value;
    while end < tokens.len() && !tokens[end].is(sym::SEMICOLON) && !tokens[end].is(sym::COMMA) {
        let groups = tokens[end].is(sym::OPEN) || tokens[end].is(sym::LEFT_BRACKET);
        end = if groups { group_end(tokens, end) } else { end + 1 };
    }
    let word = |kind, text| Token { kind, text, expanded: true, ..head };
    let mut made = vec![word(Kind::Ident, sym::TYPEOF), word(Kind::Punct, sym::OPEN)];
    made.extend_from_slice(&tokens[value..end]);
    made.push(word(Kind::Punct, sym::CLOSE));
    made.extend_from_slice(&tokens[at + 1..end]);
    (made, end)
}

/// `abort` becomes an assumption that is false in functions that are there to assume something.
fn assume_instead_of_abort(this: &mut Preprocessor<'_>, tokens: &mut Vec<Token>) {
    if !tokens.iter().any(|token| token.is(sym::ABORT)) {
        return;
    }
    let assumes = |name: Option<Symbol>| {
        name.is_some_and(|name| this.interner.text(name).starts_with("assume"))
    };
    let bodies: Vec<_> = items(tokens)
        .into_iter()
        .filter(|item| item.function && assumes(item.name))
        .map(|item| item.uses)
        .collect();
    for body in bodies.into_iter().rev() {
        for at in body.rev() {
            let is_call = tokens[at].is(sym::ABORT)
                && tokens.get(at + 1).is_some_and(|t| t.is(sym::OPEN))
                && tokens.get(at + 2).is_some_and(|t| t.is(sym::CLOSE));
            if is_call {
                tokens[at].text = sym::ASSUME;
                let zero = Token { kind: Kind::Number, text: sym::ZERO, ..tokens[at] };
                tokens.insert(at + 2, zero);
            }
        }
    }
}

/// Gives functions that are builtins under another name that name, and leaves out their declarations. Those that the program
/// defines itself stay.
fn rename(this: &mut Preprocessor<'_>, tokens: &mut Vec<Token>) {
    let names = runtime::RENAMED.iter().filter_map(|(old, _)| this.interner.find(old));
    let names: Vec<Symbol> = names.filter(|name| tokens.iter().any(|t| t.is(*name))).collect();
    if names.is_empty() {
        return;
    }
    let all = items(tokens);
    let defined = |name: &Symbol| all.iter().any(|item| item.function && item.name == Some(*name));
    let names: Vec<Symbol> = names.into_iter().filter(|name| !defined(name)).collect();
    let mut out = Vec::with_capacity(tokens.len());
    for item in &all {
        let declares = !item.function && item.called.is_some_and(|name| names.contains(&name));
        if !declares {
            out.extend_from_slice(&tokens[item.range.clone()]);
        }
    }
    let new: HashMap<Symbol, Symbol> = names
        .into_iter()
        .filter_map(|name| {
            let (_, new) =
                runtime::RENAMED.iter().find(|(old, _)| *old == this.interner.text(name))?;
            Some((name, this.interner.get(new)))
        })
        .collect();
    for token in &mut out {
        token.text = new.get(&token.text).copied().unwrap_or(token.text);
    }
    *tokens = out;
}
