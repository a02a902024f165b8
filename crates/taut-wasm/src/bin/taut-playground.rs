//! `taut-playground ENGINE FOLDER`: writes the static folder around an engine that was compiled to WebAssembly.

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    use std::path::Path;
    use std::process::ExitCode;

    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [engine, folder] = &arguments[..] else {
        eprintln!("usage: taut-playground ENGINE.wasm FOLDER");
        return ExitCode::from(3);
    };
    match taut_wasm::folder::write(Path::new(engine), Path::new(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot write `{}`: {error}", Path::new(folder).display());
            ExitCode::from(74)
        }
    }
}

#[cfg(target_family = "wasm")]
fn main() {}
