//! What other tools read: JSON beside its published schemas, SARIF beside the official one, annotations for GitHub,
//! workflows for build servers.
//!
//! Validators, and folders to run commands in.

mod fix;
mod github;
mod init_ci;
mod outputs;
mod sarif;
mod schemas;
mod texts;
mod walk;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value;

/// A schema that values can be held against.
pub struct Validator {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Validator {
    /// Compiles a schema, which is held against the schema of schemas on the way.
    pub fn new(schema: &str) -> Validator {
        let value: Value = serde_json::from_str(schema).expect("a schema is JSON");
        let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
        compiler.enable_format_assertions();
        compiler.add_resource("https://schema.test/it.json", value).expect("a resource");
        let index = compiler.compile("https://schema.test/it.json", &mut schemas);
        let index = index.unwrap_or_else(|error| panic!("{error:#}"));
        Validator { schemas, index }
    }

    /// Why a value does not fit.
    pub fn refusal(&self, value: &Value) -> Option<String> {
        self.schemas.validate(value, self.index).err().map(|error| format!("{error:#}"))
    }

    /// Fails unless a value fits.
    pub fn accept(&self, value: &Value, what: &str) {
        if let Some(refusal) = self.refusal(value) {
            let shown: String = value.to_string().chars().take(2_000).collect();
            panic!("{what}: {refusal}\n{shown}");
        }
    }
}

/// A folder that is removed in the end.
pub struct Folder(PathBuf);

impl Folder {
    /// An empty one.
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("taut-formats-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file into it.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    /// What is in a file of it.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect("a file")
    }

    /// Runs `taut` in it.
    pub fn taut(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("taut runs")
    }

    /// The same, with a summary of the job to be written.
    pub fn taut_with_summary(&self, args: &[&str], summary: &str) -> Output {
        let mut command = self.command(args);
        command.env("GITHUB_STEP_SUMMARY", self.0.join(summary)).output().expect("taut runs")
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
        command.args(args).current_dir(&self.0).env_remove("GITHUB_STEP_SUMMARY");
        command
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A text without the version of Taut, for snapshots that outlive it.
pub fn without_version(text: &str) -> String {
    text.replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

/// Two stores that pass two loads: holds under SC, is violated under TSO and PSO.
pub const STORE_BUFFERING: &str = "\
shared bool x = 0;
shared bool y = 0;
process p begin
  local bool r;
  x := 1;
  r := y;
  done: ;
end
process q begin
  local bool r;
  y := 1;
  r := x;
  done: ;
end
forbid both_miss: p@done && q@done && p:r == 0 && q:r == 0;
";
