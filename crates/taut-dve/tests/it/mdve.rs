//! Parameterised models: the macro processor alone, and beside GNU m4, which `scripts/setup` installs.

use taut_dve::macros::{MacroError, expand};
use taut_source::{SourceMap, render_all};

/// Expands a model.
fn expanded(text: &str, defines: &[&str]) -> Result<String, MacroError> {
    let defines: Vec<String> = defines.iter().map(|d| d.to_string()).collect();
    expand(text, &defines)
}

/// Whether two texts are the same model.
fn same(a: &str, b: &str) -> bool {
    let mut map = SourceMap::new();
    let (a, b) = (map.add("a", a), map.add("b", b));
    let read = |file| match taut_dve::parse(&map, file) {
        Ok(parsed) => parsed.model,
        Err(error) => panic!("{}", render_all(&map, &error, false)),
    };
    taut_dve::same(&read(a), &read(b))
}

const RING: &str = "
default(N, 2) // how many
bool flag[N] = { myloop(x, 0, decr(N), `1', `,') };
define(node, `process P_$1 {
  state a, b; init a;
  trans a -> b { guard forallx(`flag[x] == true and ') true; effect flag[$1] = false; },
        b -> a { effect flag[eval(($1 + 1) % N)] = ifelse(ERROR, 1, 0, 1); };
}')
forloop(i, 0, decr(N), `node(i)')
system async;";

#[test]
fn parameters_and_loops() {
    let three = expanded(RING, &["N=3"]);
    let process = |i: u32, next: u32| {
        format!(
            "process P_{i} {{ state a, b; init a; trans
               a -> b {{ guard flag[0] == 1 and flag[1] == 1 and flag[2] == 1 and 1; effect flag[{i}] = 0; }},
               b -> a {{ effect flag[{next}] = 1; }}; }}"
        )
    };
    let plain = format!(
        "byte flag[3] = {{1, 1, 1}}; {} {} {} system async;",
        process(0, 1),
        process(1, 2),
        process(2, 0)
    );
    assert!(same(&three.expect("a model"), &plain));
    let two = expanded(RING, &["ERROR=1"]).expect("a model");
    assert!(two.contains("flag[1] = 0") && !two.contains("P_2"), "{two}");
}

#[test]
fn channels_with_a_process_in_the_middle() {
    let text = "
        buffer_channel(c, 2)
        bounded_loosy_channel(d, 1)
        process P { byte x; state a; init a; trans a -> a { sync c!x; }, a -> a { guard x != 1; sync d ! x; }; }
        process Q { byte x; state a; init a; trans a -> a { sync c?x; }, a -> a { sync d?x; }; }
        system async;";
    let result = expanded(text, &[]);
    let plain = "
        channel c_in, c_out; channel d_in, d_out;
        process P { byte x; state a; init a;
          trans a -> a { sync c_in!x; }, a -> a { guard x != 1; sync d_in!x; }; }
        process Q { byte x; state a; init a; trans a -> a { sync c_out?x; }, a -> a { sync d_out?x; }; }
        process channel_c {
          byte buf[2], buf_act; state q; init q;
          trans q -> q { guard not (buf_act == 2); sync c_in?buf[buf_act]; effect buf_act = buf_act + 1; },
                q -> q { guard not (buf_act == 0); sync c_out!buf[0];
                         effect buf[0] = buf[1], buf[1] = 0, buf_act = buf_act - 1; };
        }
        process channel_d {
          byte v, lost; state ready, tr; init ready;
          trans ready -> tr { sync d_in?v; },
                tr -> ready { guard lost < 1; effect lost = lost + 1; },
                tr -> ready { sync d_out!v; effect lost = 0; };
        }
        system async;";
    assert!(same(&result.expect("a model"), plain));
}

#[test]
fn messages_name_the_lines_of_the_model() {
    let cases = [
        ("byte x;\nbyte y;\ndefine(`open\n", "line 3: a quotation"),
        ("byte x;\ndefine(a, (1)\n", "line 2: the call of the macro `define` has no closing"),
        ("\n\nbyte y = eval(1 / 0);", "line 3: eval: `1 / 0` divides by zero"),
        ("\nbyte y = incr(z);", "line 2: incr: `z` is no number"),
        ("divert(3)", "line 1: divert: only divert(0) and divert(-1)"),
    ];
    for (text, message) in cases {
        let said = expanded(text, &[]).expect_err(text).to_string();
        assert!(said.starts_with(message), "{said}");
    }
}

/// Ways to reach outside of the text, in m4's own macros and round about.
const ATTACKS: [&str; 22] = [
    "syscmd(`echo outside')",
    "esyscmd(`echo outside')",
    "include(`/etc/passwd')",
    "sinclude(`/etc/passwd')",
    "undivert(`/etc/passwd')",
    "builtin(`esyscmd', `echo outside')",
    "indir(`esyscmd', `echo outside')",
    "define(`run', defn(`esyscmd'))run(`echo outside')",
    "define(`run', defn(`syscmd'))run(`echo outside')",
    "pushdef(`esyscmd')popdef(`esyscmd')esyscmd(`echo outside')",
    "undefine(`undefine')esyscmd(`echo outside')",
    "m4wrap(`esyscmd(`echo outside')')",
    "divert(-1)divert(0)esyscmd(`echo outside')",
    "ifdef(`esyscmd', `esyscmd(`echo outside')', `inside')",
    "maketemp(`/tmp/taut-XXXXXX')",
    "mkstemp(`/tmp/taut-XXXXXX')",
    "debugfile(`/tmp/taut-was-here')",
    "dumpdef(`esyscmd')",
    "changequote([,])esyscmd([echo outside])",
    "translit(`ftztdne', `ftz', `esy')(`echo outside')",
    "define(`e', `esys')define(`c', `cmd')e`'c(`echo outside')",
    "forloop(`esyscmd', 0, 1, `esyscmd(`echo outside')')",
];

#[test]
fn a_model_cannot_reach_outside() {
    let here = std::path::Path::new("/tmp/taut-was-here");
    for attack in ATTACKS {
        for define in [&[][..], &["undefine=x"], &["define=syscmd"], &["esyscmd=esyscmd"]] {
            // What comes out is a message, or the text of the attack as text.
            let text = expanded(attack, define).unwrap_or_default();
            let without_attack = text.replace("echo outside", "");
            assert!(
                !text.contains("root:") && !without_attack.contains("outside"),
                "{attack}: {text}"
            );
        }
    }
    assert!(!here.exists());
}

#[test]
fn limits_hold() {
    let grows = "define(`f', `$1$1 f(`$1$1')')f(`xxxxxxxxxxxxxxxx')";
    let itself = "define(`f', `f')f";
    let deep = format!("define(`f', `$1'){}", "f(".repeat(100_000));
    let quotes = "`".repeat(1_000_000);
    for text in [grows, itself, &deep, &quotes] {
        expanded(text, &[]).expect_err("more than a model needs");
    }
    let text = format!("forloop(i, 1, 3000000, `{}')", "x".repeat(2_000));
    let message = expanded(&text, &[]).expect_err("too much").to_string();
    assert!(message.contains("16 MB"), "{message}");
}

#[test]
fn parameters_have_a_name_and_a_value() {
    for bad in ["", "N", "=3", "3=N", "-o/tmp/x", "N M=3", "a-b=1", "N\0=1", "N=\0"] {
        let message = expand("x", &[bad.to_string()]).expect_err("no parameter").to_string();
        assert!(message.contains("expected NAME=VALUE"), "{message}");
    }
}

/// Expands a text by GNU m4, after the prelude.
fn by_m4(text: &str, defines: &[&str]) -> Option<String> {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let prelude = include_str!("../../src/macros/prelude.m4").lines();
    let prelude: Vec<_> = prelude.filter(|l| !l.starts_with('#') && !l.is_empty()).collect();
    // A text that expands without end must not take the machine with it.
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v 500000; ulimit -t 5; exec m4 \"$@\"", "m4"])
        .args(defines.iter().map(|define| format!("-D{define}")))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("m4, which scripts/setup installs");
    let input = format!("{}{text}", prelude.join(" "));
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("an end");
    // A reader that stops early is m4's own affair.
    let _ = writer.join();
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then_some(text)
}

