//! `taut simulate`: a run, step by step, on a terminal or by commands.

#[cfg(feature = "tui")]
mod terminal;
mod world;

use std::io::BufRead;

use taut::{Loaded, Memory, MemoryModel};
use taut_simulate::{Command, Script, Simulator, commands};

use super::args::{OneModelArg, SimulateArgs};
use super::checking::full_buffer;
use super::exit::Exit;
use super::input::{read, warn_under};
use super::output::{eprint, print};
use super::recording::{Opened, open};
use world::World;

/// Runs the command.
pub fn run(args: &SimulateArgs) -> Exit {
    let from_stdin = args.input.file.to_str() == Some("-");
    if from_stdin && args.script.is_none() {
        let hint = "give the commands with --script, or the program in a file";
        return refuse(&format!(
            "the program comes from standard input, so commands cannot: {hint}"
        ));
    }
    match &args.trace {
        None => {
            let loaded = match read(&args.input) {
                Ok(loaded) => loaded,
                Err(exit) => return exit,
            };
            let memory = memory(args, &loaded);
            warn_under(&loaded, &[memory.model]);
            let program = loaded.program.clone();
            let world = World { loaded: &loaded };
            simulate(args, Simulator::new(&world, program, memory, args.seed))
        }
        Some(trace) => match open(&args.input, trace) {
            Ok(opened) => simulate_trace(args, opened),
            Err(exit) => exit,
        },
    }
}

fn simulate_trace(args: &SimulateArgs, opened: Opened) -> Exit {
    let Opened { loaded, program, run, .. } = opened;
    let world = World { loaded: &loaded };
    let mut simulator = Simulator::with_run(&world, program, run, args.seed);
    match simulator.go_to(args.row) {
        Ok(()) => simulate(args, simulator),
        Err(refused) => refuse(&format!("--row {}: {refused}", args.row)),
    }
}

/// The memory system: as given, else what the program says, else TSO.
fn memory(args: &SimulateArgs, loaded: &Loaded) -> Memory {
    let given = args.model.map(OneModelArg::model).or_else(|| loaded.memory_model());
    let model = given.unwrap_or(MemoryModel::USUAL);
    let bound = args.buffers.bound_for(loaded);
    Memory { model, bound, full_buffer: full_buffer(&args.buffers) }
}

fn simulate(args: &SimulateArgs, simulator: Simulator<'_>) -> Exit {
    match &args.script {
        Some(script) => run_script(simulator, script),
        #[cfg(feature = "tui")]
        None if terminal::is_watched() => terminal::run(simulator),
        None => run_lines(simulator),
    }
}

fn run_script(simulator: Simulator<'_>, script: &str) -> Exit {
    let commands = match commands(script) {
        Ok(commands) => commands,
        Err(message) => return refuse(&format!("--script: {message}")),
    };
    let mut script = Script::new(simulator);
    print(&script.state());
    match perform(&mut script, &commands) {
        Ok(()) => Exit::Holds,
        Err(exit) => exit,
    }
}

/// Does what the lines of standard input say, each as soon as it is there.
fn run_lines(simulator: Simulator<'_>) -> Exit {
    let mut script = Script::new(simulator);
    print(&script.state());
    for (i, line) in std::io::stdin().lock().lines().enumerate() {
        let number = i + 1;
        let Ok(line) = line else {
            return refuse(&format!("line {number} of standard input is no UTF-8 text"));
        };
        let done = match commands(&line) {
            Ok(commands) => perform(&mut script, &commands),
            Err(message) => Err(refuse(&format!("line {number}: {message}"))),
        };
        match done {
            Ok(()) if script.quits() => break,
            Ok(()) => {}
            Err(exit) => return exit,
        }
    }
    Exit::Holds
}

/// Does what commands say up to the first that cannot be done.
fn perform(script: &mut Script<'_>, commands: &[Command]) -> Result<(), Exit> {
    for command in commands {
        let answer = script.run(command);
        let answer = answer.map_err(|refused| refuse(&format!("{command}: {refused}")))?;
        if script.quits() {
            break;
        }
        print(&format!("\n> {command}\n{answer}"));
    }
    Ok(())
}

fn refuse(message: &str) -> Exit {
    eprint(&format!("error: {message}\n"));
    Exit::BadInput
}
