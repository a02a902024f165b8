//! The macros that are there from the start: those of m4 that compute on text.

use super::Kind;
use super::arithmetic::evaluate;
use super::scan::{Meaning, Result, Scanner};

/// A macro that is there from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    Changecom,
    Decr,
    Define,
    Defn,
    Divert,
    Dnl,
    Eval,
    Ifdef,
    Ifelse,
    Incr,
    Index,
    Len,
    M4wrap,
    Popdef,
    Pushdef,
    Shift,
    Substr,
    Translit,
    Undefine,
}

/// All of them.
pub(super) const ALL: [Builtin; 19] = [
    Builtin::Changecom,
    Builtin::Decr,
    Builtin::Define,
    Builtin::Defn,
    Builtin::Divert,
    Builtin::Dnl,
    Builtin::Eval,
    Builtin::Ifdef,
    Builtin::Ifelse,
    Builtin::Incr,
    Builtin::Index,
    Builtin::Len,
    Builtin::M4wrap,
    Builtin::Popdef,
    Builtin::Pushdef,
    Builtin::Shift,
    Builtin::Substr,
    Builtin::Translit,
    Builtin::Undefine,
];

/// Macros of m4 that models do not have. A call of one is a mistake or an attack; either way a message helps more
/// than the text of the call in the middle of a model.
const WITHHELD: [&str; 23] = [
    "builtin",
    "changequote",
    "changeword",
    "debugfile",
    "debugmode",
    "divnum",
    "dumpdef",
    "errprint",
    "esyscmd",
    "format",
    "include",
    "indir",
    "m4exit",
    "maketemp",
    "mkstemp",
    "patsubst",
    "regexp",
    "sinclude",
    "syscmd",
    "sysval",
    "traceoff",
    "traceon",
    "undivert",
];

/// Whether a name is a macro of m4 that models do not have.
pub(super) fn is_withheld(name: &str) -> bool {
    WITHHELD.contains(&name)
}

impl Builtin {
    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Builtin::Changecom => "changecom",
            Builtin::Decr => "decr",
            Builtin::Define => "define",
            Builtin::Defn => "defn",
            Builtin::Divert => "divert",
            Builtin::Dnl => "dnl",
            Builtin::Eval => "eval",
            Builtin::Ifdef => "ifdef",
            Builtin::Ifelse => "ifelse",
            Builtin::Incr => "incr",
            Builtin::Index => "index",
            Builtin::Len => "len",
            Builtin::M4wrap => "m4wrap",
            Builtin::Popdef => "popdef",
            Builtin::Pushdef => "pushdef",
            Builtin::Shift => "shift",
            Builtin::Substr => "substr",
            Builtin::Translit => "translit",
            Builtin::Undefine => "undefine",
        }
    }

    /// Whether it is a macro only with arguments: `len` and `index` are names that models use.
    pub(super) fn needs_arguments(self) -> bool {
        !matches!(self, Builtin::Dnl | Builtin::Divert | Builtin::Changecom)
    }

    /// What a call expands to.
    pub(super) fn call(self, scanner: &mut Scanner, arguments: &[String]) -> Result<String> {
        taut_budget::tick();
        let argument = |index: usize| arguments.get(index).map_or("", String::as_str);
        Ok(match self {
            Builtin::Changecom => {
                scanner.comment = arguments.first().filter(|begin| !begin.is_empty()).cloned();
                String::new()
            }
            Builtin::Define => {
                scanner.define(argument(0), argument(1));
                String::new()
            }
            Builtin::Pushdef => {
                scanner.push_definition(argument(0), argument(1));
                String::new()
            }
            Builtin::Popdef => {
                arguments.iter().for_each(|name| scanner.pop_definition(name));
                String::new()
            }
            Builtin::Undefine => {
                arguments.iter().for_each(|name| scanner.undefine(name));
                String::new()
            }
            Builtin::Defn => {
                let all: Result<Vec<_>> =
                    arguments.iter().map(|name| definition(scanner, name)).collect();
                all?.concat()
            }
            Builtin::Ifdef => {
                let is_defined = scanner.meaning(argument(0)).is_some();
                argument(if is_defined { 1 } else { 2 }).into()
            }
            Builtin::Ifelse => ifelse(arguments).into(),
            Builtin::Shift => {
                let rest = arguments.iter().skip(1).map(|a| format!("`{a}'"));
                rest.collect::<Vec<_>>().join(",")
            }
            Builtin::Incr => number(self, scanner, argument(0))?.wrapping_add(1).to_string(),
            Builtin::Decr => number(self, scanner, argument(0))?.wrapping_sub(1).to_string(),
            Builtin::Eval => eval(scanner, arguments)?,
            Builtin::Len => argument(0).len().to_string(),
            Builtin::Index => {
                argument(0).find(argument(1)).map_or_else(|| "-1".into(), |at| at.to_string())
            }
            Builtin::Substr => substr(self, scanner, arguments)?,
            Builtin::Translit => translit(argument(0), argument(1), argument(2)),
            Builtin::M4wrap => {
                scanner.wrapped.push(argument(0).into());
                String::new()
            }
            // The scanner does these itself: they act on what is read and written.
            Builtin::Dnl | Builtin::Divert => String::new(),
        })
    }
}

