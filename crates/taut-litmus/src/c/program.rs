//! The C text of a test: its locations as globals, its threads as functions.

use taut_c::threads::{Part, Root};

use super::{Function, Global, Tree, Value};

/// The headers that every test has, and the names of the Linux kernel.
const BEFORE: &str = concat!(
    "#include <stdatomic.h>\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n",
    include_str!("linux.h")
);

/// The parts of the program, its threads, and its globals.
pub(super) fn of(text: &str, tree: &Tree<'_>) -> (Vec<Part>, Vec<Root>, Vec<String>) {
    let mut all: Vec<Declared<'_>> = tree.globals.iter().map(Declared::of).collect();
    for param in tree.functions.iter().flat_map(|function| &function.params) {
        let is_atomic = text.get(param.ty.clone()).is_some_and(|ty| ty.contains("tomic"));
        match all.iter_mut().find(|known| known.name == param.name) {
            // The type of the initial block counts; of the parameters' the one that is atomic.
            Some(known) if known.ty.is_none() || known.is_param && is_atomic => {
                (known.ty, known.is_param) = (Some(param.ty.clone()), true);
            }
            Some(_) => {}
            None => all.push(Declared {
                name: param.name,
                ty: Some(param.ty.clone()),
                is_param: true,
                len: None,
                init: &[],
            }),
        }
    }
    // A location whose address is an initial value comes first.
    all.sort_by_key(|known| known.init.iter().any(|value| matches!(value, Value::Address(_))));
    let mut parts = vec![Part::Own(BEFORE.to_owned())];
    all.iter().for_each(|known| known.declare(&mut parts));
    tree.functions.iter().for_each(|function| define(function, &mut parts));
    let root = |function: &Function<'_>| Root {
        function: format!("P{}", function.number),
        arguments: function.params.iter().map(|param| param.name.to_owned()).collect(),
    };
    let names = all.iter().map(|known| known.name.to_owned()).collect();
    (parts, tree.functions.iter().map(root).collect(), names)
}

/// A location on its way to be a global.
struct Declared<'t> {
    name: &'t str,
    ty: Option<std::ops::Range<usize>>,
    /// True if the type is that of a parameter.
    is_param: bool,
    len: Option<u32>,
    init: &'t [Value<'t>],
}

impl<'t> Declared<'t> {
    fn of(global: &'t Global<'t>) -> Declared<'t> {
        let Global { name, ty, len, init, .. } = global;
        Declared { name, ty: ty.clone(), is_param: false, len: *len, init }
    }

    /// `TYPE NAME[LENGTH] = { VALUES };`
    fn declare(&self, parts: &mut Vec<Part>) {
        match &self.ty {
            Some(range) => parts.push(Part::Text(range.clone())),
            None => parts.push(Part::Own("int".into())),
        }
        let length = self.len.map_or_else(String::new, |length| format!("[{length}]"));
        let mut rest = format!(" {}{length}", self.name);
        let values: Vec<String> = self.init.iter().map(shown).collect();
        match (values.as_slice(), self.len) {
            ([], _) => {}
            ([one], None) => rest.push_str(&format!(" = {one}")),
            (values, _) => rest.push_str(&format!(" = {{ {} }}", values.join(", "))),
        }
        parts.push(Part::Own(rest + ";\n"));
    }
}

fn shown(value: &Value<'_>) -> String {
    match value {
        Value::Number(i64::MIN) => "(-9223372036854775807 - 1)".into(),
        Value::Number(value) => value.to_string(),
        Value::Address(name) => format!("&{name}"),
    }
}

fn define(function: &Function<'_>, parts: &mut Vec<Part>) {
    parts.push(Part::Own("static void\n".into()));
    parts.push(Part::Text(function.range.clone()));
}
