//! What other tools read: JSON beside its published schemas, SARIF beside the official one, annotations for GitHub,
//! workflows for build servers.

mod command;
mod formats_support;
