//! Shapes of programs that languages of buffers do not converge on: loops that store what they chose, counted or loaded.
//!
//! Each has a variant that is violated under TSO and one that holds. The verdicts follow from the text by hand.

/// A program of a shape.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The shape, in words that are also the name of a test.
    pub group: &'static str,
    /// The program.
    pub name: &'static str,
    /// Its text in the Taut language.
    pub text: String,
    /// Whether something is violated under TSO.
    pub is_violated: bool,
}

const A_LOOP_THAT_STORES_WHAT_IT_CHOOSES: &str = "
    shared bool y = 0;
    process p begin local bool r, c; loop { r := y; c := choose(0..1); y := c; } end
    process q begin local bool r; r := y; y := 1; r := y; done: ; end
    forbid bad: q@done && HOLE;";

const A_LOOP_THAT_CHOOSES_ITS_STORE_BESIDE_A_COPIER: &str = "
    shared bool x = 0, y = 0;
    process p begin loop { choose { x := 1; } or { y := 1; } or { x := 0; } } end
    process q begin local bool r; loop { r := x; again: y := r; } end
    forbid bad: HOLE;";

const THREE_STORING_LOOPS_OF_WHICH_ONE_COPIES: &str = "
    shared bool x = 0, y = 0, z = 0;
    process p begin loop { x := 1; y := 1; x := 0; } end
    process q begin loop { y := 0; z := 1; } end
    process r begin local bool s; loop { s := y; z := s; } end
    forbid bad: HOLE;";

const A_WRAPPING_COUNTER_BESIDE_A_COPIER: &str = "
    shared wrap 0..2 x = 0; shared 0..2 y = 0;
    process p begin local wrap 0..2 c; loop { c := c + 1; x := c; } end
    process q begin local 0..2 r; loop { r := x; y := r; } end
    forbid bad: HOLE;";

const A_STORE_THAT_IS_READ_BACK_BESIDE_A_WRITER: &str = "
    shared bool x = 0, y = 0;
    process p begin local bool r; loop { x := 1; r := x; if (r == 1) { y := 1; } else { y := 0; } } end
    process q begin loop { x := 0; x := 1; } end
    process o begin await(y == 1); await(y == 0); bad: ; end
    forbid bad: HOLE;";

const LOCKS_THAT_STORE_WHILE_THEY_WAIT: &str = "
    shared bool flag[2] = 0;
    process p[2](i) begin
    loop {
    start: flag[i] := 1; HOLE
    choose { await(flag[1 - i] == 0); } or { await(flag[1 - i] == 1); flag[i] := 0; goto start; }
    cs: skip;
    flag[i] := 0;
    }
    end
    forbid mutex: p[0]@cs && p[1]@cs;";

const A_TOGGLE_OF_A_CHOSEN_ELEMENT: &str = "
    shared bool a[2] = 0; shared bool x = 0;
    process p begin local bool c, r; loop { c := choose(0..1); r := a[c]; a[c] := 1 - r; } end
    process q begin local bool r, s; loop { r := a[0]; s := a[1]; seen: x := r; } end
    forbid bad: HOLE;";

const STORES_OF_WHAT_WAS_LOADED_OVER_THREE_VARIABLES: &str = "
    shared bool x = 0, y = 0, z = 0;
    process p begin local bool r; loop { x := 1; r := y; z := r; } end
    process q begin local bool r; loop { r := z; y := r; x := 0; } end
    forbid bad: HOLE;";

fn shape(group: &'static str, name: &'static str, text: String, is_violated: bool) -> Shape {
    Shape { group, name, text, is_violated }
}

