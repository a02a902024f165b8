//! The codes of all messages of this front end, by which the book and the tests refer to them.
//!
//! `T00xx` words and grammar, `T01xx` names, `T02xx` types and values, `T03xx` control and processes,
//! `T04xx` the graph form and limits, `T05xx` properties from outside of the program.

macro_rules! codes {
    ($($name:ident = $code:literal, $doc:literal;)*) => {
        $(#[doc = $doc] pub(crate) const $name: &str = $code;)*

        /// All codes with what each is about, for the book.
        pub const CODES: &[(&str, &str)] = &[$(($code, $doc)),*];
    };
}

codes! {
    STRANGE_CHARACTER = "T0001", "a character that begins no word of the language";
    OPEN_COMMENT = "T0002", "a comment without an end";
    OPEN_QUOTE = "T0003", "a quoted name without an end, or with an unknown escape";
    BAD_NUMBER = "T0004", "a number that is malformed or too large";
    EXPECTED = "T0010", "something else was expected here";
    KEYWORD_AS_NAME = "T0011", "a reserved word is used as a name";
    MISSING_CLOSER = "T0012", "the end of a block is missing";
    TOO_DEEP = "T0013", "nested too deeply, or an expression that is too long";
    STRAY_CLOSER = "T0014", "the end of a block that was never begun";
    UNCLEAR_NOT = "T0015", "`not` before a comparison needs parentheses";
    STEP_IN_EXPRESSION = "T0016", "`++` or `--` inside an expression";
    TEMPORAL = "T0017", "a temporal operator where a plain expression is needed";
    NO_WORD = "T0018", "a variable of the whole program without `shared`, `ghost` or `local`";
    ACTS = "T0019", "a read-modify-write or a call where nothing can happen";
    OTHER_LANGUAGE = "T0020", "a word or a form of another language";
    INCLUDE = "T0021", "a file that cannot be included";
    DECLARED_TWICE = "T0100", "one name, two declarations";
    UNKNOWN_NAME = "T0101", "an unknown variable or constant";
    UNKNOWN_PROCESS = "T0102", "an unknown process";
    UNKNOWN_PROCEDURE = "T0103", "an unknown procedure";
    UNKNOWN_LABEL = "T0104", "an unknown label";
    HIDES = "T0105", "a local name hides a name of the whole program";
    WHOSE_LOCAL = "T0106", "a property names a local without its process";
    NOT_ASSIGNABLE = "T0107", "something that cannot be assigned";
    UNKNOWN_TYPE = "T0108", "an unknown type";
    UNKNOWN_FIELD = "T0109", "an unknown field, or a field of something that is no record";
    WHOLE_RECORD = "T0110", "a record where one value is needed";
    NEEDS_INDEX = "T0200", "an array without an index";
    NOT_AN_ARRAY = "T0201", "an index on something that is no array";
    INDEX_RANGE = "T0202", "a constant index outside of its array";
    NOT_CONSTANT = "T0203", "a constant is needed";
    EMPTY_RANGE = "T0204", "a range without values";
    OUTSIDE_TYPE = "T0205", "a value outside of its type";
    INITIAL_VALUES = "T0206", "the wrong number of initial values";
    ARRAY_LENGTH = "T0207", "an array length that is not allowed";
    INSTANCE_COUNT = "T0208", "a number of instances that is not allowed";
    CONSTANT_FAULT = "T0209", "a constant that cannot be computed";
    ARGUMENTS = "T0210", "the wrong number of arguments";
    UNEVEN = "T0211", "a parallel assignment with uneven sides";
    ASSIGNED_TWICE = "T0212", "one variable assigned twice at the same time";
    TOO_MANY_CHOICES = "T0213", "a choice between too many values";
    ATOMIC_LOCAL = "T0214", "an atomic write to a thread's own variable";
    NO_VALUE = "T0215", "a procedure without the value that is needed, or with one that is not";
    UNKNOWN_POOL = "T0216", "a reference to records that no pool has";
    POOL_TYPE = "T0217", "a pool of something that is no simple record";
    UNREACHABLE = "T0300", "a statement that can never run";
    UNBALANCED_ATOMIC = "T0301", "`atomic_begin` and `atomic_end` that do not pair up";
    NOT_STRAIGHT = "T0302", "a statement that cannot stand in a locked block";
    INTO_ATOMIC = "T0303", "a jump into an atomic section";
    OUTSIDE_LOOP = "T0304", "`break` or `continue` outside of a loop";
    CANNOT_START = "T0305", "a process that cannot start by itself";
    TWO_MAINS = "T0306", "a second `main`";
    NO_PROCESS = "T0307", "a program in which nothing runs";
    PROPERTY_ONLY = "T0308", "something that only properties may ask";
    SPAWNED_MAIN = "T0309", "`main` cannot be spawned";
    SYNC_IN_ATOMIC = "T0310", "`sync` inside an atomic section";
    TEMPORAL_ONLY = "T0311", "something that only temporal properties may ask";
    BAD_POINT = "T0400", "a program point, register or definition number that does not exist";
    TOO_LARGE = "T0401", "a program that is too large";
    TOO_MANY_ATOMS = "T0402", "a formula with too many different conditions";
    NOT_WELL_FORMED = "T0499", "a program that the model refuses";
    BAD_CLAIM = "T0500", "a line of a file of formulas that is neither a formula nor a macro";
    BAD_MACRO = "T0501", "a macro that is not known here, or that never ends";
    BAD_AUTOMATON = "T0502", "an automaton whose propositions do not fit it";
}

#[cfg(test)]
mod tests {
    #[test]
    fn codes_are_unique_and_in_order() {
        assert!(super::CODES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
