//! `taut graph`: the states of a program, or one buffer, as a picture or as data.

use std::path::Path;

use taut::engines::{Engine, Symbolic};
use taut::graph::{self, Cut, GraphError, GraphOptions, StateGraph};
use taut::{Loaded, Memory, MemoryModel};

use super::args::{GraphArgs, GraphEngineArg, GraphFormatArg};
use super::checking::full_buffer;
use super::command;
use super::exit::Exit;
use super::files::deliver_text;
use super::input::{read, warn_under};
use super::output::eprint;

/// Number of states among which violations are looked for, unless another is given.
const MOST_LOOKED_AT: usize = 20_000;

/// Runs the command.
pub fn run(args: &GraphArgs) -> Exit {
    let format = match format(args) {
        Ok(format) => format,
        Err(error) => return refuse(&error.0, &error.1),
    };
    let loaded = match read(&args.input) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let model = match args.model {
        Some(model) => model.model(),
        None => loaded.memory_model().unwrap_or(MemoryModel::USUAL),
    };
    warn_under(&loaded, &[model]);
    let written = draw(args, &loaded, model).and_then(|graph| {
        let graph = if args.violating { graph.violating()? } else { graph };
        let text = write(&graph, args.buffer.as_deref(), format)?;
        // One buffer is whole, whatever is left out around it.
        Ok((text, graph.cut.filter(|_| args.buffer.is_none())))
    });
    match written {
        Ok((text, cut)) => finish(&text, cut, args.output.as_deref()),
        Err(error) => refuse(&error.to_string(), error.hint()),
    }
}

fn refuse(message: &str, hint: &str) -> Exit {
    eprint(&format!("error: {message}\nhint: {hint}\n"));
    Exit::BadInput
}

/// The format as given, or as the extension of the file says.
fn format(args: &GraphArgs) -> Result<GraphFormatArg, (String, String)> {
    match (args.to, &args.output) {
        (Some(format), _) => Ok(format),
        (None, None) => Ok(GraphFormatArg::Dot),
        (None, Some(path)) => match path.extension().and_then(|e| e.to_str()) {
            Some("svg") => Ok(GraphFormatArg::Svg),
            Some("html" | "htm") => Ok(GraphFormatArg::Html),
            Some("dot" | "gv") => Ok(GraphFormatArg::Dot),
            Some("json") => Ok(GraphFormatArg::Json),
            _ => Err((
                format!("the name `{}` does not say in which format to write", path.display()),
                "give --to svg, html, dot or json, or a name that ends in .svg, .html, .dot, .gv or .json"
                    .into(),
            )),
        },
    }
}

/// The graph, by the engine that is asked for. Who gives a bound asks about that bound.
fn draw(args: &GraphArgs, loaded: &Loaded, model: MemoryModel) -> Result<StateGraph, GraphError> {
    let bounded = args.buffers.bound.is_some() || loaded.has_bound();
    let plain = loaded.program.priorities.is_none();
    let engine =
        args.engine.unwrap_or(match (Symbolic.capabilities().models)(model) && !bounded && plain {
            true => GraphEngineArg::Symbolic,
            false => GraphEngineArg::Explicit,
        });
    let memory = Memory {
        model,
        bound: args.buffers.bound_for(loaded),
        full_buffer: full_buffer(&args.buffers),
    };
    let limits = command::search_limits();
    let most = args.max_nodes.map_or_else(
        || if args.violating { MOST_LOOKED_AT } else { GraphOptions::MOST_STATES },
        |most| most as usize,
    );
    let options = GraphOptions { memory, most_states: most, limits };
    match engine {
        GraphEngineArg::Symbolic => graph::symbolic(loaded, &options),
        GraphEngineArg::Explicit => Ok(graph::explicit(loaded, &options)),
    }
}

fn write(
    graph: &StateGraph,
    buffer: Option<&str>,
    format: GraphFormatArg,
) -> Result<String, GraphError> {
    let buffer = buffer.map(|asked| graph.buffer(asked)).transpose()?;
    if buffer.is_none() && matches!(format, GraphFormatArg::Svg | GraphFormatArg::Html) {
        graph.can_be_drawn()?;
    }
    Ok(match (buffer, format) {
        (Some(buffer), GraphFormatArg::Svg) => buffer.svg(),
        (Some(buffer), GraphFormatArg::Html) => buffer.html(),
        (Some(buffer), GraphFormatArg::Dot) => buffer.dot(),
        (Some(buffer), GraphFormatArg::Json) => buffer.json(),
        (None, GraphFormatArg::Svg) => graph.svg(),
        (None, GraphFormatArg::Html) => graph.html(),
        (None, GraphFormatArg::Dot) => graph.dot(),
        (None, GraphFormatArg::Json) => graph.json(),
    })
}

/// Writes the text, and says what is not in it.
fn finish(text: &str, cut: Option<Cut>, path: Option<&Path>) -> Exit {
    let exit = deliver_text(text, path);
    if exit != Exit::Holds {
        eprint("hint: -o needs a folder that is there and may be written to\n");
    }
    let Some(cut) = cut.filter(|_| exit == Exit::Holds) else { return exit };
    eprint(&format!("note: the graph is not whole: {cut}\n"));
    if let Cut::States(_) = cut {
        eprint("hint: --max-nodes N shows more\n");
    }
    Exit::Unknown
}