/// What m4 says where macros have been used in every way that models use them.
const CORNERS: [&str; 24] = [
    "define(`a', `b')define(`b', `c')a b `a' ``a'' a`'b",
    "define(`f', `<$1|$2|$#|$*|$@|`$0'|$3>')f f() f(1) f(1,2) f( 1 , 2 ) f((1,2),3) f(`1,2',3)",
    "define(`f', `$10$1')f(1,2,3,4,5,6,7,8,9,x)",
    "define(`f', `$1')f(f(f(`f(1)'))) f(`f')(2)",
    "ifelse(a, b, 1, c, c, 2, 3) ifelse(a, b, 1, 2) ifelse(a, b, 1) ifelse(a, a, 1, 2, 3)",
    "ifelse(1,2,3,4,5) ifelse(x) ifelse",
    "ifdef(`define', yes, no) ifdef(`nothing', yes, no) ifdef(`nothing', yes)",
    "define(`x', 1)pushdef(`x', 2)x popdef(`x')x popdef(`x')x",
    "eval(1+2*3) eval((1+2)*3) eval(7%3) eval(-7/2) eval(1<2&&2<3) eval(!3) eval(1==1)",
    "incr(3) decr(3) incr(-1) decr( 4)",
    "len(abc) len() len index(abcabc, ca) index(a, b) index",
    "substr(abcdef, 2, 3) substr(abcdef, 4) substr(abc, 5) substr(abc, -1) substr",
    "translit(abc, a-c, A-C) translit(hello, el) translit(abc, c-a, xyz)",
    "a dnl b\nc // define(`x', 1) dnl\nx",
    "forloop(`i', 1, 3, `i ') forloop(i, 3, 1, `i ') forloop(i, 0, 2, `forloop(`j', 0, i, `(i,j)')')",
    "myloop(x, 0, 3, `a[x]', `,') default(N, 3)N default(N, 4)N forallx(`x;')",
    "define(`f', defn(`forallx'))define(`N', 2)f(`x.')",
    "divert(-1) lost divert(0)kept divert(-1)lost again divert`'kept again",
    "shift(1,2,3) define(`rest', `shift($@)')rest(a,`b,c',d)",
    "define(`quote', ``$1'')quote(`quote') `nested `quotes' here' it`'s",
    "define(`f', `define(`g', `$1 $$1 $ $')')f(2)g(3)",
    "stack(s, 3) push(s, 1); pop(s); top(s); full(s) empty(s) pop_front(s)",
    "define(`count', `ifelse($1, 0, , `$1 count(decr($1))')')count(5)",
    "ä`ö'ü define(`f', `$1ß')f(ñ) // ä\n",
];

