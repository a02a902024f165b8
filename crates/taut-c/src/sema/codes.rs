//! The codes of all messages about names, types and what Taut does not support: `C011x` to `C014x` mistakes, `C015x` on
//! what is refused.

macro_rules! codes {
    ($($name:ident = $code:literal, $doc:literal;)*) => {
        $(#[doc = $doc] pub(crate) const $name: &str = $code;)*

        /// All codes with what each is about, for the book.
        pub const CODES: &[(&str, &str)] = &[$(($code, $doc)),*];
    };
}

codes! {
    UNKNOWN_NAME = "C0110", "a name that is not declared";
    UNKNOWN_MEMBER = "C0111", "a member that the structure does not have";
    DECLARED_TWICE = "C0112", "one name, two declarations that do not agree";
    INCOMPLETE = "C0113", "a type whose size is not known";
    NOT_A_FUNCTION = "C0114", "a call of something that is no function";
    ARGUMENTS = "C0115", "the wrong number of arguments";
    OPERANDS = "C0116", "an operator that does not apply to its operands";
    CONVERSION = "C0117", "a value of a type that does not fit";
    NOT_A_PLACE = "C0118", "something that cannot be assigned or have its address taken";
    NOT_CONSTANT = "C0119", "a constant is needed";
    LABEL = "C0120", "a label that is missing or stands twice";
    MISPLACED = "C0121", "a statement in a place where it cannot stand";
    STATIC_ASSERT = "C0122", "a static assertion that does not hold";
    INITIALISER = "C0123", "an initialiser that does not fit its object";
    SPECIFIERS = "C0124", "a declaration whose parts do not go together";
    TOO_DEEP = "C0125", "nested too deeply";
    TOO_LARGE = "C0126", "an object that is too large";
    BAD_LITERAL = "C0127", "a number, character or string that is malformed or too large";
    IMPLICIT = "C0128", "a function that is used without a declaration";
    UNMODELLED = "C0150", "a value of a type that is not supported";
    UNION = "C0151", "a union with more than one member in use";
    VARIABLE_ARRAY = "C0153", "an array of variable length";
    UNSUPPORTED = "C0155", "an operation that is not supported";
}
