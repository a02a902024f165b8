//! The Taut language: the program language of the TSO-to-SC paper made comfortable, and the textual form
//! of the program model.
//!
//! [`parse`] reads a program, [`format()`] lays a file out afresh and keeps its comments, [`print()`] writes
//! a program of the model, whatever language it came from, so that [`parse`] reads it back as the same one.
//!
//! *The paper* is Atig, Bouajjani and Parlato, "Getting Rid of Store-Buffers in TSO Analysis" (CAV 2011).
//! Its grammar (Fig. 1) is accepted as it stands; everything else here is sugar that means something in it,
//! or the graph form below. Departures from the paper carry the mark `DIVERGENCE`.
//!
//! # By example
//!
//! ```
//! let text = "
//!     shared bool flag[2];            // stores to these wait in buffers
//!     shared 0..1 turn;               // leaving the range is an error of the program
//!     ghost int inside;               // an observer: never buffered
//!
//!     process p[2](i) begin           // two processes, p[0] and p[1]
//!       flag[i] := 1;
//!       turn := 1 - i;
//!       fence;
//!       await(flag[1 - i] == 0 || turn == i);
//!       cs: inside := inside + 1;     // cs names this point
//!       assert(inside == 1);
//!       inside := inside - 1;
//!       flag[i] := 0;
//!     end
//!
//!     forbid both: p[0]@cs && p[1]@cs;
//! ";
//! let mut map = taut_source::SourceMap::new();
//! let file = map.add("peterson.taut", text);
//! let program = taut_lang::parse(&map, file, &taut_lang::Options::default()).unwrap();
//! assert_eq!(program.processes.len(), 2);
//! assert_eq!(program.properties.len(), 2);
//! ```
//!
//! # Grammar
//!
//! `{ a }` is any number of a, `[ a ]` at most one, quotes are text. Names are letters, digits and `_`, or
//! anything in backticks (`` `0:EAX` ``, escapes `` \` \\ \" \n \r ``); keywords are reserved. Comments are
//! `// …` and `/* … */`. Numbers are decimal or `0x…`. The `;` before the end of a block may be left out.
//! (After `Svar` and `Gvar` without a `;`, names go on until the next keyword.)
//!
//! ```text
//! file       = { item }
//! item       = "Svar" { declarator [ "," ] } [ ";" ]            shared ints, as in the paper
//!            | "Gvar" { declarator [ "," ] } [ ";" ]            thread variables: every thread has its own
//!            | ( "shared" | "ghost" | "local" ) type declarator { "," declarator } ";"
//!            | "include" string ";"                             the declarations of another file, if files may be read
//!            | "const" [ type ] declarator { "," declarator } ";"
//!            | "enum" [ name ] "{" { name [ "=" expr ] [ "," ] } "}" | "struct" name "{" { type declarator ";" } "}"
//!            | "main" name [ "[" count "]" ] [ params ] body
//!            | "process" name [ "[" count "]" ] [ params ] body
//!            | ( "procedure" | "void" | type ) name [ params ] body
//!            | ( "forbid" | "invariant" | "cover" ) title ":" expr ";"
//!            | "ltl" title ":" formula ";"
//!            | "assertion" title ";"
//!            | "program" title ";" | "call_depth" expr ";"
//!            | "instance" procname "=" which [ args ] ";" | "slot" procname "=" which ";"
//!            | "any" which ";"                                  any number of processes of a definition
//!            | graph
//! count      = expr | "*"
//! title      = name | text in double quotes
//! declarator = name { "[" expr "]" } [ "=" init ]   init = expr | "{" init { "," init } "}"
//! type       = "int" | "bool" | "byte" | "short" | "long" | [ "wrap" ] expr ".." expr | name
//! params     = "(" [ param { "," param } ] ")"      param = [ type ] name [ "=" expr ]
//! args       = "(" [ expr { "," expr } ] ")"
//! body       = "begin" { stmt } "end" [ ";" ] | block
//! block      = "{" { stmt } "}"
//!
//! stmt       = { label ":" | "end" ":" } ( simple ";" | compound [ ";" ] | ";" )
//! simple     = "skip" | "return" [ expr ] | ( "break" | "continue" ) [ label ] | "goto" label
//!            | ( "assume" | "await" ) expr | "assert" expr [ "as" title ]
//!            | [ "atomic" ] place { "," place } ":=" expr { "," expr }
//!            | place ( "++" | "--" | "+=" expr | … )
//!            | [ place ":=" ] rmw
//!            | place ":=" "choose" "(" expr ".." expr ")"
//!            | "call" name [ args ] | name args | "spawn" name [ args ]
//!            | "fence" | "sfence" | "sync" | "atomic_begin" | "atomic_end"
//!            | [ "local" ] type declarator { "," declarator }
//! compound   = "if" expr "then" { stmt } { "elif" expr "then" { stmt } } [ "else" { stmt } ] "fi"
//!            | "if" expr block { "else" "if" expr block } [ "else" block ]
//!            | "while" expr ( "do" { stmt } "od" | block ) | "loop" block
//!            | "do" block "while" expr | "for" "(" [ simple ] ";" [ expr ] ";" [ simple ] ")" block
//!            | "switch" expr "{" { ( "case" expr [ ".." expr ] | "default" ) ":" { stmt } } "}"
//!            | "choose" block { "or" block } | "atomic" block | "locked" block
//! place      = name { "[" expr "]" | "." name }
//! rmw        = ( "xchg" | "fetch_add" | "fetch_sub" | "fetch_and" | "fetch_or" | "fetch_xor" ) "(" place "," expr ")"
//!            | ( "cas" | "cas_old" ) "(" place "," expr "," expr ")"
//!
//! expr       = binary [ "?" expr ":" expr ]
//! binary     = unary { operator unary }
//!   operators, loosest first:  || or   && and   == = !=   < <= > >=   |   ^   &   << >>   + -   * / %
//! unary      = ( "-" | "!" | "not" | "~" ) unary | number | "true" | "false" | place | "(" expr ")"
//!            | rmw | name args                                  in statements only
//!            | asked                                            in properties only
//! asked      = "view" "(" procname "," place ")" | procname ":" local
//!            | procname "@" label | procname "@" "{" [ "#"n { "," "#"n } ] "}" | "drained" "(" procname ")"
//!            | "enabled" "(" procname ")"                       in formulas only
//! formula    = operand { connective operand } | condition "?" expr ":" expr
//!   connectives, loosest first, all left-associative:  -> <->   || or   && and   U W V R M
//! operand    = ( "[]" | "<>" | "G" | "F" | "X" | "!" | "not" ) operand | "(" formula ")"
//!            | condition | "{" expr "}"                         a condition is an expr without || && !
//! procname   = name [ "[" expr "]" | "#"n ]
//! local      = ( name | name "." name | "reg" "(" n ")" ) [ "[" expr "]" ]
//!
//! graph      = "process" name [ params ] "graph" { "local" type declarator ";" }
//!              { "procedure" name "(" regs [ ";" regs ] ")" "at" "#"n ";" } [ "entry" "#"n ";" ]
//!              { "#"n [ "end" ] [ "atomic" ] [ "[" label { "," label } "]" ] ":" { step } } "end"
//! step       = [ "when" expr ] [ "fence" | "sync" | "locked" ] [ "do" { effect ";" } ]
//!              ( "goto" "#"n | "call" which [ args ] "then" "#"n | "return" ) ";"
//! effect     = [ "atomic" ] ref { "," [ "atomic" ] ref } ":=" expr { "," expr } | "sfence"
//!            | "assert" "(" expr ")" "as" title | "spawn" which [ args ]
//! ref        = local | "var" "(" name ")" [ "[" expr "]" ]      which = name | "#"n
//! ```
//!
//! # What statements mean
//!
//! Every simple statement is one step per access to shared memory, and at least one; see
//! [`taut_ir::granularity`]. (With [`Granularity::Statement`] it is one step.) A condition of `if`, `elif` or
//! `while` has a step for each outcome of each access. Labels, `loop`, the ends of blocks and declarations are
//! none, and neither are jumps that a step leads to. A load is in the process's own view: its newest buffered
//! store, else memory. A declaration with `local` is no statement: its initial value is set when the process, or the
//! call, starts. One without the word assigns its values when control comes to it.
//!
//! - `assume(e)`, `await(e)`: waits until e is true. `end:` before a statement marks its program point: a process
//!   may wait there for ever without that being a deadlock.
//! - `fence`: waits until the process's own buffer is empty; `sync`: until all buffers are; `sfence`: keeps
//!   earlier stores before later ones.
//! - `atomic x := e`: the atomic write. `xchg`, `fetch_add` and the like: one locked step. `cas`: two, success and
//!   failure; its result is 1 or 0, that of `cas_old` the old value. In an expression each is a step of its own, from
//!   left to right, and so is a call.
//! - `locked { … }`: one locked step of assignments and assertions, with an `assume` at its start if any.
//! - `atomic { … }`: the same if it can be, else a section between two steps; an `assume` at its start is
//!   waited for outside. `atomic_begin; … atomic_end;` pair within one list of statements. In a section all
//!   steps are locked, nobody else moves, nothing commits; a false `assume` there blocks everybody.
//! - `choose { … } or { … }`: the first steps of all branches leave one program point, so an `assume` at the
//!   start guards its branch. A branch that starts with a label, a loop or a jump starts with a skip.
//! - `r := choose(lo..hi)`: one step a value, at most 256.
//! - `call f(e)`: parameters and locals of f are new in each call, thread variables are the caller's.
//!   `return` in a process ends it. Falling off the end of a procedure returns. `return e` leaves a value.
//! - `for`, `do … while`, `switch`, `+=` and `++` are C's. A record is one variable per field, an array of several
//!   dimensions a flat one; see [`Mistakes`](fix) for words of other languages.
//!
//! # Who runs
//!
//! With a `main`, it and every process with a count `[n]` start; the others are templates for `spawn`.
//! Without, every process starts, except those without a count that are spawned or have an `instance`.
//! `p[2]` starts `p[0]` and `p[1]`; its parameter, if it has one, is 0 and 1. `p[*]` stands for every number of processes
//! ([`taut_ir::replicated`]), or for the one that [`Options::threads`] says. For what is spawned there are
//! [`Options::thread_bound`] slots, called `p#1`, `p#2` and so on. A `graph` starts by `instance` only.
//!
//! # Properties
//!
//! An `assert` is a property called `assert:LINE`, or as `as` says; all copies of the statement belong to it.
//! A variable in a property is what memory holds; `view(p, x)` is what p sees, `p:r` its local r, `p:f.n` local
//! n of its procedure f, `p@l` whether it is at label l, `drained(p)` whether its buffer is empty.
//!
//! # Temporal properties
//!
//! `ltl NAME: f;` says that every run, or every fair one, satisfies a formula of linear temporal logic. Its
//! conditions ask of a state what `forbid` may ask, and `enabled(p)` whether p can take a step. `f V g` is
//! the literature's `f R g`, and `f M g` is that with an f that comes. The levels are SPIN's: `[] p -> q` is
//! `([] p) -> q`, and a comparison after `[]` needs parentheses. SPIN's words `always`, `eventually`,
//! `next`, `until`, `weakuntil`, `release`, `implies` and `equivalent` are known, too.
//!
//! No operator is a reserved word. `G F X` are operators before an operand and `U W V R M` between two;
//! anywhere else, and in backticks everywhere, they are names: `X == 1` asks about a variable.
//!
//! A formula is taken apart at `!`, `&&` and `||`, and a condition that cannot be computed is false. `{ e }`
//! is a condition that stays whole.
//!
//! Properties can also come from outside of the text: see [`Claim`].
//!
//! # The graph form
//!
//! One to one with the model: numbered program points, each with its labels and flags, and the steps that leave
//! it. A program point may be opened again, so that steps can stand in any order. Nothing is folded, nothing is
//! added; registers are those declared. `atomic` stands before each place it is for. Where a name alone
//! would mean something else, `f.n` is register n of procedure f, `reg(3)` register number 3 and `var(x)` the
//! variable x.
//!
//! DIVERGENCE: variables of the paper range over any data domain; here every type is a finite range of
//! integers, 32 bits that wrap around unless said otherwise. Predicates of the paper speak of thread
//! variables only; here every expression may read shared variables, one access after the
//! other.

