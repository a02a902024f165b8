// The host of jobs is a worker of this browser, with the engine as a WebAssembly module in it. A worker does one job and
// is thrown away: its memory is then free again, and to end it is to cancel the job. The next one waits already.

/** What is said about the host. */
const HOST = {
  asking: "Starting the engine",
  privacy: "Programs stay in this browser: there is no server.",
  larger: "Check it on the command line.",
  absent: ["The page is not complete.", "Its folder has to be served whole, with `setup.json` and `taut.wasm`."],
  linkNote: "",
};

/** The engine, compiled; it is asked for once, and again if that failed. */
let engine;

function compiled() {
  engine ??= compile().catch((error) => { engine = undefined; throw error; });
  return engine;
}

async function compile() {
  const response = await fetch("taut.wasm");
  if (!response.ok) throw new Error(`taut.wasm: ${response.status}`);
  // A host that does not know the type of the file serves it all the same.
  const known = response.headers.get("Content-Type") === "application/wasm";
  return known ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** The worker of the next job. */
let waiting;

function nextWorker() {
  const worker = waiting ?? new Worker("worker.js");
  waiting = undefined;
  return worker;
}

/** What the page offers, once that is known. */
let offered;

/** What the page offers, which was written when it was built. The engine is loaded meanwhile. */
async function askSetup() {
  compiled().catch(() => {});
  try {
    const response = await fetch("setup.json");
    waiting = new Worker("worker.js");
    offered = response.ok ? await response.json() : undefined;
    return offered;
  } catch {
    return undefined;
  }
}

/**
 * Starts a job. `told(event)` is called with each event of the engine, and with one of the page's own at the end if the
 * engine sent none: `failed` with a message and a hint, or `cancelled`.
 */
function startJob(request, told) {
  const { limits } = offered;
  const least = (asked, most) => Math.min(asked ?? most, most);
  const job = {
    ...request, seconds: least(request.seconds, limits.seconds), memory_mib: least(request.memory_mib, limits.memory_mib),
  };
  const worker = nextWorker();
  let ended = false;

  function tell(event) {
    if (ended) return;
    ended = endsJob(event);
    if (ended) {
      worker.terminate();
      waiting ??= new Worker("worker.js");
    }
    told(event);
  }

  worker.onmessage = ({ data }) => tell(data.ended ? broken(data.ended) : JSON.parse(data.event));
  worker.onerror = (event) => { event.preventDefault(); tell(broken(event.message)); };
  compiled().then((module) => {
    if (ended) return;
    tell({ event: "started", limits: { seconds: job.seconds, memory_mib: job.memory_mib } });
    worker.postMessage({ module, job: JSON.stringify(job) });
  }, () => tell(failure("The engine cannot be loaded.", "Is the network there? Reload the page; what was typed is kept.")));
  return { cancel: () => tell({ event: "cancelled" }) };
}

/** An engine that ended without an answer: memory and the stack of calls are the browser's. */
function broken(why) {
  if (/call stack|recursion/i.test(why)) {
    return failure("The program is nested too deeply for this browser.", "Check it on the command line.");
  }
  if (/memory/i.test(why)) return failure("The browser has no more memory for the engine.", "Try a smaller program.");
  return failure(`The engine ended without an answer: ${why}.`, "This is a bug in Taut. Please report it with the program.");
}
