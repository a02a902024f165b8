//! Clusters for tests.

use std::path::PathBuf;

use taut_cluster::{Cluster, Settings};

/// So many workers, whose results are not repeated by one process.
pub fn settings(workers: u32) -> Settings {
    let worker = PathBuf::from(env!("CARGO_BIN_EXE_taut-worker"));
    Settings { repeat: 0, ..Settings::new(workers, worker, Vec::new()) }
}

/// A cluster with these settings.
pub fn cluster(workers: u32) -> Cluster {
    Cluster::new(settings(workers))
}