#[test]
fn expansions_are_those_of_m4() {
    for text in CORNERS {
        let ours = expanded(text, &[]).expect(text);
        let theirs = by_m4(text, &[]).expect("m4 reads it");
        assert_eq!(ours, theirs, "{text}");
    }
}

/// Pieces of which random texts are made.
const PIECES: [&str; 30] = [
    "define(`a', `",
    "')",
    "a",
    "b",
    "(",
    ")",
    ",",
    "`",
    "'",
    " ",
    "\n",
    "$1",
    "$2",
    "$#",
    "$@",
    "ifelse(",
    "a, ",
    "b, ",
    "incr(1)",
    "decr(2)",
    "// ",
    "pushdef(`b', `",
    "popdef(`b')",
    "shift(",
    "dnl ",
    "len(",
    "1",
    "eval(1+1)",
    "define(`b', ",
    "ifdef(`a', ",
];

#[test]
fn random_texts_expand_as_m4_expands_them() {
    const TEXTS: u32 = 1_200;
    // Texts that both accept; m4 takes some that are refused here, with a warning of its own.
    const AT_LEAST: u32 = 100;
    let (mut random, mut compared) = (0x9E37_79B9_7F4A_7C15_u64, 0);
    for _ in 0..TEXTS {
        let mut text = String::from("define(`a', `<$1>')");
        for _ in 0..12 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            text.push_str(PIECES[(random >> 33) as usize % PIECES.len()]);
        }
        let Ok(ours) = expanded(&text, &[]) else { continue };
        let Some(theirs) = by_m4(&text, &[]) else { continue };
        assert_eq!(ours, theirs, "{text}");
        compared += 1;
    }
    assert!(compared >= AT_LEAST, "{compared} texts were compared");
}

#[test]
fn beem_models_expand_as_m4_expands_them() {
    let Some(corpus) = taut_testkit::corpus::find("BEEM models with parameters") else { return };
    let mut compared = 0;
    for entry in std::fs::read_dir(corpus.join("beem/mdve")).expect("a folder") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a model");
        for defines in [&[][..], &["N=3"], &["N=4", "ERROR=1"]] {
            let ours =
                expanded(&text, defines).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let theirs = by_m4(&text, defines).expect("m4 reads it");
            let theirs = theirs.split("@channels").next().unwrap_or_default().to_string();
            if text.contains("_channel(") {
                continue;
            }
            assert_eq!(ours, theirs, "{}", path.display());
            compared += 1;
        }
    }
    assert!(compared >= 60, "{compared} expansions were compared");
}
