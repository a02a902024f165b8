//! The text of steps that name elements and fields: `n[i].next`, where the model has `n.next[i]`.
//!
//! The text of the model is rewritten. An index that does not have the form that this crate gives to indices of
//! several dimensions stays flat.

use taut_ir::{DefId, Effect, ProcessDef, Program};

use super::Lowering;

/// Rewrites the texts of the steps of a definition.
pub(super) fn rewrite(cx: &Lowering<'_>, def: &mut ProcessDef) {
    let vars = cx.program.vars.iter().filter(|v| v.len.is_some());
    let vars = vars.filter_map(|v| Some((v.name.clone(), cx.layouts.form(v.span.start, &v.name)?)));
    let registers = def.registers.iter().filter(|r| r.len.is_some());
    let registers =
        registers.filter_map(|r| Some((r.name.clone(), cx.layouts.form(r.span.start, &r.name)?)));
    let mut forms: Vec<(String, (String, Vec<u32>))> = vars.chain(registers).collect();
    if forms.is_empty() {
        return;
    }
    let pools: Vec<String> = cx.pools.keys().map(|&name| name.to_owned()).collect();
    // A longer name first: it may begin with a shorter one.
    forms.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let steps = std::mem::take(&mut def.steps);
    let shown =
        Program { vars: cx.program.vars.clone(), defs: vec![def.clone()], ..Program::default() };
    def.steps = steps;
    for step in &mut def.steps {
        taut_budget::tick();
        // Names of other definitions are not known here.
        if step.effects.iter().any(|e| matches!(e, Effect::Spawn { .. })) {
            continue;
        }
        let before = shown.show_step(DefId(0), step).to_string();
        let mut text = before.clone();
        for (name, (form, dims)) in &forms {
            text = with_form(&text, name, form, dims);
        }
        for pool in &pools {
            text = with_references(&text, pool);
            text = taken_or_freed(&text, pool).unwrap_or(text);
        }
        if text != before {
            step.text = Some(text);
        }
    }
}

/// The text of a step of `new` or `free`.
fn taken_or_freed(text: &str, pool: &str) -> Option<String> {
    let live = format!("{pool} live[");
    if let Some(inside) = text.strip_prefix(&format!("locked {{ {live}{live}")) {
        let end = top_level(inside, ']')?;
        return inside[end..]
            .starts_with("] + 1] := -3")
            .then(|| format!("free {}", &inside[..end]));
    }
    text.strip_prefix(&format!("assume({live}"))?;
    let (_, effect) = text.split_once("); ")?;
    let (places, _) = effect.split_once(" := ")?;
    let place = match places.strip_prefix(&live) {
        Some(places) => places.split_once("], ")?.1,
        None => places,
    };
    Some(format!("{place} := new {pool}"))
}

/// A text with every `node[node live[r]].next` as `r.next`.
fn with_references(text: &str, pool: &str) -> String {
    let before = format!("{pool}[{pool} live[");
    let mut text = text.to_owned();
    // The innermost first: what is around it becomes the next innermost.
    while let Some(at) = text.rfind(&before) {
        let inside = &text[at + before.len()..];
        let Some(close) = top_level(inside, ']').filter(|&end| inside[end..].starts_with("]]."))
        else {
            return text;
        };
        let reference = &inside[..close];
        let simple = reference.chars().all(|c| c.is_alphanumeric() || "_'.[]".contains(c));
        let reference = if simple { reference.to_owned() } else { format!("({reference})") };
        text = format!("{}{reference}{}", &text[..at], &inside[close + 2..]);
    }
    text
}