pub mod codes;

mod ast;
mod claim;
mod endless;
mod format;
mod frontend;
mod include;
mod lexer;
mod lower;
mod mistakes;
mod names;
mod parser;
mod places;
mod print;
mod same;
mod unprintable;

pub use endless::after_endless_loops;
pub use frontend::{MAX_CALLS, MAX_THREADS, TautLanguage};
pub use mistakes::{fix, fixed};
pub use places::{FENCE, NOTHING, STORE_FENCE, places, weakenings};
pub use same::{same, without_spans};
pub use taut_ir::{Claim, ClaimText};
pub use unprintable::Unprintable;

use taut_ir::frontend::Threads;
use taut_ir::{Granularity, Program, Property};
use taut_source::{Diagnostics, FileId, SourceMap};

/// What is not in the text of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many processes of one definition can be alive at once through `spawn`.
    pub thread_bound: u32,
    /// How many calls can be open at once in one process, unless the text says it.
    pub call_depth: u32,
    /// What is done in one step: by default, one access to shared memory.
    pub granularity: Granularity,
    /// The number of processes where the text has any number of them; by default, every number.
    pub threads: Option<Threads>,
}

impl Default for Options {
    fn default() -> Options {
        let call_depth = taut_ir::build::DEFAULT_CALL_DEPTH;
        Options { thread_bound: 4, call_depth, granularity: Granularity::Access, threads: None }
    }
}

