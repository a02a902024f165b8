//! Words of the source for cells and values, where the program model has others.
//!
//! A front end that puts several objects into one variable (C) says here what each cell is called, `q.head`, and
//! what the values of a cell mean, `&node[2]`. Only outputs look at it: no verdict depends on it.

use std::collections::BTreeMap;

use crate::ids::VarId;

/// The words of a program for its cells and values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Shown {
    cells: BTreeMap<VarId, Vec<ShownCell>>,
    tables: Vec<BTreeMap<i64, String>>,
    pools: BTreeMap<VarId, String>,
    /// Tables of registers, by the start of their declarations and their names: the numbers of registers differ between
    /// the bodies that a procedure is part of.
    registers: BTreeMap<(u32, String), usize>,
}

/// The words for a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ShownCell {
    /// Its name.
    pub name: String,
    /// The table with the names of its values.
    pub table: Option<usize>,
}

impl Shown {
    /// Adds a table with names of values.
    pub fn add_table(&mut self, table: BTreeMap<i64, String>) -> usize {
        self.tables.push(table);
        self.tables.len() - 1
    }

    /// Names the cells of a variable.
    pub fn name_cells(&mut self, var: VarId, cells: Vec<ShownCell>) {
        self.cells.insert(var, cells);
    }

    /// Names the values of a register, which is declared at this place of a text.
    pub fn name_register(&mut self, start: u32, name: impl Into<String>, table: usize) {
        self.registers.insert((start, name.into()), table);
    }

    /// The name of a value of the register that is declared at this place of a text, if it has one.
    pub fn register_value(&self, (start, name): (u32, &str), value: i64) -> Option<&str> {
        if self.registers.is_empty() {
            return None;
        }
        let table = self.registers.get(&(start, name.to_owned()))?;
        self.tables.get(*table)?.get(&value).map(String::as_str)
    }

    /// Says that a variable tells which records of a pool are taken.
    pub fn name_pool(&mut self, var: VarId, pool: impl Into<String>) {
        self.pools.insert(var, pool.into());
    }

    /// The pool whose records a variable tells of, if it is such a variable.
    pub fn pool(&self, var: VarId) -> Option<&str> {
        self.pools.get(&var).map(String::as_str)
    }

    /// The name of a cell, if it has one of its own.
    pub fn cell(&self, var: VarId, index: u32) -> Option<&str> {
        let cell = self.cells.get(&var)?.get(index as usize)?;
        Some(&cell.name)
    }

    /// The name of a value of a cell, if it has one.
    pub fn value(&self, var: VarId, index: u32, value: i64) -> Option<&str> {
        let table = self.cells.get(&var)?.get(index as usize)?.table?;
        self.tables.get(table)?.get(&value).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_values_have_names_where_a_front_end_gave_them() {
        let mut shown = Shown::default();
        let table = shown.add_table(BTreeMap::from([(0, "NULL".to_owned())]));
        let cell = |name: &str, table| ShownCell { name: name.into(), table };
        shown.name_cells(VarId(1), vec![cell("q.head", Some(table)), cell("q.size", None)]);
        assert_eq!(shown.cell(VarId(1), 0), Some("q.head"));
        assert_eq!(shown.value(VarId(1), 0, 0), Some("NULL"));
        assert_eq!((shown.value(VarId(1), 0, 7), shown.value(VarId(1), 1, 0)), (None, None));
        assert_eq!((shown.cell(VarId(1), 2), shown.cell(VarId(0), 0)), (None, None));
    }
}
