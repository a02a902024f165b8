//! Values of C programs that come from outside: all of them where they only decide, some of them where they are kept.

use taut::frontends::Language;
use taut::load::{LoadOptions, from_bytes};
use taut::{Check, MemoryModel, Verdict, VerdictKind};

const HEAD: &str = "#include <assert.h>
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
unsigned long __VERIFIER_nondet_ulong(void);
unsigned char __VERIFIER_nondet_uchar(void);
";

/// The verdict of the whole and the coverage of its first answer, of a `main` with a body.
fn checked(body: &str, nondet: Option<&str>) -> Result<(VerdictKind, String), String> {
    let text = format!("{HEAD}int main(void) {{\n{body}\n}}\n");
    let mut options = LoadOptions::default();
    if let Some(values) = nondet {
        let all = Language::named("c").expect("a language").options();
        let option = all.iter().find(|option| option.name == "nondet").expect("an option");
        for word in values.split(',') {
            options = options.with(option, word).expect("a word");
        }
    }
    let loaded = from_bytes("values.c", text.clone().into_bytes(), options)
        .map_err(|error| error.to_string())?;
    let report = Check::of(&loaded).model(MemoryModel::Sc).run().expect("a report");
    let coverage = report.results.iter().find_map(|result| match &result.verdict {
        Verdict::Holds(coverage) => Some(coverage.to_string()),
        _ => None,
    });
    Ok((report.verdict_kind(), coverage.unwrap_or_default()))
}

#[track_caller]
fn holds(body: &str, coverage: &str) {
    let found = checked(body, None).expect("a program");
    assert_eq!(found, (VerdictKind::Holds, coverage.to_owned()), "{body}");
}

#[track_caller]
fn violated(body: &str) {
    assert_eq!(checked(body, None).expect("a program").0, VerdictKind::Violated, "{body}");
}

#[test]
fn a_value_that_only_decides_is_not_limited() {
    let all = "all executions";
    holds("int x = 0; if (__VERIFIER_nondet_int()) x = 1; assert(x < 2);", all);
    holds("int x = __VERIFIER_nondet_int() % 3; assert(x > -3 && x < 3);", all);
    holds("int x = __VERIFIER_nondet_uint() % 3; assert(x >= 0 && x < 3);", all);
    holds("long x = __VERIFIER_nondet_ulong() % 3; assert(x >= 0 && x < 3);", all);
    holds("_Bool x = __VERIFIER_nondet_int(); assert(x == 0 || x == 1);", all);
    holds("int x = 3 < __VERIFIER_nondet_int(); assert(x == 0 || x == 1);", all);
    holds("int y = 7, x = __VERIFIER_nondet_int() == y; assert(x == 0 || x == 1);", all);
    let cases =
        "int x = 0; switch (__VERIFIER_nondet_uchar()) { case 0 ... 255: break; case 300: x = 1; }";
    holds(&format!("{cases} assert(x == 0);"), all);
}

#[test]
fn a_value_that_only_decides_has_every_outcome() {
    violated("assert(__VERIFIER_nondet_int() != 123456);");
    violated("assert(__VERIFIER_nondet_int() < 123456);");
    violated("assert(123456 > __VERIFIER_nondet_int());");
    violated("int y = 99; assert(__VERIFIER_nondet_int() != y);");
    violated("assert(__VERIFIER_nondet_ulong() < 123456ul);");
    violated("switch (__VERIFIER_nondet_int()) { case 77: assert(0); }");
    violated("switch (__VERIFIER_nondet_uchar()) { case 0 ... 254: break; default: assert(0); }");
    violated("assert(__VERIFIER_nondet_int() % 3 != -2);");
    violated("assert((unsigned char)__VERIFIER_nondet_int() != 200);");
}

#[test]
fn a_comparison_that_cannot_be_true_is_not() {
    violated("assert(__VERIFIER_nondet_uchar() > 300);");
    holds("int x = __VERIFIER_nondet_uchar() < 300; assert(x);", WHOLE_UCHAR);
    holds("int x = __VERIFIER_nondet_ulong() >= 0ul; assert(x);", WHOLE_ULONG);
}

const WHOLE_UCHAR: &str = "up to values 0, 1, 255 of __VERIFIER_nondet_uchar() (line 9)";
const WHOLE_ULONG: &str =
    "up to values 0, 1, 9223372036854775807 of __VERIFIER_nondet_ulong() (line 9)";

