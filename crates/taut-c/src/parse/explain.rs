//! The likely cause of a syntax error.
//!
//! The parser tells the furthest place that it came to and what it could have read there. People want to know what is
//! missing: a semicolon, the declaration of a type, a C compiler instead of a C++ one.

use std::ops::Range;

use lang_c::driver::SyntaxError;
use taut_source::Diagnostic;

use crate::preprocess::Preprocessed;
use crate::{codes, headers};

/// Words that a C program has no use for where C++ has.
const CPLUSPLUS: &[&str] = &[
    "::",
    "class",
    "namespace",
    "template",
    "typename",
    "using",
    "public",
    "private",
    "protected",
    "virtual",
    "constexpr",
    "nullptr",
    "new",
    "delete",
    "operator",
    "std",
    "try",
    "catch",
    "throw",
    "noexcept",
];

/// Words that cannot be the name of a type.
const KEYWORDS: &[&str] = &[
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "_Bool",
    "_Atomic",
    "_Thread_local",
    "_Noreturn",
    "_Alignas",
    "_Static_assert",
    "_Generic",
    "_Complex",
];

/// The message about a text that is not C.
pub(super) fn explain(program: &Preprocessed, error: &SyntaxError) -> Diagnostic {
    let here = Here::at(program, error.offset);
    if here.is_cplusplus() {
        return here.cplusplus();
    }
    if let Some(at) = here.type_name() {
        return here.unknown_type(at);
    }
    if error.expected.contains(";") && (here.begins_line() || here.begins_statement()) {
        return here.missing_semicolon();
    }
    here.unexpected(error)
}

/// The place of an error with the words around it.
struct Here<'p> {
    program: &'p Preprocessed,
    /// The words of the text.
    words: Vec<&'p str>,
    /// The word at which the parser stopped.
    at: usize,
}

impl<'p> Here<'p> {
    fn at(program: &'p Preprocessed, offset: usize) -> Here<'p> {
        let words: Vec<&str> = program.places.words(&program.text).collect();
        let at = program.places.index(offset).min(words.len().saturating_sub(1));
        Here { program, words, at }
    }

    fn word(&self, at: usize) -> &'p str {
        self.words.get(at).copied().unwrap_or("")
    }

    fn before(&self) -> &'p str {
        self.at.checked_sub(1).map_or("", |at| self.word(at))
    }

    fn error(&self, code: &'static str, message: String, at: usize) -> Diagnostic {
        Diagnostic::error(code, message, self.program.places.token(at))
    }

    fn is_cplusplus(&self) -> bool {
        let around = self.at.saturating_sub(1)..(self.at + 2).min(self.words.len());
        self.words[around].iter().any(|word| CPLUSPLUS.contains(word))
    }

    fn cplusplus(&self) -> Diagnostic {
        let message = "this looks like C++".to_owned();
        self.error(codes::CPLUSPLUS, message, self.at)
            .label("no C up to here")
            .help("Taut reads C; write the part to be checked in C")
    }

    /// The name that would have to be a type: one at which a declaration begins, or one before another name.
    fn type_name(&self) -> Option<usize> {
        let next = self.word(self.at + 1);
        let begins = ["", ";", "}", "{", "(", ","].contains(&self.before());
        if is_name(self.word(self.at)) && (is_name(next) || next == "*") && begins {
            return Some(self.at);
        }
        let last = self.at.checked_sub(1)?;
        let apart = is_name(self.word(self.at)) || (self.word(self.at) == "*" && is_name(next));
        (apart && is_name(self.before())).then_some(last)
    }

    fn unknown_type(&self, at: usize) -> Diagnostic {
        let name = self.word(at);
        let found = self
            .error(codes::UNKNOWN_TYPE, format!("`{name}` is not declared as a type"), at)
            .label("unknown type");
        found.help(match header_of(name) {
            Some(header) => format!("add `#include <{header}>`"),
            None => "declare it with `typedef`, or include the header that does".into(),
        })
    }

    /// Whether the word at which the parser stopped is the first one of its line.
    fn begins_line(&self) -> bool {
        let Range { start, .. } = self.program.places.range(self.at);
        self.program.text[..start].ends_with('\n')
    }

    /// Whether the word at which the parser stopped can only begin a statement, or end a block.
    fn begins_statement(&self) -> bool {
        const BEGINS: &[&str] = &[
            "return", "if", "while", "for", "do", "switch", "break", "continue", "goto", "case",
            "default", "else", "}",
        ];
        BEGINS.contains(&self.word(self.at))
    }

    fn missing_semicolon(&self) -> Diagnostic {
        let last = self.at.saturating_sub(1);
        let message = format!("`;` expected before `{}`", self.word(self.at));
        let place = self.program.places.token(last).after();
        Diagnostic::error(codes::SYNTAX, message, place).label("expected `;`").help("add `;`")
    }

    fn unexpected(&self, error: &SyntaxError) -> Diagnostic {
        let mut expected: Vec<&str> =
            error.expected.iter().copied().filter(|e| !e.starts_with('[')).collect();
        expected.sort_unstable();
        let wanted: Vec<String> = expected.iter().map(|e| format!("`{e}`")).collect();
        let found = self.error(
            codes::SYNTAX,
            format!("`{}` cannot stand here", self.word(self.at)),
            self.at,
        );
        match wanted.len() {
            0 => found.label("not expected").help("is something missing before it?"),
            1..=4 => found
                .label(format!("expected {}", wanted.join(" or ")))
                .help("is something missing before it?"),
            _ => found
                .label("not expected")
                .help("is a `;`, a bracket or an operator missing before it?"),
        }
    }
}

/// Whether a word is a name and no keyword.
fn is_name(word: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    word.starts_with(letter) && !KEYWORDS.contains(&word)
}

/// The header that declares a type.
fn header_of(name: &str) -> Option<&'static str> {
    let declares = |line: &str| {
        let mut words = line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let declaration = line.starts_with("typedef") || line.starts_with("#define");
        declaration && words.any(|word| word == name)
    };
    headers::names()
        .find(|header| headers::shipped(header).is_some_and(|text| text.lines().any(declares)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_found_in_their_headers() {
        assert_eq!(header_of("atomic_int"), Some("stdatomic.h"));
        assert_eq!(header_of("pthread_t"), Some("pthread.h"));
        assert_eq!(header_of("uint32_t"), Some("stdint.h"));
        assert_eq!(header_of("bool"), Some("stdbool.h"));
        assert_eq!(header_of("sem_t"), Some("semaphore.h"));
        assert_eq!(header_of("no_such_type"), None);
    }
}
