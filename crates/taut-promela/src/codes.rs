//! The codes of all messages of this front end, by which the book and the tests refer to them.
//!
//! `P000x` characters, `P001x` grammar, `P003x` the preprocessor, `P01xx` names, `P02xx` types and values,
//! `P03xx` control and processes.

macro_rules! codes {
    ($($name:ident = $code:literal, $doc:literal;)*) => {
        $(#[doc = $doc] pub(crate) const $name: &str = $code;)*

        /// All codes with what each is about, for the book.
        pub const CODES: &[(&str, &str)] = &[$(($code, $doc)),*];
    };
}

codes! {
    STRANGE_CHARACTER = "P0001", "a character that begins no word of the language";
    OPEN_COMMENT = "P0002", "a comment without an end";
    OPEN_QUOTE = "P0003", "a text or character without its closing quote";
    BAD_NUMBER = "P0004", "a number that is malformed or too large";
    EXPECTED = "P0010", "something else was expected here";
    KEYWORD_AS_NAME = "P0011", "a reserved word is used as a name";
    MISSING_CLOSER = "P0012", "the end of a block is missing";
    TOO_DEEP = "P0013", "nested too deeply, or an expression that is too long";
    EMPTY_SEQUENCE = "P0014", "a block without a statement";
    EMBEDDED_C = "P0015", "embedded C code";
    TRACE = "P0016", "something that cannot stand in a trace or notrace assertion";
    TOO_LARGE = "P0017", "a program that is too large";
    TEMPORAL = "P0018", "a temporal operator where none can stand";
    PROBE = "P0019", "full, empty, nfull or nempty inside of a larger expression";
    BAD_DIRECTIVE = "P0030", "a preprocessor line that is not understood";
    NO_INCLUDE = "P0031", "an included file that cannot be read";
    INCLUDE_CYCLE = "P0032", "files that include each other, or too many of them";
    UNBALANCED_IF = "P0033", "#if and #endif that do not pair";
    BAD_CONDITION = "P0034", "an #if condition that cannot be computed";
    MACRO_REDEFINED = "P0035", "a macro defined twice with different meanings";
    MACRO_ARGUMENTS = "P0036", "a macro call with the wrong number of arguments or without its end";
    MACRO_LIMIT = "P0037", "macros that expand to too much";
    ERROR_DIRECTIVE = "P0038", "an #error line";
    GLUED_RANGE = "P0039", "a macro name glued to a number";
    DECLARED_TWICE = "P0100", "one name, two declarations";
    UNKNOWN_NAME = "P0101", "an unknown variable";
    UNKNOWN_PROCTYPE = "P0102", "an unknown proctype";
    UNKNOWN_INLINE = "P0103", "a call of something that is no inline";
    UNKNOWN_LABEL = "P0104", "an unknown label";
    UNKNOWN_FIELD = "P0105", "an unknown field of a structure";
    LABEL_TWICE = "P0106", "one label, two places";
    LABEL_NAME = "P0107", "a label that has the name of a variable";
    LABEL_PLACE = "P0108", "a label in a place where it cannot stand";
    NEEDS_INDEX = "P0200", "an array without an index";
    NOT_AN_ARRAY = "P0201", "an index on something that is no array";
    INDEX_RANGE = "P0202", "a constant index outside of its array";
    NOT_CONSTANT = "P0203", "a constant is needed";
    BAD_SIZE = "P0204", "an array, channel or process count that is not allowed";
    NEEDS_CHANNEL = "P0205", "a channel is needed";
    CHANNEL_VALUE = "P0206", "a channel used as a number";
    MESSAGE_FIELDS = "P0207", "a message with the wrong number of fields";
    ARGUMENTS = "P0208", "the wrong number of arguments";
    INITIALISER = "P0209", "an initial value that does not fit its variable";
    MTYPE = "P0210", "symbolic names of different mtypes";
    STRUCTURE_VALUE = "P0211", "a whole structure used as a value";
    WIDTH = "P0212", "a wrong or missing width of an unsigned variable";
    NOT_ASSIGNABLE = "P0213", "something that cannot be assigned";
    RUN_PLACE = "P0214", "run in a place where it cannot stand";
    HIDDEN_BIT = "P0215", "something that cannot be hidden";
    MEMORY_CALL = "P0216", "a memory operation that cannot stand here";
    RECEIVED_TWICE = "P0217", "one variable in two fields of a receive";
    WRITE_ONLY = "P0218", "a value read from `_`";
    SELF_INDEX = "P0219", "an array that is indexed with itself where it is assigned";
    LOOP_VARIABLE = "P0220", "a variable of `for` or `select` that does not fit";
    EMPTY_RANGE = "P0221", "a range of constants without a value";
    PRIORITY_RANGE = "P0222", "a priority outside of 1 to 255";
    PRINTM = "P0223", "a `printm` of something that is no name";
    OUTSIDE_LOOP = "P0300", "break outside of a loop";
    ELSE_TWICE = "P0301", "a second else in one choice";
    ELSE_PLACE = "P0302", "else that does not begin an option";
    RETURN_PLACE = "P0303", "return outside of an inline that has a result";
    INLINE_RECURSION = "P0304", "inlines that call each other in a circle, or too deeply";
    SECOND_ONE = "P0305", "a second init or a second claim of the same name";
    NO_PROCESS = "P0306", "a model in which nothing runs";
    STEP_JUMP = "P0307", "a jump into or out of a d_step";
    JUMP_CIRCLE = "P0308", "jumps that lead to each other and nowhere else";
    STEP_PLACE = "P0309", "something that cannot stand in a d_step";
    DUBIOUS_ELSE = "P0310", "else beside a send or a receive";
    EXCLUSIVE_TWICE = "P0311", "two proctypes that claim a channel for themselves";
    CHANNEL_PLACE = "P0312", "a channel that is not made at the start of its proctype";
    PROVIDED = "P0313", "a provided clause that looks into another process";
    UNSUPPORTED = "P0400", "something that Taut does not do";
    ATOMIC_UPDATE = "P0401", "an atomic block that reads and then writes a shared variable";
    MMLIB = "P0402", "a model of mmlib that contradicts its own sizes";
    UNKNOWN_GHOST = "P0403", "a --ghost that is no global variable";
    PRIORITY = "P0404", "priorities together with a rendezvous channel";
    CLAIM_EFFECT = "P0405", "a claim that does something";
    CLAIM_ATOMS = "P0406", "a claim with too many conditions, or an automaton that lacks some";
}

#[cfg(test)]
mod tests {
    #[test]
    fn codes_are_unique_and_in_order() {
        assert!(super::CODES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
