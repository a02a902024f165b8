//! The codes of all messages of this front end, by which the book and the tests refer to them.
//!
//! `R00xx` words, macros and grammar, `R01xx` names, `R02xx` values, `R03xx` processes and the property, `R04xx` limits.

macro_rules! codes {
    ($($name:ident = $code:literal, $doc:literal;)*) => {
        $(#[doc = $doc] pub(crate) const $name: &str = $code;)*

        /// All codes with what each is about, for the book.
        pub const CODES: &[(&str, &str)] = &[$(($code, $doc)),*];
    };
}

codes! {
    STRANGE_CHARACTER = "R0001", "a character that begins no word of the language";
    OPEN_COMMENT = "R0002", "a comment without an end";
    OPEN_QUOTE = "R0003", "a quotation, which the language does not have";
    BAD_NUMBER = "R0004", "a number that is malformed or too large";
    LINE_COMMENT = "R0005", "a comment with `//`, which the language does not have";
    EXPECTED = "R0010", "something else was expected here";
    KEYWORD_AS_NAME = "R0011", "a reserved word is used as a name";
    TOO_DEEP = "R0012", "nested too deeply, or an expression that is too long";
    LAST_SEMICOLON = "R0013", "a `;` after the last statement of a list";
    BAD_MACRO = "R0014", "a macro that is malformed, defined twice, or without its end";
    MACRO_ARGUMENTS = "R0015", "a macro with another number of arguments";
    MACRO_CYCLE = "R0016", "a macro that uses itself";
    DECLARED_TWICE = "R0100", "one name, two declarations";
    UNKNOWN_VARIABLE = "R0101", "an unknown variable";
    UNKNOWN_REGISTER = "R0102", "an unknown register";
    UNKNOWN_LABEL = "R0103", "an unknown label";
    OWN_OR_GLOBAL = "R0104", "`x` where there is only `x[my]`, or the other way round";
    NO_SUCH_PROCESS = "R0105", "`x[k]` of a process that is not there";
    NO_TARGET = "R0106", "a pointer that can point to no variable";
    NO_BOUNDS = "R0200", "a domain without bounds";
    EMPTY_DOMAIN = "R0201", "a domain without values";
    OUTSIDE_DOMAIN = "R0202", "an initial value outside of its domain";
    NEVER_FITS = "R0203", "a value that never is in the domain, so that the statement blocks for ever (a warning)";
    BAD_BOUNDS = "R0204", "`--integers` with something that is no range";
    FORBIDDEN_LENGTH = "R0300", "a combination with more or fewer entries than processes";
    NO_PROCESS = "R0301", "`process(0)`";
    IN_LOCKED = "R0302", "a loop, a jump or a label in a `locked` block";
    TOO_LARGE = "R0400", "a program that is too large";
    MANY_VALUES = "R0401", "`*` with too many values to begin with";
    MANY_PATHS = "R0402", "a `locked` block with too many ways through it";
}

#[cfg(test)]
mod tests {
    #[test]
    fn codes_are_unique_and_in_order() {
        assert!(super::CODES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
