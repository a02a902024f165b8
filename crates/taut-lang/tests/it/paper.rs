//! The grammar of the paper (Fig. 1), as it stands.

use crate::common;
use common::{points, program, steps};

const EVERYTHING: &str = "
Svar s1 s2
Gvar g1 g2
main m begin
  l0: skip;
  l1: assume(g1 = 0);
  l2: g1, g2 := g2 + 1, g1;
  l3: call f;
  l4: if (g1 = 1) then l5: skip; else l6: g1 := 0; fi;
  l7: while (g1 < 3) do l8: g1 := g1 + 1; od;
  l9: atomic_begin;
  l10: s1 := g1;
  l11: atomic_end;
  l12: spawn p;
  l13: fence;
  l14: g1 := s2;
  l15: s1, g2 := g1, g1;
  l16: return;
end
process p begin
  k0: s2 := g2;
  k1: assert(g2 = 0);
end
procedure f begin
  f0: g1 := 5;
  f1: return;
end
";

#[test]
fn every_production_is_accepted() {
    let p = program(EVERYTHING);
    assert_eq!(p.vars.len(), 2);
    assert_eq!(p.processes[0].name, "m");
    assert_eq!(p.processes[1].name, "p#1");
    assert_eq!(p.properties[0].name, "assert:22");
    let labels: Vec<String> = points(&p.defs[0]);
    for label in (0..=16).map(|i| format!("l{i}")) {
        let found = p.defs[0].labelled(&label).len();
        assert_eq!(found, 1, "{label} in {labels:?}");
    }
}

#[test]
fn every_statement_is_one_step_and_every_condition_two() {
    let p = program(EVERYTHING);
    assert_eq!(
        steps(&p, "m"),
        "0 -> 1: skip
1 -> 2: assume(g1 == 0)
2 -> 3: g1, g2 := g2 + 1, g1
3 -> 18 then 4: call f
4 -> 5: assume(g1 == 1)
4 -> 6: assume(!(g1 == 1))
5 -> 7: skip
6 -> 7: g1 := 0
7 -> 8: assume(g1 < 3)
7 -> 9: assume(!(g1 < 3))
8 -> 7: g1 := g1 + 1
9 -> 10: fence
10 -> 11: locked { s1 := g1 }
11 -> 12: locked { skip }
12 -> 13: spawn p
13 -> 14: fence
14 -> 15: g1 := s2
15 -> 16: s1, g2 := g1, g1
16 -> 17: skip
18 -> 19: g1 := 5
19 -> return: return"
    );
}

#[test]
fn separators_of_the_variable_lists_are_optional() {
    for list in ["Svar a b Gvar g h", "Svar a, b; Gvar g, h;", "Svar a,b Gvar g h;"] {
        let p = program(&format!("{list} main m begin x: a := g; end"));
        assert_eq!(p.vars.len(), 2, "{list}");
        assert_eq!(p.defs[0].registers.len(), 2, "{list}");
    }
    assert!(program("Svar ; Gvar main m begin x: skip; end").vars.is_empty());
}
