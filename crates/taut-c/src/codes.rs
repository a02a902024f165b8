//! Codes of the messages about preprocessing and parsing, by which the book and the tests refer to them.

macro_rules! codes {
    ($($name:ident = $code:literal, $doc:literal;)*) => {
        $(#[doc = $doc] pub(crate) const $name: &str = $code;)*

        /// The codes of the messages about preprocessing and parsing, with what each is about.
        pub const CODES: &[(&str, &str)] = &[$(($code, $doc)),*];
    };
}

codes! {
    OPEN_COMMENT = "C0001", "a comment without an end";
    OPEN_QUOTE = "C0002", "a string or character without its closing quote";
    STRANGE_CHARACTER = "C0003", "a character that begins no word of C";
    TOO_LARGE = "C0004", "a program that is too large";
    BAD_DIRECTIVE = "C0010", "a preprocessor line that is not understood";
    NO_INCLUDE = "C0011", "an included file that cannot be read";
    INCLUDE_DEPTH = "C0012", "files that include each other, or too many of them";
    UNBALANCED_IF = "C0013", "#if and #endif that do not pair";
    BAD_CONDITION = "C0014", "an #if condition that cannot be computed";
    MACRO_REDEFINED = "C0015", "a macro defined twice with different meanings";
    MACRO_ARGUMENTS = "C0016", "a macro call with the wrong number of arguments or without its end";
    MACRO_LIMIT = "C0017", "macros that expand to too much";
    ERROR_DIRECTIVE = "C0018", "an #error line";
    WARNING_DIRECTIVE = "C0019", "a #warning line";
    BAD_PASTE = "C0020", "## makes no token of its operands";
    ATTRIBUTE = "C0021", "an attribute that changes what a program does";
    SYNTAX = "C0030", "the text is not C";
    TOO_DEEP = "C0031", "nested too deeply, or an expression that is too long";
    UNKNOWN_TYPE = "C0032", "a type name that is not declared";
    CPLUSPLUS = "C0033", "C++ code";
    UNPAIRED = "C0034", "brackets that do not pair";
}
