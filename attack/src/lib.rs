//! What must hold of every reader of Taut for any bytes whatever: [`readers`] says it once, for the fuzz targets, which
//! search for bytes by coverage, and for the inputs in `testdata/fuzz`, which are read in every test run. [`structured`] decodes
//! bytes to programs and compares the explicit engine with brute force.

pub mod readers;
pub mod structured;
