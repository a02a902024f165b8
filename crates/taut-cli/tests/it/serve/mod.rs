//! `taut serve` under attack and at work. The server is healthy after each test.

#![cfg(target_os = "linux")]

mod asking;
mod jobs;
mod round_trips;
use crate::serve_support;
mod sizes;

use serde_json::Value;
use serve_support::{example, job};

/// A small check.
fn sb() -> Value {
    job("sb.taut", "taut", &example("sb.taut"))
}