/// A text with every `name[index]` in another form.
fn with_form(text: &str, name: &str, form: &str, dims: &[u32]) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(&format!("{name}[")) {
        let (before, found) = rest.split_at(at);
        let open = &found[name.len() + 1..];
        let joined =
            before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '`'));
        let close = top_level(open, ']').filter(|_| !joined);
        let indices = close.and_then(|close| split(&open[..close], dims));
        out.push_str(before);
        match (close, indices) {
            (Some(close), Some(indices)) => {
                let mut indices = indices.into_iter();
                for part in form.split("[]") {
                    out.push_str(part);
                    if let Some(index) = indices.next() {
                        out.push_str(&format!("[{}]", with_form(&index, name, form, dims)));
                    }
                }
                rest = &open[close + 1..];
            }
            _ => {
                out.push_str(&found[..name.len() + 1]);
                rest = open;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The first place of a character outside of all parentheses and brackets.
fn top_level(text: &str, wanted: char) -> Option<usize> {
    let mut depth = 0u32;
    for (at, c) in text.char_indices() {
        if depth == 0 && c == wanted {
            return Some(at);
        }
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// The indices of all dimensions from a flat index.
fn split(index: &str, dims: &[u32]) -> Option<Vec<String>> {
    let index = without_parentheses(index);
    let mut flat = index.to_owned();
    if let (Some(inner), Some(question)) = (index.strip_suffix(" : -1"), top_level(index, '?')) {
        flat = inner.get(question + 2..)?.to_owned();
    }
    let mut all = Vec::new();
    for &len in dims.iter().skip(1).rev() {
        if let Ok(number) = flat.parse::<u64>() {
            all.push((number % u64::from(len)).to_string());
            flat = (number / u64::from(len)).to_string();
            continue;
        }
        let plus = last_plus(&flat)?;
        let (row, column) = (flat[..plus].to_owned(), flat[plus + 3..].to_owned());
        all.push(column);
        flat = match (row.strip_suffix(&format!(" * {len}")), row.parse::<u64>()) {
            (Some(row), _) => without_parentheses(row).to_owned(),
            (None, Ok(number)) if number % u64::from(len) == 0 => {
                (number / u64::from(len)).to_string()
            }
            _ => return None,
        };
    }
    all.push(flat);
    all.reverse();
    Some(all)
}

/// The last ` + ` outside of all parentheses.
fn last_plus(text: &str) -> Option<usize> {
    let mut found = None;
    let mut from = 0;
    while let Some(at) = top_level(&text[from..], '+') {
        let at = from + at;
        if text[..at].ends_with(' ') && text[at + 1..].starts_with(' ') {
            found = Some(at - 1);
        }
        from = at + 1;
    }
    found
}

fn without_parentheses(text: &str) -> &str {
    let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    inner.filter(|t| top_level(t, ')').is_none()).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_followed_as_in_the_text() {
        let one = |text: &str| with_references(text, "node");
        assert_eq!(
            one("node[node live[r]].next := node[node live[a[i]]].next"),
            "r.next := a[i].next"
        );
        let twice = "x := node[node live[node[node live[r]].next]].value";
        assert_eq!(one(twice), "x := r.next.value");
        assert_eq!(one("node[node live[i + 1]].next"), "(i + 1).next");
        let step = |text: &str| taken_or_freed(text, "node");
        let new = "assume(node live[2] == -3 || node live[2] == -4 && !(node live[1] == -4)); node live[2], n := 1, 2";
        assert_eq!(step(new).as_deref(), Some("n := new node"));
        let none = "assume(node live[1] >= 0 && node live[2] >= 0); n := 0";
        assert_eq!(step(none).as_deref(), Some("n := new node"));
        let free = "locked { node live[node live[t] + 1] := -3 }";
        assert_eq!(step(free).as_deref(), Some("free t"));
        assert_eq!(step("n := 0"), None);
    }

    #[test]
    fn elements_and_fields_are_written_as_in_the_text() {
        let one = |text: &str| with_form(text, "n.next", "n[].next", &[4]);
        assert_eq!(one("n.next[i + 1] := n.next[n.next[0]]"), "n[i + 1].next := n[n[0].next].next");
        assert_eq!(one("m.n.next[1] := n.next' + 1"), "m.n.next[1] := n.next' + 1");
        let two = |text: &str| with_form(text, "a", "a[][]", &[2, 3]);
        assert_eq!(two("a[5] := a[i * 3 + j]"), "a[1][2] := a[i][j]");
        assert_eq!(two("a[(0 <= j && j < 3 ? (i + 1) * 3 + j : -1)] := 1"), "a[i + 1][j] := 1");
        assert_eq!(two("a[3 + j] := ba[1] + a[k]"), "a[1][j] := ba[1] + a[k]");
    }
}
