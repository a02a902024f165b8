//! Words of other languages, with what they are called here.
//!
//! Programmers of C, Promela, TLA+ and Rust write what they know. A word of theirs that means nothing here gets a
//! message that names the cause and the fix. Where the fix is certain the help reads *write `…` instead*, and
//! then it is exactly the text that takes the place of the marked one: [`fix`] makes the edit of it, for `taut fix`
//! and for editors.

use taut_source::{Diagnostic, Replacement, SourceMap, Span};

use crate::codes;

/// A mistake: the words, the cause, and the fix.
pub(crate) struct Mistake {
    words: &'static [&'static str],
    cause: &'static str,
    advice: Advice,
}

/// What to do about a mistake.
#[derive(Clone, Copy)]
pub(crate) enum Advice {
    /// Write this in place of the word.
    Write(&'static str),
    /// Write this in place of the word and the parentheses after it, if nothing is in them.
    WriteWithout(&'static str),
    /// No single edit is certain.
    Say(&'static str),
}

use Advice::{Say, Write, WriteWithout};

const fn mistake(words: &'static [&'static str], cause: &'static str, advice: Advice) -> Mistake {
    Mistake { words, cause, advice }
}

/// Names of functions.
const CALLS: &[Mistake] = &[
    mistake(
        &["cmpxchg", "__sync_val_compare_and_swap", "atomic_cmpxchg"],
        "the compare-and-swap that gives the old value is called `cas_old` here",
        Write("cas_old"),
    ),
    mistake(
        &["CAS", "compare_and_swap", "compare_and_set", "__sync_bool_compare_and_swap"],
        "the compare-and-swap that gives 1 if it stored is called `cas` here",
        Write("cas"),
    ),
    mistake(
        &[
            "compare_exchange",
            "compare_exchange_strong",
            "compare_exchange_weak",
            "atomic_compare_exchange_strong",
            "atomic_compare_exchange_weak",
        ],
        "there is no compare-exchange that stores the old value in its second argument",
        Say("`cas(x, old, new)` gives 1 if it stored, `cas_old(x, old, new)` gives the old value"),
    ),
    mistake(
        &["exchange", "swap", "atomic_exchange", "XCHG", "__sync_lock_test_and_set"],
        "an atomic exchange is called `xchg` here",
        Write("xchg"),
    ),
    mistake(
        &["test_and_set", "atomic_flag_test_and_set", "TAS"],
        "there is no test-and-set",
        Say("`xchg(x, 1)` sets `x` and gives the old value"),
    ),
    mistake(
        &["fetch_and_add", "atomic_fetch_add", "FAA", "__sync_fetch_and_add", "atomic_add"],
        "an atomic addition is called `fetch_add` here",
        Write("fetch_add"),
    ),
    mistake(
        &["fetch_and_sub", "atomic_fetch_sub", "__sync_fetch_and_sub", "atomic_sub"],
        "an atomic subtraction is called `fetch_sub` here",
        Write("fetch_sub"),
    ),
    mistake(
        &["atomic_inc", "atomic_dec", "inc", "dec", "increment", "decrement"],
        "there is no function that counts",
        Say("`fetch_add(x, 1)` is one step; `x++` is a load and a store"),
    ),
    mistake(
        &["atomic_load", "READ_ONCE", "load", "smp_load_acquire", "atomic_read"],
        "a load is written as the name of the variable",
        Say("as in `r := x;`"),
    ),
    mistake(
        &["atomic_store", "WRITE_ONCE", "store", "smp_store_release", "atomic_set"],
        "a store is written as an assignment",
        Say("as in `x := 1;`; `atomic x := 1;` is not buffered"),
    ),
    mistake(
        &["smp_mb", "mb", "mfence", "__sync_synchronize", "full_fence", "memory_barrier"],
        "a memory barrier is the statement `fence`",
        WriteWithout("fence"),
    ),
    mistake(
        &["atomic_thread_fence", "atomic_fence"],
        "a memory barrier is the statement `fence`",
        Say("write `fence;`, or `sfence;` for one between stores"),
    ),
    mistake(
        &["smp_wmb", "wmb", "store_fence"],
        "a barrier between stores is the statement `sfence`",
        WriteWithout("sfence"),
    ),
    mistake(
        &["smp_rmb", "rmb", "lfence", "load_fence"],
        "there is no barrier between loads",
        Say("remove it: loads stay in order under TSO and PSO"),
    ),
    mistake(
        &["membarrier", "sys_membarrier"],
        "a barrier for all processes is the statement `sync`",
        WriteWithout("sync"),
    ),
    mistake(
        &["sched_yield", "cpu_relax", "pause", "yield", "thread_yield"],
        "every process may take turns after every step",
        WriteWithout("skip"),
    ),
    mistake(
        &["sleep", "usleep", "delay"],
        "there is no time",
        Say("remove it: every order of steps is looked at"),
    ),
    mistake(
        &["print", "printf", "println", "puts", "echo", "fprintf"],
        "nothing is printed",
        Say("a run shows all values; keep one for a property in a `ghost` variable"),
    ),
    mistake(
        &["exit", "abort", "panic"],
        "there is no function that ends the program",
        Say("`return;` ends a process, and `assert(false);` is an error"),
    ),
    mistake(
        &["malloc", "calloc", "alloc", "kmalloc"],
        "records come from a pool",
        Say("declare `pool node[4];`, then `r := new node;` takes one and `free r;` gives it back"),
    ),
    mistake(&["kfree", "dispose", "drop"], "a record is given back with `free`", Write("free")),
    mistake(
        &["lock", "mutex_lock", "pthread_mutex_lock", "spin_lock", "acquire"],
        "there are no locks but those that a program makes",
        Say("as in `while (xchg(m, 1) == 1) { }`; or put the section into `atomic { … }`"),
    ),
    mistake(
        &["unlock", "mutex_unlock", "pthread_mutex_unlock", "spin_unlock", "release"],
        "there are no locks but those that a program makes",
        Say("as in `m := 0;`"),
    ),
    mistake(
        &["wait", "wait_until", "wait_for", "block_until"],
        "the statement that waits for a condition is called `await`",
        Write("await"),
    ),
    mistake(
        &["__VERIFIER_assume", "require"],
        "this is the statement `assume` here",
        Write("assume"),
    ),
    mistake(
        &["__VERIFIER_assert", "check"],
        "this is the statement `assert` here",
        Write("assert"),
    ),
    mistake(
        &["assert_eq", "assertEquals", "assert_equal"],
        "an assertion has one condition",
        Say("as in `assert(a == b);`"),
    ),
    mistake(
        &["rand", "random", "nondet", "nondet_int", "__VERIFIER_nondet_int", "select"],
        "any value of a range is chosen with `choose`",
        Say("as in `r := choose(0..3);`"),
    ),
    mistake(
        &["pthread_create", "thrd_create", "fork", "create_thread", "go"],
        "processes are declared, or started with `spawn`",
        Say("as in `spawn worker(1);`"),
    ),
    mistake(
        &["pthread_join", "thrd_join", "join"],
        "a process cannot wait for the end of another",
        Say("let the other one set a variable at its end, and `await` it"),
    ),
    mistake(
        &["sizeof", "len", "length", "ARRAY_SIZE"],
        "the length of an array is no expression",
        Say("declare it with a constant: `const N = 4; shared int a[N];`"),
    ),
    mistake(
        &["min", "max", "abs"],
        "there is no such function",
        Say("as in `a < b ? a : b`, or declare a function"),
    ),
    mistake(
        &["empty", "nempty", "full", "nfull"],
        "there are no channels",
        Say("Promela models are read as they are: `.pml`"),
    ),
];

/// Names of variables.
const NAMES: &[Mistake] = &[
    mistake(&["True", "TRUE"], "the word is `true`", Write("true")),
    mistake(&["False", "FALSE"], "the word is `false`", Write("false")),
    mistake(
        &["NULL", "nullptr", "null", "nil", "None"],
        "only references to records of a pool can be `null`",
        Say("declare `pool node[4];` and `ref node r;`; for an index, use a number such as -1"),
    ),
    mistake(
        &["_pid", "pid", "self", "this", "tid", "me", "thread_id"],
        "a process knows its number only by a parameter",
        Say("as in `process p[2](me)`"),
    ),
    mistake(&["timeout"], "there is no timeout", Say("a deadlock is found and reported")),
    mistake(
        &["INT_MAX", "INT_MIN", "UINT_MAX"],
        "this constant is not declared",
        Say("an `int` has values from -2147483648 to 2147483647"),
    ),
];

/// Names of types.
const TYPES: &[Mistake] = &[
    mistake(
        &["uint8", "uint8_t", "u8", "char", "uchar"],
        "8 bits without a sign are a `byte`",
        Write("byte"),
    ),
    mistake(
        &["int32", "int32_t", "i32", "integer", "Integer"],
        "32 bits with a sign are an `int`",
        Write("int"),
    ),
    mistake(&["int16", "int16_t", "i16"], "16 bits with a sign are a `short`", Write("short")),
    mistake(&["int64", "int64_t", "i64"], "64 bits with a sign are a `long`", Write("long")),
    mistake(
        &["int8", "int8_t", "i8"],
        "a type of 8 bits with a sign is a range",
        Write("wrap -128..127"),
    ),
    mistake(
        &["uint16", "uint16_t", "u16"],
        "a type of 16 bits without a sign is a range",
        Write("wrap 0..65535"),
    ),
    mistake(
        &["uint", "uint32", "uint32_t", "u32"],
        "a type of 32 bits without a sign is a range",
        Write("wrap 0..4294967295"),
    ),
    mistake(
        &["unsigned", "size_t", "usize", "isize", "uint64_t", "u64", "uintptr_t"],
        "there is no such type",
        Say("a small range such as `0..7` keeps the number of states small"),
    ),
    mistake(
        &["boolean", "_Bool", "bit", "Boolean", "Bool"],
        "a truth value is a `bool`",
        Write("bool"),
    ),
    mistake(&["float", "double"], "all values are whole numbers", Say("as in `int` or `0..100`")),
    mistake(
        &["string", "String", "str"],
        "there are no texts",
        Say("name values with `enum { A, B }`"),
    ),
    mistake(
        &["atomic_int", "AtomicInt", "AtomicUsize", "AtomicBool"],
        "variables are not atomic, accesses are",
        Say("declare `shared int`, and use `cas`, `xchg`, `fetch_add`"),
    ),
    mistake(
        &["let", "var", "auto", "val"],
        "a declaration has a type in place of this word",
        Say("as in `int r = 0;`"),
    ),
    mistake(&["mtype"], "Promela's `mtype` is an `enum`", Say("as in `enum mtype { A, B };`")),
    mistake(&["chan"], "there are no channels", Say("Promela models are read as they are: `.pml`")),
    mistake(
        &["register", "volatile", "static", "extern", "unsigned"],
        "there is no such word",
        Say("remove it"),
    ),
];

/// Words at the start of a declaration.
const ITEMS: &[Mistake] = &[
    mistake(&["proctype", "thread", "task", "actor"], "this is a `process` here", Write("process")),
    mistake(
        &["fn", "function", "def", "func", "inline", "sub"],
        "this is a `procedure` here",
        Write("procedure"),
    ),
    mistake(&["global"], "what all processes share is `shared`", Write("shared")),
    mistake(
        &["thread_local", "private", "__thread"],
        "what every process has of its own is `local`",
        Write("local"),
    ),
    mistake(&["active"], "a process runs unless something else starts it", Say("remove the word")),
    mistake(&["init"], "the process that starts alone is `main`", Say("as in `main boss { … }`")),
    mistake(
        &["typedef"],
        "a name for a type is declared by `struct` or `enum`",
        Say("as in `struct node { int next; };`"),
    ),
    mistake(
        &["static", "volatile", "extern", "register", "_Atomic"],
        "there is no such word",
        Say("write `shared` in its place"),
    ),
    mistake(
        &["let", "var", "auto"],
        "a variable is declared with `shared`, `ghost` or `local` and a type",
        Say("as in `shared int x;`"),
    ),
    mistake(
        &["VARIABLE", "VARIABLES"],
        "TLA+'s variables are declared one by one, with types",
        Say("as in `shared 0..3 x;`"),
    ),
    mistake(&["CONSTANT", "CONSTANTS"], "constants have values here", Say("as in `const N = 2;`")),
    mistake(
        &["EXTENDS", "MODULE", "use", "import", "mod", "package", "require", "using", "open"],
        "there are no modules",
        Say("remove the line; `include \"FILE\";` stands for the declarations of another file"),
    ),
    mistake(
        &["safety", "property", "spec", "THEOREM", "INVARIANT"],
        "a property is an `invariant`, `forbid` or `ltl`",
        Say("as in `invariant small: x <= 3;`"),
    ),
    mistake(
        &["never"],
        "there are no never claims",
        Say("write the formula: `ltl NAME: [] (a -> <> b);`"),
    ),
];

/// Words at the start of a statement.
const STATEMENTS: &[Mistake] = &[
    mistake(&["pass", "nop", "noop"], "the statement that does nothing is `skip`", Write("skip")),
    mistake(
        &["elseif", "elsif", "elsf"],
        "another branch of an `if` is `elif` or `else if`",
        Say("write `else if (c) { … }` right after the brace"),
    ),
    mistake(&["endif"], "an `if … then` ends with `fi`", Write("fi")),
    mistake(&["endwhile", "done"], "a `while … do` ends with `od`", Write("od")),
    mistake(
        &["repeat"],
        "a loop with its condition at the end is `do { … } while (e);`",
        Say("or use `loop` and `break`"),
    ),
    mistake(
        &["foreach", "forall"],
        "a loop over numbers is a `for`",
        Say("as in `for (int i = 0; i < N; i++) { … }`"),
    ),
    mistake(&["unless"], "there is no `unless`", Say("write `if (!e) { … }`")),
    mistake(
        &["match", "select"],
        "a choice by a value is a `switch`",
        Say("as in `switch (x) { case 0: … break; }`"),
    ),
    mistake(&["delete", "dispose"], "a record is given back with `free`", Write("free")),
    mistake(&["either"], "a choice is `choose { … } or { … }`", Write("choose")),
    mistake(&["exit", "quit", "stop"], "a process ends with `return`", Write("return")),
    mistake(
        &["mfence", "barrier", "membar"],
        "a memory barrier is the statement `fence`",
        Write("fence"),
    ),
    mistake(
        &["let", "var", "auto"],
        "a declaration has a type in place of this word",
        Say("as in `int r = 0;`"),
    ),
    mistake(
        &["try", "catch", "throw"],
        "there are no exceptions",
        Say("a fault is found and reported"),
    ),
    mistake(&["printf", "print", "println"], "nothing is printed", Say("a run shows all values")),
];

/// Where a word stands.
#[derive(Clone, Copy)]
pub(crate) enum Where {
    Call,
    Name,
    Type,
    Item,
    Statement,
}

/// The message about a word of another language. `text` is the source, for the parentheses after it.
pub(crate) fn about(at: Where, word: &str, span: Span, text: &str) -> Option<Diagnostic> {
    let table = match at {
        Where::Call => CALLS,
        Where::Name => NAMES,
        Where::Type => TYPES,
        Where::Item => ITEMS,
        Where::Statement => STATEMENTS,
    };
    let found = table.iter().find(|m| m.words.contains(&word))?;
    let mut span = span;
    let help = match found.advice {
        Write(meant) => instead(meant),
        WriteWithout(meant) => {
            let rest = text.get(span.end as usize..).unwrap_or("");
            match rest.starts_with("()") {
                true => {
                    span.end += 2;
                    instead(meant)
                }
                false => format!("as in `{meant};`"),
            }
        }
        Say(what) => what.to_owned(),
    };
    let found = Diagnostic::error(codes::OTHER_LANGUAGE, found.cause, span);
    Some(found.label(format!("`{word}` means nothing here")).help(help))
}

/// A help that is an edit: the marked text becomes this.
pub(crate) fn instead(text: &str) -> String {
    format!("write `{text}` instead")
}

/// The edit that fixes what a message is about, if it is certain.
pub fn fix(message: &Diagnostic) -> Option<Replacement> {
    let span = message.span;
    if message.label == "expected `;`" && span.start == span.end {
        return Some(Replacement { span, text: ";".into() });
    }
    let text = message.help.as_deref()?.strip_prefix("write `")?.strip_suffix("` instead")?;
    Some(Replacement { span, text: text.into() })
}

/// Most rounds of [`fixed`]: a mistake of grammar hides those that come after it is fixed.
const ROUNDS: usize = 8;

/// A text with every fix that is certain, and the number of those.
///
/// ```
/// let (text, count) = taut_lang::fixed("p.taut", "int x;\nprocess p { x = TRUE; }\n");
/// assert_eq!((&*text, count), ("shared int x;\nprocess p { x := true; }\n", 3));
/// ```
pub fn fixed(name: &str, text: &str) -> (String, usize) {
    let mut text = text.to_owned();
    let mut count = 0;
    for _ in 0..ROUNDS {
        let mut map = SourceMap::new();
        let file = map.add(name, &*text);
        let Err(messages) = crate::parse(&map, file, &crate::Options::default()) else { break };
        let mut edits: Vec<Replacement> = messages.iter().filter_map(fix).collect();
        // Of two that overlap the second is left for the next round.
        edits.sort_by_key(|edit| edit.span.start);
        let mut done = 0;
        edits.retain(|edit| {
            let free = edit.span.start >= done;
            done = if free { edit.span.end } else { done };
            free
        });
        let next = Replacement::apply(&map, file, &edits);
        if next == text {
            break;
        }
        count += edits.len();
        text = next;
    }
    (text, count)
}