/// All shapes.
pub fn shapes() -> Vec<Shape> {
    vec![
        shape(
            "a_loop_that_stores_what_it_chooses",
            "toggled",
            A_LOOP_THAT_STORES_WHAT_IT_CHOOSES.replace("HOLE", "q:r == 0"),
            true,
        ),
        shape(
            "a_loop_that_stores_what_it_chooses",
            "never both",
            A_LOOP_THAT_STORES_WHAT_IT_CHOOSES.replace("HOLE", "q:r == 0 && q:r == 1"),
            false,
        ),
        shape(
            "a_loop_that_chooses_its_store_beside_a_copier",
            "copied",
            A_LOOP_THAT_CHOOSES_ITS_STORE_BESIDE_A_COPIER
                .replace("HOLE", "q@again && q:r == 1 && x == 0 && y == 1"),
            true,
        ),
        shape(
            "a_loop_that_chooses_its_store_beside_a_copier",
            "not copied",
            A_LOOP_THAT_CHOOSES_ITS_STORE_BESIDE_A_COPIER.replace("HOLE", "x == 1 && x == 0"),
            false,
        ),
        shape(
            "three_storing_loops_of_which_one_copies",
            "three loops",
            THREE_STORING_LOOPS_OF_WHICH_ONE_COPIES.replace("HOLE", "x == 0 && y == 1 && z == 0"),
            true,
        ),
        shape(
            "three_storing_loops_of_which_one_copies",
            "three loops that hold",
            THREE_STORING_LOOPS_OF_WHICH_ONE_COPIES
                .replace("HOLE", "view(p, x) != 0 && view(p, x) != 1"),
            false,
        ),
        shape(
            "a_wrapping_counter_beside_a_copier",
            "counted",
            A_WRAPPING_COUNTER_BESIDE_A_COPIER.replace("HOLE", "y == 2 && x == 1"),
            true,
        ),
        shape(
            "a_wrapping_counter_beside_a_copier",
            "counted within range",
            A_WRAPPING_COUNTER_BESIDE_A_COPIER.replace("HOLE", "y == 2 && y == 1"),
            false,
        ),
        shape(
            "a_store_that_is_read_back_beside_a_writer",
            "read back",
            A_STORE_THAT_IS_READ_BACK_BESIDE_A_WRITER.replace("HOLE", "o@bad"),
            true,
        ),
        shape(
            "a_store_that_is_read_back_beside_a_writer",
            "read back, alone",
            A_STORE_THAT_IS_READ_BACK_BESIDE_A_WRITER
                .replace("HOLE", "o@bad")
                .replace("loop { x := 0; x := 1; }", "skip;"),
            false,
        ),
        shape(
            "locks_that_store_while_they_wait",
            "insisting",
            LOCKS_THAT_STORE_WHILE_THEY_WAIT.replace("HOLE", ""),
            true,
        ),
        shape(
            "locks_that_store_while_they_wait",
            "insisting with fences",
            LOCKS_THAT_STORE_WHILE_THEY_WAIT.replace("HOLE", "fence;"),
            false,
        ),
        shape(
            "a_toggle_of_a_chosen_element",
            "toggled elements",
            A_TOGGLE_OF_A_CHOSEN_ELEMENT
                .replace("HOLE", "q@seen && q:r == 1 && q:s == 1 && a[0] == 0 && a[1] == 0"),
            true,
        ),
        shape(
            "a_toggle_of_a_chosen_element",
            "toggled elements within range",
            A_TOGGLE_OF_A_CHOSEN_ELEMENT.replace("HOLE", "a[0] == 1 && a[0] == 0"),
            false,
        ),
        shape(
            "stores_of_what_was_loaded_over_three_variables",
            "out of thin air",
            STORES_OF_WHAT_WAS_LOADED_OVER_THREE_VARIABLES.replace("HOLE", "y == 1 || z == 1"),
            false,
        ),
        shape(
            "stores_of_what_was_loaded_over_three_variables",
            "over three variables",
            STORES_OF_WHAT_WAS_LOADED_OVER_THREE_VARIABLES.replace("HOLE", "x == 1 && y == 0"),
            true,
        ),
    ]
}