/// The text of a definition, in quotes so that it is not expanded when it is read again.
fn definition(scanner: &Scanner, name: &str) -> Result<String> {
    match scanner.meaning(name) {
        None => Ok(String::new()),
        Some(Meaning::Text(text)) => Ok(format!("`{text}'")),
        Some(Meaning::Builtin(_)) => {
            let why = "a macro that is there from the start has no text to copy";
            Err(scanner.error(Kind::BadCall("defn", why)))
        }
    }
}

/// `ifelse(a, b, then, …, else)`: the first `then` whose `a` and `b` are the same text.
fn ifelse(arguments: &[String]) -> &str {
    let mut rest = arguments;
    loop {
        taut_budget::tick();
        match rest {
            [a, b, then, ..] if a == b => return then,
            [_, _, _] => return "",
            [_, _, _, otherwise] | [_, _, _, otherwise, _] => return otherwise,
            [_, _, _, more @ ..] if !more.is_empty() => rest = more,
            _ => return "",
        }
    }
}

/// A whole number.
fn number(builtin: Builtin, scanner: &Scanner, text: &str) -> Result<i64> {
    let bad = |_| Kind::BadNumber(builtin.name(), text.into(), "is no number");
    text.trim().parse().map_err(|error| scanner.error(bad(error)))
}

fn eval(scanner: &Scanner, arguments: &[String]) -> Result<String> {
    let [text] = arguments else {
        let why = "expected one expression; other bases and widths are not known";
        return Err(scanner.error(Kind::BadCall("eval", why)));
    };
    let value = evaluate(text);
    value
        .map(|value| value.to_string())
        .map_err(|why| scanner.error(Kind::BadNumber("eval", text.clone(), why)))
}

/// `substr(text, from, length)`: a part of a text; as m4, nothing where it begins outside.
fn substr(builtin: Builtin, scanner: &Scanner, arguments: &[String]) -> Result<String> {
    let argument = |index: usize| arguments.get(index).map_or("", String::as_str);
    let characters: Vec<char> = argument(0).chars().collect();
    let from = number(builtin, scanner, argument(1))?;
    let length = match arguments.get(2) {
        Some(length) => number(builtin, scanner, length)?,
        None => i64::MAX,
    };
    let Ok(from) = usize::try_from(from) else { return Ok(String::new()) };
    let length = usize::try_from(length).unwrap_or(0);
    Ok(characters.into_iter().skip(from).take(length).collect())
}

/// `translit(text, from, to)`: each character of `from` becomes the one at its place in `to`, or vanishes.
fn translit(text: &str, from: &str, to: &str) -> String {
    let (from, to) = (characters(from), characters(to));
    let translated = text.chars().filter_map(|c| match from.iter().position(|&f| f == c) {
        Some(at) => to.get(at).copied(),
        None => Some(c),
    });
    translated.collect()
}

/// The characters of a set, with ranges such as `a-z` written out.
fn characters(set: &str) -> Vec<char> {
    let all: Vec<char> = set.chars().collect();
    let (mut result, mut at) = (Vec::new(), 0);
    while at < all.len() {
        taut_budget::tick();
        match all[at..] {
            [from, '-', to, ..] if from <= to => {
                result.extend(from..=to);
                at += 3;
            }
            [from, '-', to, ..] => {
                result.extend((to..=from).rev());
                at += 3;
            }
            _ => {
                result.push(all[at]);
                at += 1;
            }
        }
    }
    result
}