/// Reads a program: lexing, parsing, lowering, validation.
pub fn parse(map: &SourceMap, file: FileId, options: &Options) -> Result<Program, Diagnostics> {
    parse_with_claims(map, file, options, &[])
}

/// Reads a program and properties from outside of its text, which come after its own. Unlike [`claims`] they
/// may use the constants of the program.
pub fn parse_with_claims(
    map: &SourceMap,
    file: FileId,
    options: &Options,
    claims: &[Claim],
) -> Result<Program, Diagnostics> {
    read(map, file, options, claims).map(|(program, _)| program)
}

/// Reads a program and properties from outside of its text; with it, the constants of the text.
fn read(
    map: &SourceMap,
    file: FileId,
    options: &Options,
    claims: &[Claim],
) -> Result<(Program, lower::Constants), Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let (tree, _) = tree(map, file, &mut diagnostics);
    for item in &tree.items {
        if let ast::ItemKind::Include(path) = &item.kind {
            diagnostics.push(include::refused(path));
        }
    }
    // After a mistake of grammar the tree has holes, and holes make messages that mislead.
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    match lower::lower(map, &tree, options, claims, &mut diagnostics) {
        Some(read) if diagnostics.is_empty() => Ok(read),
        _ => Err(diagnostics),
    }
}

/// Properties of a program, whatever language it came from, that stand outside of its text. In them names
/// are those of the program model; see [`parse_with_claims`] for programs of the Taut language.
pub fn claims(
    program: &Program,
    sources: &SourceMap,
    claims: &[Claim],
) -> Result<Vec<Property>, Diagnostics> {
    claims_with(program, &lower::Constants::default(), sources, claims)
}

