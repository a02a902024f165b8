//! The generator of random programs in C and in the Taut language at once; see `c_random.rs`.

use fastrand::Rng;

use crate::c_random::{ASSERTS, Line, Pair};

/// The cells, as C names them; their numbers are those of the array in the Taut text.
pub const CELLS: [&str; 9] = ["x", "y", "s.a", "s.b", "t.a", "t.b", "v[0]", "v[1]", "z"];
/// Cells that plain accesses and builtins may name: all but the `_Atomic` one.
const PLAIN: usize = 8;
const Z: usize = 8;
const ORDERS: [&str; 5] = [
    "__ATOMIC_RELAXED",
    "__ATOMIC_ACQUIRE",
    "__ATOMIC_RELEASE",
    "__ATOMIC_ACQ_REL",
    "__ATOMIC_SEQ_CST",
];

/// Makes random programs.
pub struct Generator {
    random: Rng,
    loops: u32,
}

impl Generator {
    pub fn new(seed: u64) -> Generator {
        Generator { random: Rng::with_seed(seed), loops: 0 }
    }

    pub fn program(mut self) -> Pair {
        let count = if self.random.u32(0..3) == 0 { 3 } else { 2 };
        let length = if count == 3 { 2..4 } else { 3..6 };
        let mut threads = Vec::new();
        for _ in 0..count {
            let lines = self.random.usize(length.clone());
            threads.push((0..lines).map(|_| self.statement(0)).collect());
        }
        let asserts = (0..ASSERTS).map(|_| self.final_condition(count)).collect();
        Pair { threads, asserts }
    }

    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.random.usize(..list.len())]
    }

    fn register(&mut self) -> &'static str {
        self.pick(&["r0", "r1", "r2"])
    }

    /// A plain cell: few of them, so that threads meet.
    fn cell(&mut self) -> usize {
        self.random.usize(..PLAIN).min(self.random.usize(..PLAIN))
    }

    fn number(&mut self) -> i32 {
        self.random.i32(0..3)
    }

    /// A value without an access to memory.
    fn local(&mut self) -> String {
        match self.random.u32(0..4) {
            0 | 1 => self.number().to_string(),
            2 => self.register().into(),
            _ => format!("({} {} {})", self.register(), self.pick(&["+", "-", "^"]), self.number()),
        }
    }

    /// A value, perhaps with one or two plain loads.
    fn value(&mut self) -> Line {
        let (local, cell, other) = (self.local(), self.cell(), self.cell());
        match self.random.u32(0..5) {
            0 | 1 => Line::new(&local, &local),
            2 => Line::new(CELLS[cell], format!("m[{cell}]")),
            3 => {
                Line::new(format!("({} + {local})", CELLS[cell]), format!("(m[{cell}] + {local})"))
            }
            _ => Line::new(
                format!("({} - {})", CELLS[cell], CELLS[other]),
                format!("(m[{cell}] - m[{other}])"),
            ),
        }
    }

    /// A condition on registers, now and then on a cell.
    fn condition(&mut self) -> Line {
        let op = self.pick(&["==", "!=", "<", ">="]);
        let (cell, number, register) = (self.cell(), self.number(), self.register());
        match self.random.u32(0..4) {
            0 => Line::new(
                format!("{} {op} {number}", CELLS[cell]),
                format!("m[{cell}] {op} {number}"),
            ),
            1 => {
                let other = self.cell();
                let c = format!("{} == {number} && {} {op} {register}", CELLS[cell], CELLS[other]);
                Line::new(c, format!("m[{cell}] == {number} && m[{other}] {op} {register}"))
            }
            _ => {
                Line::new(format!("{register} {op} {number}"), format!("{register} {op} {number}"))
            }
        }
    }

    fn final_condition(&mut self, threads: usize) -> Line {
        let mut parts = Vec::new();
        for _ in 0..self.random.usize(1..4) {
            // Small numbers are the likely ones.
            let number = self.number().min(self.number());
            parts.push(match self.random.u32(0..3) {
                0 => {
                    let cell = self.random.usize(..CELLS.len());
                    Line::new(
                        format!("{} == {number}", CELLS[cell]),
                        format!("m[{cell}] == {number}"),
                    )
                }
                _ => {
                    let (thread, which) = (self.random.usize(..threads), self.random.usize(..2));
                    let taut = format!("out[{}] == {number}", 2 * thread + which);
                    Line::new(format!("out[{thread}][{which}] == {number}"), taut)
                }
            });
        }
        let join =
            |f: fn(&Line) -> &String| parts.iter().map(f).cloned().collect::<Vec<_>>().join(" && ");
        Line::new(format!("!({})", join(|l| &l.c)), format!("!({})", join(|l| &l.taut)))
    }

    fn statement(&mut self, depth: u32) -> Line {
        let kind = self.random.u32(0..if depth < 2 { 22 } else { 17 });
        match kind {
            0 | 1 => self.store(),
            2 | 3 => self.load(),
            4 => self.update(),
            5 => self.swap(),
            6 => self.fence(),
            7 => self.atomic_object(),
            8 => self.plain_update(),
            9 => self.copy(),
            10 => self.shared_pointer(),
            11 => self.local_pointer(),
            12 => self.structure_pointer(),
            13 => self.helper(),
            14 => self.function_pointer(),
            15 => {
                let (register, value) = (self.register(), self.value());
                Line::new(
                    format!("{register} = {};", value.c),
                    format!("{register} := {};", value.taut),
                )
            }
            16 => self.store(),
            17 => self.branch(depth),
            18 => self.bounded_loop(depth),
            19 => self.spin(),
            20 => self.critical_section(depth),
            _ => self.switch(depth),
        }
    }

    /// A store of some order.
    fn store(&mut self) -> Line {
        let (cell, value, name) = (self.cell(), self.value(), self.random.usize(0..5));
        let place = format!("m[{cell}]");
        match name {
            0 => Line::new(
                format!("{} = {};", CELLS[cell], value.c),
                format!("{place} := {};", value.taut),
            ),
            1 => stored(cell, &value, "__ATOMIC_RELAXED", &format!("{place} := k;")),
            2 | 3 => stored(cell, &value, "__ATOMIC_RELEASE", &format!("sfence; {place} := k;")),
            _ => stored(cell, &value, "__ATOMIC_SEQ_CST", &format!("atomic {place} := k;")),
        }
    }

    fn load(&mut self) -> Line {
        let (cell, register) = (self.cell(), self.register());
        let order = self.pick(&["__ATOMIC_RELAXED", "__ATOMIC_ACQUIRE", "__ATOMIC_SEQ_CST"]);
        let taut = format!("{register} := m[{cell}];");
        match self.random.bool() {
            true => Line::new(format!("{register} = {};", CELLS[cell]), taut),
            false => {
                Line::new(format!("{register} = __atomic_load_n(&{}, {order});", CELLS[cell]), taut)
            }
        }
    }

    /// A read-modify-write of some order.
    fn update(&mut self) -> Line {
        let (cell, register, by) = (self.cell(), self.register(), self.local());
        let order = self.pick(&ORDERS);
        let (name, new) = self.pick_update();
        let name = if self.random.bool() {
            format!("__atomic_{name}")
        } else {
            format!("__sync_{}", legacy(name))
        };
        let order = if name.starts_with("__atomic") { format!(", {order}") } else { String::new() };
        let after = name.ends_with("_fetch");
        let result = if after { "q" } else { "k" };
        Line::new(
            format!("{register} = {name}(&{}, {by}{order});", CELLS[cell]),
            format!(
                "j := {by}; locked {{ k := m[{cell}]; q := {new}; m[{cell}] := q; }} {register} := {result};"
            ),
        )
    }

    fn pick_update(&mut self) -> (&'static str, &'static str) {
        const ALL: [(&str, &str); 8] = [
            ("fetch_add", "k + j"),
            ("fetch_sub", "k - j"),
            ("fetch_and", "k & j"),
            ("fetch_or", "k | j"),
            ("fetch_xor", "k ^ j"),
            ("add_fetch", "k + j"),
            ("sub_fetch", "k - j"),
            ("fetch_nand", "~(k & j)"),
        ];
        ALL[self.random.usize(..ALL.len())]
    }

    /// An exchange or a compare-exchange.
    fn swap(&mut self) -> Line {
        let (cell, register, new) = (self.cell(), self.register(), self.local());
        let (order, expected) = (self.pick(&ORDERS), self.number());
        let c = CELLS[cell];
        match self.random.u32(0..4) {
            0 => Line::new(
                format!("{register} = __atomic_exchange_n(&{c}, {new}, {order});"),
                format!("{register} := xchg(m[{cell}], {new});"),
            ),
            1 => Line::new(
                format!("{register} = __sync_bool_compare_and_swap(&{c}, {expected}, {new});"),
                format!("{register} := cas(m[{cell}], {expected}, {new});"),
            ),
            2 => Line::new(
                format!("{register} = __sync_val_compare_and_swap(&{c}, {expected}, {new});"),
                format!(
                    "j := {new}; locked {{ k := m[{cell}]; m[{cell}] := (k == {expected} ? j : k); }} {register} := k;"
                ),
            ),
            _ => {
                let weak = self.random.u32(0..2);
                Line::new(
                    format!(
                        "{{ int e = {expected}; r2 = __atomic_compare_exchange_n(&{c}, &e, {new}, {weak}, {order}, 0); r1 = e; }}"
                    ),
                    format!(
                        "j := {new}; locked {{ k := m[{cell}]; m[{cell}] := (k == {expected} ? j : k); }} r2 := k == {expected}; r1 := k;"
                    ),
                )
            }
        }
    }

    fn fence(&mut self) -> Line {
        match self.random.u32(0..7) {
            0 => Line::new("__atomic_thread_fence(__ATOMIC_SEQ_CST);", "fence;"),
            1 => Line::new("__sync_synchronize();", "fence;"),
            2 => Line::new("__atomic_thread_fence(__ATOMIC_RELEASE);", "sfence;"),
            3 => Line::new("__atomic_thread_fence(__ATOMIC_ACQ_REL);", "sfence;"),
            4 => Line::new("__asm__ volatile(\"mfence\" ::: \"memory\");", "fence;"),
            5 => Line::new("__asm__ volatile(\"sfence\" ::: \"memory\");", "sfence;"),
            _ => Line::new("__atomic_thread_fence(__ATOMIC_ACQUIRE);", "skip;"),
        }
    }

    /// The operators of an `_Atomic` object.
    fn atomic_object(&mut self) -> Line {
        let (register, by) = (self.register(), self.local());
        match self.random.u32(0..6) {
            0 => Line::new(format!("z = {by};"), format!("k := {by}; atomic m[{Z}] := k;")),
            1 => Line::new(format!("{register} = z;"), format!("{register} := m[{Z}];")),
            2 => Line::new(format!("z += {by};"), format!("j := {by}; k := fetch_add(m[{Z}], j);")),
            3 => Line::new(
                format!("{register} = z++;"),
                format!("{register} := fetch_add(m[{Z}], 1);"),
            ),
            4 => Line::new(
                format!("{register} = --z;"),
                format!("k := fetch_add(m[{Z}], -1); {register} := k - 1;"),
            ),
            _ => Line::new(
                format!("atomic_store_explicit(&z, {by}, memory_order_release);"),
                format!("k := {by}; sfence; m[{Z}] := k;"),
            ),
        }
    }

    /// A compound assignment: a load and a store.
    fn plain_update(&mut self) -> Line {
        let (cell, by) = (self.cell(), self.local());
        let (c, op) = (CELLS[cell], self.pick(&["+", "-", "^", "|"]));
        match self.random.u32(0..3) {
            0 => Line::new(format!("{c}++;"), format!("m[{cell}] := m[{cell}] + 1;")),
            1 => Line::new(
                format!("r2 = --{c};"),
                format!("k := m[{cell}]; m[{cell}] := k - 1; r2 := k - 1;"),
            ),
            _ => Line::new(
                format!("{c} {op}= {by};"),
                format!("j := {by}; k := m[{cell}]; m[{cell}] := k {op} j;"),
            ),
        }
    }

    /// A structure is assigned cell by cell.
    fn copy(&mut self) -> Line {
        match self.random.bool() {
            true => Line::new("s = t;", "k := m[4]; m[2] := k; k := m[5]; m[3] := k;"),
            false => Line::new("t = s;", "k := m[2]; m[4] := k; k := m[3]; m[5] := k;"),
        }
    }

    /// The shared pointer is set or followed.
    fn shared_pointer(&mut self) -> Line {
        let (cell, register, value) = (self.cell(), self.register(), self.local());
        match self.random.u32(0..4) {
            0 => Line::new(format!("p = &{};", CELLS[cell]), format!("p := {cell};")),
            1 => Line::new(
                format!("__atomic_store_n(&p, &{}, __ATOMIC_RELEASE);", CELLS[cell]),
                format!("sfence; p := {cell};"),
            ),
            2 => Line::new(format!("{register} = *p;"), format!("i := p; {register} := m[i];")),
            _ => Line::new(format!("*p = {value};"), format!("j := {value}; i := p; m[i] := j;")),
        }
    }

    /// A local pointer into an array, moved.
    fn local_pointer(&mut self) -> Line {
        let (register, value, index) = (self.register(), self.local(), self.register());
        match self.random.u32(0..3) {
            0 => Line::new(
                format!("{{ int *w = &v[{index} & 1]; *w = {value}; }}"),
                format!("i := 6 + ({index} & 1); j := {value}; m[i] := j;"),
            ),
            1 => Line::new(
                format!("{{ int *w = v; w += {index} & 1; {register} = *w; }}"),
                format!("i := 6 + ({index} & 1); {register} := m[i];"),
            ),
            _ => Line::new(
                format!("v[{index} & 1] = {value};"),
                format!("i := 6 + ({index} & 1); j := {value}; m[i] := j;"),
            ),
        }
    }

    fn structure_pointer(&mut self) -> Line {
        let (register, condition, value) = (self.register(), self.register(), self.local());
        let (field, offset) = if self.random.bool() { ("a", 0) } else { ("b", 1) };
        let pointer = format!("struct pair *sp = {condition} > 0 ? &s : &t;");
        let found = format!("i := ({condition} > 0 ? 2 : 4) + {offset};");
        match self.random.bool() {
            true => Line::new(
                format!("{{ {pointer} sp->{field} = {value}; }}"),
                format!("j := {value}; {found} m[i] := j;"),
            ),
            false => Line::new(
                format!("{{ {pointer} {register} = sp->{field}; }}"),
                format!("{found} {register} := m[i];"),
            ),
        }
    }

    /// A call of a function of the program.
    fn helper(&mut self) -> Line {
        let (cell, register, value) = (self.cell(), self.register(), self.local());
        let c = CELLS[cell];
        match self.random.u32(0..4) {
            0 => Line::new(format!("{register} = get(&{c});"), format!("{register} := m[{cell}];")),
            1 => Line::new(
                format!("put(&{c}, {value});"),
                format!("j := {value}; sfence; m[{cell}] := j;"),
            ),
            2 => Line::new(
                format!("{register} = raise(&{c}, {value});"),
                format!(
                    "j := {value}; k := m[{cell}]; if k < j {{ m[{cell}] := j; {register} := 1; }} else {{ {register} := 0; }}"
                ),
            ),
            _ => {
                let text = format!("s = make({value});");
                Line::new(text, format!("j := {value}; m[2] := j; m[3] := j + 1;"))
            }
        }
    }

    fn function_pointer(&mut self) -> Line {
        let (cell, register, value) = (self.cell(), self.register(), self.local());
        Line::new(
            format!(
                "{{ void (*f)(int *, int) = {register} > 0 ? put : plain; f(&{}, {value}); }}",
                CELLS[cell]
            ),
            format!(
                "j := {value}; if {register} > 0 {{ sfence; m[{cell}] := j; }} else {{ m[{cell}] := j; }}"
            ),
        )
    }

    fn branch(&mut self, depth: u32) -> Line {
        let (condition, yes, no) =
            (self.condition(), self.statement(depth + 1), self.statement(depth + 1));
        Line::new(
            format!("if ({}) {{ {} }} else {{ {} }}", condition.c, yes.c, no.c),
            format!("if {} {{ {} }} else {{ {} }}", condition.taut, yes.taut, no.taut),
        )
    }

    fn bounded_loop(&mut self, depth: u32) -> Line {
        self.loops += 1;
        let name = format!("n{}", self.loops);
        let body = self.statement(depth + 1);
        let leave = self.condition();
        Line::new(
            format!(
                "for (int {name} = 0; {name} < 2; {name}++) {{ {} if ({}) break; }}",
                body.c, leave.c
            ),
            format!(
                "local int {name}; {name} := 0; while {name} < 2 {{ {} if {} {{ break; }} {name} := {name} + 1; }}",
                body.taut, leave.taut
            ),
        )
    }

    /// Waits for a value, which may never come: no run goes on then, in both programs.
    fn spin(&mut self) -> Line {
        let (cell, number) = (self.cell(), self.number());
        Line::new(
            format!("while (__atomic_load_n(&{}, __ATOMIC_ACQUIRE) == {number}) ;", CELLS[cell]),
            format!("while m[{cell}] == {number} {{ skip; }}"),
        )
    }

    fn critical_section(&mut self, _depth: u32) -> Line {
        let (one, two) = (self.statement(2), self.statement(2));
        Line::new(
            format!(
                "pthread_mutex_lock(&mutex); {} {} pthread_mutex_unlock(&mutex);",
                one.c, two.c
            ),
            format!(
                "locked {{ assume(mutex == 0); mutex := 1; }} {} {} locked {{ mutex := 0; }}",
                one.taut, two.taut
            ),
        )
    }

    fn switch(&mut self, depth: u32) -> Line {
        let (register, one, two) =
            (self.register(), self.statement(depth + 1), self.statement(depth + 1));
        Line::new(
            format!(
                "switch ({register}) {{ case 0: {} break; case 1: {} default: r2 = {register}; }}",
                one.c, two.c
            ),
            format!(
                "k := {register}; q := k; if k == 0 {{ {} }} else if k == 1 {{ {} r2 := {register}; }} else {{ r2 := {register}; }}",
                one.taut, two.taut
            ),
        )
    }
}

/// A store by a builtin: the value is computed before the fence and the store.
fn stored(cell: usize, value: &Line, order: &str, store: &str) -> Line {
    Line::new(
        format!("__atomic_store_n(&{}, {}, {order});", CELLS[cell], value.c),
        format!("k := {}; {store}", value.taut),
    )
}

/// The name of an operation among the `__sync` builtins.
fn legacy(name: &str) -> String {
    match name.strip_prefix("fetch_") {
        Some(op) => format!("fetch_and_{op}"),
        None => name.replace("_fetch", "_and_fetch"),
    }
}
