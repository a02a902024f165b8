//! The user's names for cells and pointers.

use std::collections::{BTreeMap, HashMap};

use taut_ir::{Shown, ShownCell, VarId};

use super::layout::{Class, Counts, Layout};
use super::mir::{Mir, Object, ObjectId, Storage};
use super::points_to::Classes;

/// The words for all cells and pointers of a program.
pub(crate) fn shown(mir: &Mir, classes: &Classes, counts: &Counts, layout: &Layout) -> Shown {
    let mut shown = Shown::default();
    let mut tables: HashMap<usize, usize> = HashMap::new();
    for (index, class) in layout.classes.iter().enumerate() {
        let cells = cells_of(mir, counts, layout, class);
        let table = cells.iter().enumerate().map(|(cell, name)| {
            let address = (cell as i64 + 1) * mir.scale;
            (address, format!("&{name}"))
        });
        let mut table: BTreeMap<i64, String> = table.collect();
        table.insert(0, "NULL".into());
        tables.insert(index, shown.add_table(table));
    }
    for class in &layout.classes {
        let names = cells_of(mir, counts, layout, class);
        let mut cells: Vec<ShownCell> =
            names.into_iter().map(|name| ShownCell { name, table: None }).collect();
        for &object in &class.objects {
            let target = classes.behind(object).and_then(|node| layout.class(node));
            let Some(&table) = target.and_then(|class| tables.get(&class)) else { continue };
            mark_pointers(mir, layout, object, table, &mut cells);
        }
        let is_plain = class.total == 1 && cells[0].table.is_none();
        if !is_plain {
            shown.name_cells(class.var, cells);
        }
    }
    debug_assert!(layout.classes.iter().enumerate().all(|(i, c)| c.var == VarId::from(i)));
    shown
}

/// The cells that hold pointers show what they point to.
fn mark_pointers(mir: &Mir, layout: &Layout, id: ObjectId, table: usize, cells: &mut [ShownCell]) {
    let position = layout.positions[id.0 as usize];
    let object = &mir.objects[id.0 as usize];
    for copy in 0..position.copies {
        for (offset, cell) in object.cells.iter().enumerate().filter(|(_, c)| c.pointer) {
            debug_assert!(cell.pointer);
            let at = position.first - 1 + copy * position.stride + offset as i64;
            if let Some(shown) = cells.get_mut(at as usize) {
                shown.table = Some(table);
            }
        }
    }
}

/// The names of the cells of a class.
fn cells_of(mir: &Mir, counts: &Counts, layout: &Layout, class: &Class) -> Vec<String> {
    let mut names = vec!["(no object)".to_owned(); class.total as usize];
    for &id in &class.objects {
        let position = layout.positions[id.0 as usize];
        let object = &mir.objects[id.0 as usize];
        for copy in 0..position.copies {
            let name = copy_name(object, mir, counts, copy, position.copies);
            for cell in 0..position.cells {
                let suffix = match object.cells.get(cell as usize) {
                    Some(known) if object.cells.len() as i64 == position.cells => {
                        known.suffix.clone()
                    }
                    _ => format!("[{cell}]"),
                };
                let at = position.first - 1 + copy * position.stride + cell;
                names[at as usize] = format!("{name}{suffix}");
            }
        }
    }
    names
}

/// The name of a copy of an object.
fn copy_name(object: &Object, mir: &Mir, counts: &Counts, copy: i64, copies: i64) -> String {
    let name = &object.name;
    match object.storage {
        Storage::Static | Storage::Ghost => name.clone(),
        Storage::Heap { .. } => format!("{name}[{copy}]"),
        Storage::Frame(thread) => {
            let owner = &mir.threads[thread.0 as usize].name;
            let local = name.rsplit_once('.').map_or(name.as_str(), |(_, local)| local);
            match copies {
                1 => format!("{owner}:{local}"),
                _ => format!("{owner}#{}:{local}", copy + 1),
            }
        }
        Storage::ThreadLocal => match copy {
            0 => format!("main:{name}"),
            copy => format!("{}:{name}", thread_name(mir, counts, copy)),
        },
    }
}

/// The name of a thread by its number.
fn thread_name(mir: &Mir, counts: &Counts, number: i64) -> String {
    let number = number as u32;
    let index = counts.first.iter().rposition(|&first| first <= number).unwrap_or(0);
    let name = &mir.threads[index].name;
    match counts.slots[index] {
        0 | 1 => name.clone(),
        _ => format!("{name}#{}", number - counts.first[index] + 1),
    }
}
