//! Mutual exclusion in DVE, for any number of processes: our own texts of the classic algorithms, cut into
//! steps like the models of BEEM, so that published numbers of states apply to them.

fn system(declarations: &str, processes: usize, process: impl Fn(usize) -> String) -> String {
    let all: String = (0..processes).map(process).collect();
    format!("{declarations}\n{all}system async;\n")
}

/// Peterson's algorithm for n processes: n - 1 rooms, and in each somebody who came last.
pub fn peterson(n: usize) -> String {
    system(&format!("byte room[{n}]; byte last[{n}];"), n, |i| {
        format!(
            "process P_{i} {{ byte j, k; state idle, critical, enter, set, look; init idle;
trans idle -> enter {{ effect j = 1; }},
enter -> set {{ guard j < {n}; effect room[{i}] = j; }},
set -> look {{ effect last[j-1] = {i}, k = 0; }},
look -> look {{ guard k < {n} && (k == {i} || room[k] < j); effect k = k+1; }},
look -> enter {{ guard last[j-1] != {i} || k == {n}; effect j = j+1; }},
enter -> critical {{ guard j == {n}; }},
critical -> idle {{ effect room[{i}] = 0; }}; }}\n"
        )
    })
}

/// Lamport's fast mutual exclusion; 255 is nobody.
pub fn lamport(n: usize) -> String {
    system(&format!("byte b[{n}]; byte x = 255, y = 255;"), n, |i| {
        format!(
            "process P_{i} {{ byte j; state idle, critical, a, b1, b2, c, d, e, f, g; init idle;
trans idle -> a {{ effect b[{i}] = 1; }},
a -> b1 {{ effect x = {i}; }},
b1 -> b2 {{ guard y != 255; effect b[{i}] = 0; }},
b2 -> idle {{ guard y == 255; }},
b1 -> c {{ guard y == 255; }},
c -> d {{ effect y = {i}; }},
d -> critical {{ guard x == {i}; }},
d -> e {{ guard x != {i}; effect b[{i}] = 0, j = 0; }},
e -> e {{ guard j < {n} && b[j] == 0; effect j = j+1; }},
e -> f {{ guard j == {n}; }},
f -> critical {{ guard y == {i}; }},
f -> idle {{ guard y == 255; }},
critical -> g {{ effect y = 255; }},
g -> idle {{ effect b[{i}] = 0; }}; }}\n"
        )
    })
}

/// Lamport's bakery with tickets up to `most`.
pub fn bakery(n: usize, most: usize) -> String {
    system(&format!("byte choosing[{n}]; byte ticket[{n}];"), n, |i| {
        format!(
            "process P_{i} {{ byte j, max; state idle, choose, round, wait, critical; init idle;
trans idle -> choose {{ effect choosing[{i}] = true, j = 0, max = 0; }},
choose -> choose {{ guard j < {n} and ticket[j] > max; effect max = ticket[j], j = j+1; }},
choose -> choose {{ guard j < {n} and ticket[j] <= max; effect j = j+1; }},
choose -> round {{ guard j == {n} and max < {most};
  effect ticket[{i}] = max+1, j = 0, choosing[{i}] = false; }},
round -> wait {{ guard j < {n} and choosing[j] == false; }},
wait -> round {{ guard ticket[j] == 0 or ticket[j] > ticket[{i}] or
  (ticket[j] == ticket[{i}] and {i} <= j); effect j = j+1; }},
round -> critical {{ guard j == {n}; }},
critical -> idle {{ effect ticket[{i}] = 0; }}; }}\n"
        )
    })
}

