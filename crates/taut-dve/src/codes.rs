//! The codes of all messages of this front end, by which the book and the tests refer to them.
//!
//! `D00xx` words and grammar, `D01xx` names, `D02xx` types and values, `D03xx` processes and the system,
//! `D04xx` limits and lowering, `D05xx` properties and files from outside of the model, `D06xx` export with
//! buffers.

macro_rules! codes {
    ($($name:ident = $code:literal, $doc:literal;)*) => {
        $(#[doc = $doc] pub(crate) const $name: &str = $code;)*

        /// All codes with what each is about, for the book.
        pub const CODES: &[(&str, &str)] = &[$(($code, $doc)),*];
    };
}

codes! {
    STRANGE_CHARACTER = "D0001", "a character that begins no word of the language";
    OPEN_COMMENT = "D0002", "a comment without an end";
    OPEN_QUOTE = "D0003", "a quoted formula without an end";
    BAD_NUMBER = "D0004", "a number that is malformed or too large";
    EXPECTED = "D0010", "something else was expected here";
    KEYWORD_AS_NAME = "D0011", "a reserved word is used as a name";
    TOO_DEEP = "D0012", "nested too deeply, or an expression that is too long";
    PART_ORDER = "D0013", "the parts of a transition in the wrong order, or one of them twice";
    UNCLEAR_OPERATORS = "D0014", "operators that DiVinE 2 groups otherwise (a warning)";
    DECLARED_TWICE = "D0100", "one name, two declarations";
    UNKNOWN_VARIABLE = "D0101", "an unknown variable or constant";
    UNKNOWN_PROCESS = "D0102", "an unknown process";
    UNKNOWN_LOCATION = "D0103", "an unknown location of a process";
    UNKNOWN_CHANNEL = "D0104", "an unknown channel";
    UNKNOWN_TEMPLATE = "D0105", "an unknown template of processes or expressions";
    HIDES = "D0106", "a name of a process hides a name of the whole model (a warning)";
    NOT_ASSIGNABLE = "D0107", "something that cannot be assigned";
    NEEDS_INDEX = "D0200", "an array without an index, which means its first element (a warning)";
    NOT_AN_ARRAY = "D0201", "an index on something that is no array";
    NOT_CONSTANT = "D0202", "a constant is needed";
    CONSTANT_FAULT = "D0203", "a constant that cannot be computed";
    OUTSIDE_TYPE = "D0204", "an initial value outside of its type";
    SURPLUS = "D0205", "more initial values than elements (a warning)";
    ARRAY_LENGTH = "D0206", "an array length or channel capacity that is not allowed";
    CHANNEL_ARITY = "D0207", "messages of one channel with different numbers of values";
    ARGUMENTS = "D0208", "the wrong number of arguments";
    EMPTY_RANGE = "D0209", "a `for` whose range has no values";
    NO_VALUE = "D0210", "an input or constant without a value";
    NO_PROCESS = "D0300", "a model without processes";
    NO_LOCATIONS = "D0301", "a process without locations, or without an initial one";
    TWO_INITS = "D0302", "a process with two initial locations";
    SYNCHRONOUS = "D0303", "a synchronous system";
    ACCEPTANCE = "D0304", "accepting locations other than those of a Büchi automaton";
    PROBABILISTIC = "D0305", "a probabilistic transition";
    TWO_PROPERTIES = "D0306", "more than one property process";
    TOO_LARGE = "D0400", "a model that is too large";
    WATCHER_ACTS = "D0401", "a property process does something, where it may only watch";
    TOO_MANY_CONDITIONS = "D0402", "a property process has more conditions than an automaton can have";
    ASKS_THE_WATCHER = "D0403", "something of the property process is asked for, which is no part of the system";
    FAR_INDEX = "D0404", "a computed index into a very long array of another process";
    BROKEN_TREE = "D0405", "a tree that breaks the rules of the tree";
    IGNORED = "D0406", "an assertion or a committed location of a property process (a warning)";
    MANY_COMMITTED = "D0407", "too many processes with committed locations";
    BAD_CLAIM = "D0501", "a property without a text, or a line that is nearly a property";
    BAD_FORMULA = "D0502", "a formula that is malformed";
    UNKNOWN_PROPOSITION = "D0503", "a proposition that is not defined";
    DEFINED_TWICE = "D0504", "two propositions or two properties of one name";
    BAD_DEFINITION = "D0505", "a definition without a name or a condition, or one that becomes too long";
    UNCLEAR_NOT = "D0506", "a negation before a comparison, where DVE and formulas read differently";
    UNCLEAR_ORDER = "D0507", "operators without parentheses that DiVinE groups from left to right";
    FORMULA_TOO_LARGE = "D0508", "a formula with too many different conditions, or too many operators deep";
    BAD_AUTOMATON = "D0509", "an automaton with more or fewer texts than propositions";
    ENTRY = "D0550", "a line that is no entry";
    NO_SUCH_PROCESS = "D0551", "there is no such process";
    NO_TRANSITION = "D0552", "the process has no such transition";
    OTHER_ROUTE = "D0553", "the transition goes elsewhere";
    NO_VARIABLE = "D0554", "there is no such variable";
    NOT_WRITTEN = "D0555", "the transition does not write the variable";
    BUFFERS_TOO_LARGE = "D0601", "a model that becomes too large with buffers";
}

#[cfg(test)]
mod tests {
    #[test]
    fn codes_are_unique_and_in_order() {
        assert!(super::CODES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