/// As [`claims`], with constants that the properties may name.
fn claims_with(
    program: &Program,
    constants: &lower::Constants,
    sources: &SourceMap,
    claims: &[Claim],
) -> Result<Vec<Property>, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let asked = lower::claims(sources, program, constants, claims, &mut diagnostics);
    asked.filter(|_| diagnostics.is_empty()).ok_or(diagnostics)
}

/// Formats a file: the same program in the usual layout, with its comments and blank lines.
pub fn format(map: &SourceMap, file: FileId) -> Result<String, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let (tree, lexed) = tree(map, file, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let source = format::Source { text: map.file(file).text(), comments: &lexed.comments };
    Ok(format::format(&tree, Some(source)))
}

/// A program of the model as text that [`parse`] reads back as the same program (see [`same`]).
///
/// Every process stands in graph form. The program must be valid and start at least one process. A few
/// things of other languages, such as channels, cannot be written; the error names the first.
pub fn print(program: &Program) -> Result<String, Unprintable> {
    unprintable::check(program)?;
    Ok(format::format(&print::tree(program), None))
}

/// The syntax tree of a file.
fn tree(map: &SourceMap, file: FileId, diagnostics: &mut Diagnostics) -> (ast::File, lexer::Lexed) {
    let text = map.file(file).text();
    let mut lexed = lexer::lex(text, file, diagnostics);
    if diagnostics.iter().any(|d| d.code == codes::TOO_LARGE) {
        lexed.tokens.drain(..lexed.tokens.len() - 1);
    }
    (parser::parse(text, file, &lexed, diagnostics), lexed)
}