/// Szymanski's algorithm. Its guards look at elements only where the index is in range.
pub fn szymanski(n: usize) -> String {
    system(&format!("byte a[{n}], w[{n}], s[{n}];"), n, |i| {
        format!(
            "process P_{i} {{ byte j; state idle, p2, p3, p4, p5, p6, q1, q4, p7, r1, p8, p9, critical;
init idle;
trans idle -> p2 {{ effect a[{i}] = 1, j = 0; }},
p2 -> p2 {{ guard j < {n} && s[j] == 0; effect j = j+1; }},
p2 -> p3 {{ guard j == {n}; }},
p3 -> p4 {{ effect w[{i}] = 1, a[{i}] = 0; }},
p4 -> p9 {{ guard s[{i}] == 1; effect j = 0; }},
p4 -> p5 {{ guard s[{i}] == 0; effect j = 0; }},
p5 -> p5 {{ guard j < {n} && a[j] == 0; effect j = j+1; }},
p5 -> p6 {{ guard not (j < {n} && a[j] == 0); }},
p6 -> p7 {{ guard j < {n}; }},
p6 -> q1 {{ guard j == {n}; effect s[{i}] = 1, j = 0; }},
q1 -> q1 {{ guard j < {n} && a[j] == 0; effect j = j+1; }},
q1 -> p7 {{ guard j < {n} && a[j] == 1; effect s[{i}] = 0; }},
q1 -> q4 {{ guard j == {n}; effect w[{i}] = 0, j = 0; }},
q4 -> q4 {{ guard j < {n} && w[j] == 0; effect j = j+1; }},
q4 -> p7 {{ guard j == {n}; }},
p7 -> p8 {{ guard j == {n}; }},
p7 -> r1 {{ guard j < {n}; effect j = 0; }},
r1 -> r1 {{ guard j < {n} && (w[j] == 1 || s[j] == 0); effect j = j+1; }},
r1 -> p8 {{ guard not (j < {n} && (w[j] == 1 || s[j] == 0)); }},
p8 -> p4 {{ guard j != {i} && j < {n}; effect s[{i}] = 1, w[{i}] = 0; }},
p8 -> p4 {{ guard not (j != {i} && j < {n}); }},
p9 -> p9 {{ guard j < {i} && w[j] == 0 && s[j] == 0; effect j = j+1; }},
p9 -> critical {{ guard j == {i}; }},
critical -> idle {{ effect s[{i}] = 0; }}; }}\n"
        )
    })
}

/// The queue lock of Mellor-Crummey and Scott; 255 is nobody.
pub fn mcs(n: usize) -> String {
    let nobody = vec!["255"; n].join(", ");
    let declarations = format!("byte next[{n}] = {{{nobody}}}; byte locked[{n}]; byte tail = 255;");
    system(&declarations, n, |i| {
        format!(
            "process P_{i} {{ byte before; state idle, a, b, c, d, e, critical, f, g, h; init idle;
trans idle -> a {{ effect next[{i}] = 255; }},
a -> b {{ effect before = tail, tail = {i}; }},
b -> critical {{ guard before == 255; }},
b -> c {{ guard before != 255; }},
c -> d {{ effect locked[{i}] = 1; }},
d -> e {{ effect next[before] = {i}; }},
e -> critical {{ guard locked[{i}] == 0; }},
critical -> f {{ guard next[{i}] == 255; }},
critical -> h {{ guard next[{i}] != 255; }},
f -> idle {{ guard tail == {i}; effect tail = 255; }},
f -> g {{ guard tail != {i}; }},
g -> h {{ guard next[{i}] != 255; }},
h -> idle {{ effect locked[next[{i}]] = 0; }}; }}\n"
        )
    })
}

/// Anderson's array lock; with `wrong`, the turn of a neighbour is taken away, and the counter overflows.
pub fn anderson(n: usize, wrong: bool) -> String {
    let taken = if wrong { format!("(place+{n}-1)%{n}") } else { "place".into() };
    system(&format!("byte turn[{n}] = {{1, 0}}; byte next = 0;"), n, |i| {
        format!(
            "process P_{i} {{ byte place; state idle, a, b, c, critical; init idle;
trans idle -> a {{ effect place = next, next = next+1; }},
a -> b {{ guard place == {n}-1; effect next = next-{n}; }},
a -> b {{ guard place != {n}-1; effect place = place%{n}; }},
b -> c {{ guard turn[place] == 1; }},
c -> critical {{ effect turn[{taken}] = 0; }},
critical -> idle {{ effect turn[(place+1)%{n}] = 1; }}; }}\n"
        )
    })
}