#[test]
fn a_value_that_is_kept_has_some_values_and_the_coverage_names_them() {
    holds(
        "int x = __VERIFIER_nondet_int();\nif (x == 10) x = 0;\nassert(x != 10);",
        "up to values -2147483648, -1..1, 9..11, 2147483647 of __VERIFIER_nondet_int() (line 9)",
    );
    // The constants that the program compares with are tried, and the ends of the type.
    violated("int x = __VERIFIER_nondet_int(); if (x >= 1000) assert(x != 1000);");
    violated("int x = __VERIFIER_nondet_int(); if (x > 0) x++; ");
    violated("int x = rand(); assert(x != 17);");
}

#[test]
fn the_values_that_are_tried_can_be_given() {
    let body = "int x = __VERIFIER_nondet_int();\nassert(x != 12);";
    let found = checked(body, Some("-2..3,10")).expect("a program");
    let coverage = "up to values -2..3, 10 of __VERIFIER_nondet_int() (line 9)";
    assert_eq!(found, (VerdictKind::Holds, coverage.to_owned()));
    assert_eq!(checked(body, Some("11..=12")).expect("a program").0, VerdictKind::Violated);
    let whole = checked("int x = __VERIFIER_nondet_uchar(); assert(x < 256);", Some("0..255"));
    assert_eq!(whole, Ok((VerdictKind::Holds, "all executions".to_owned())));
}

#[test]
fn values_that_cannot_be_tried_are_refused() {
    let body = "int x = __VERIFIER_nondet_int(); assert(x);";
    for wrong in ["x", "3..1", "0..1000", "1.5"] {
        let refused = checked(body, Some(wrong)).expect_err("no value");
        assert!(refused.contains("C0207") && refused.contains(wrong), "{refused}");
    }
    let negative = checked("unsigned x = __VERIFIER_nondet_uint(); assert(x);", Some("-3..-1"));
    let refused = negative.expect_err("no value");
    assert!(refused.contains("no value of `--nondet` is between 0 and 4294967295"), "{refused}");
}

#[test]
fn a_local_without_a_value_is_no_value_from_outside() {
    violated("int x; if (__VERIFIER_nondet_int()) x = 1; assert(x == 1);");
}

#[test]
fn strings_are_copied_and_compared() {
    let body = "char a[8]; strcpy(a, \"ab\"); strcat(a, \"c\");
        assert(strlen(a) == 3 && strcmp(a, \"abc\") == 0 && strcmp(a, \"abd\") < 0 && strcmp(\"b\", a) > 0);
        assert(strncmp(a, \"abx\", 2) == 0 && strchr(a, 'c') == a + 2 && strchr(a, 'x') == 0);
        char b[4]; strncpy(b, \"x\", 4); assert(b[0] == 'x' && b[3] == 0);";
    holds(body, "all executions");
    violated("char a[3]; strcpy(a, \"abc\");");
}

#[test]
fn a_wait_and_its_exchange_are_one_step() {
    let text = "#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_xchg_await_aint(atomic_int *, int, int, int);
atomic_int x;
void *up(void *arg) { atomic_fetch_add(&x, 1); return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, up, 0);
  pthread_create(&u, 0, up, 0);
  int old = __VERIFIER_xchg_await_aint(&x, -5, CONDITION);
  assert(old OUTCOME);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(x == -5 || x == -4 || x == -3);
}
";
    let verdict = |condition: &str, outcome: &str| {
        let text = text.replace("CONDITION", condition).replace("OUTCOME", outcome);
        let loaded = taut::load::from_text("await.c", &text).expect("a program");
        // A wait may never end: that is no violation here.
        Check::of(&loaded).deadlock(false).run().expect("a report").verdict_kind()
    };
    // 2 is equal, 12 less with a sign, 1 greater, 5 different.
    for (condition, outcome) in
        [("2, 2", "== 2"), ("12, 1", "== 0"), ("1, 0", ">= 1"), ("5, 0", "!= 0")]
    {
        assert_eq!(verdict(condition, outcome), VerdictKind::Holds, "{condition}");
    }
    for (condition, outcome) in [("1, 0", "== 1"), ("5, 1", "== 0"), ("14, 1", "== 0")] {
        assert_eq!(verdict(condition, outcome), VerdictKind::Violated, "{condition}");
    }
}
