//! The declarations and definitions of a text, without parsing it: enough to know which functions it defines and uses.

use std::ops::Range;

use super::token::{Kind, Symbol, Token, sym};

/// A declaration or definition at the top of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// Its tokens.
    pub range: Range<usize>,
    /// The name of a function that is defined, or of a variable.
    pub name: Option<Symbol>,
    /// The first name before a parenthesis: that of a function that is declared or defined.
    pub called: Option<Symbol>,
    /// The part in which names are used: a function's body with its braces, or an initial value.
    pub uses: Range<usize>,
    /// It is the definition of a function.
    pub function: bool,
}

/// All declarations and definitions.
pub(super) fn items(tokens: &[Token]) -> Vec<Item> {
    let (mut all, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let item = item(tokens, at);
        debug_assert!(item.range.end > at, "an item without a token");
        at = item.range.end;
        all.push(item);
    }
    all
}

/// The declaration or definition that begins at a place.
fn item(tokens: &[Token], start: usize) -> Item {
    let (mut called, mut named, mut value) = (None, None, None);
    let mut round = 0_usize;
    let mut at = start;
    while at < tokens.len() {
        let (token, next) = (&tokens[at], tokens.get(at + 1));
        match token.text {
            _ if token.kind == Kind::Ident => {
                let opens = next.is_some_and(|next| next.is(sym::OPEN));
                let ends = [sym::SEMICOLON, sym::LEFT_BRACKET, sym::ASSIGN, sym::COMMA];
                if opens && called.is_none() && !is_operator(token.text) {
                    called = Some(token.text);
                } else if round == 0
                    && value.is_none()
                    && next.is_some_and(|n| ends.contains(&n.text))
                {
                    named = Some(token.text);
                }
            }
            _ if token.kind != Kind::Punct => {}
            sym::OPEN => round += 1,
            sym::CLOSE => round = round.saturating_sub(1),
            sym::ASSIGN if round == 0 => value = value.or(Some(at)),
            sym::SEMICOLON if round == 0 => {
                let uses = value.unwrap_or(at)..at;
                return Item { range: start..at + 1, name: named, called, uses, function: false };
            }
            sym::LEFT_BRACE if round == 0 => {
                let end = closing(tokens, at);
                let after_parameters = at > start && tokens[at - 1].is(sym::CLOSE);
                if after_parameters && called.is_some() && value.is_none() {
                    return Item {
                        range: start..end,
                        name: called,
                        called,
                        uses: at..end,
                        function: true,
                    };
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    Item {
        range: start..tokens.len(),
        name: named,
        called,
        uses: tokens.len()..tokens.len(),
        function: false,
    }
}

/// Whether a name before a parenthesis is an operator of C and no function.
fn is_operator(name: Symbol) -> bool {
    [sym::ATTRIBUTE, sym::ATTRIBUTE__, sym::TYPEOF, sym::ALIGNAS, sym::STATIC_ASSERT, sym::ATOMIC]
        .contains(&name)
}

/// The place after the brace that closes the one at a place.
fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        if token.kind == Kind::Punct && token.is(sym::LEFT_BRACE) {
            depth += 1;
        } else if token.kind == Kind::Punct && token.is(sym::RIGHT_BRACE) {
            depth -= 1;
            if depth == 0 {
                return index + 1;
            }
        }
    }
    tokens.len()
}
