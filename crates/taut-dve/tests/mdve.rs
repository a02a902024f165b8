//! Parameterised models, expanded by m4, which `scripts/setup` installs.

use taut_diag::{SourceMap, render_all};
use taut_dve::m4::{M4Error, expand};

/// Expands a model.
fn expanded(text: &str, defines: &[&str]) -> Result<String, M4Error> {
    let defines: Vec<String> = defines.iter().map(|d| d.to_string()).collect();
    let result = expand(text, &defines);
    if let Err(error) = &result {
        assert!(!error.is_missing(), "the tests need m4: {error}");
    }
    result
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
fn the_messages_of_m4_name_the_lines_of_the_model() {
    let result = expanded("byte x;\nbyte y;\ndefine(`open\n", &[]);
    let message = result.expect_err("an open quotation").to_string();
    assert!(message.contains("stdin:3:"), "{message}");
}

#[test]
fn a_model_cannot_reach_outside() {
    let calls = [
        "syscmd(`echo outside')",
        "esyscmd(`echo outside')",
        "include(`/etc/passwd')",
        "sinclude(`/etc/passwd')",
        "undivert(`/etc/passwd')",
        "builtin(`esyscmd', `echo outside')",
        "indir(`esyscmd', `echo outside')",
        "define(`run', defn(`esyscmd'))run(`echo outside')",
    ];
    for call in calls {
        match expanded(call, &[]) {
            Err(_) => {}
            // The call stands there as it was written, and nobody answered.
            Ok(text) => {
                assert!(!text.contains("root:") && text.trim() != "outside", "{call}: {text}")
            }
        }
    }
}

#[test]
fn limits_hold() {
    let grows = "define(`f', `$1$1 f(`$1$1')')f(`xxxxxxxxxxxxxxxx')";
    let result = expanded(grows, &[]);
    result.expect_err("more than anybody wants");
    let text = format!("forloop(i, 1, 3000000, `{}')", "x".repeat(100));
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
