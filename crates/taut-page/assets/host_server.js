// The host of jobs is a server: one request, and the events that come back, a line each. To give up the request is to
// cancel the job.

/** What is said about the host. */
const HOST = {
  asking: "Asking the server",
  privacy: "Programs go to your own server and to nobody else.",
  larger: "Check it on the command line, or start the server with a larger `--max-bytes`.",
  absent: ["The server does not answer.", "Start `taut serve` and open the address that it prints."],
  linkNote: "The token of your server is a part of it: give it only to people who may use the server. What stands after `#` works behind the address of any page of Taut.",
};

/** What the server offers, or undefined if it does not answer. */
async function askSetup() {
  try {
    const response = await fetch("setup");
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Starts a job. `told(event)` is called with each event of the server, and with one of the page's own at the end if the
 * server sent none: `failed` with a message and a hint, or `cancelled`.
 */
function startJob(request, told) {
  const control = new AbortController();
  let ended = false;

  function tell(event) {
    if (ended) return;
    ended = endsJob(event);
    told(event);
  }

  async function run() {
    const response = await reached(fetch("jobs", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request), signal: control.signal,
    }));
    if (!response.ok) return tell(await refusal(response));
    for await (const line of linesOf(response.body)) tell(JSON.parse(line));
    tell(failure("The server ended the answer before it was complete.",
      "Try again; if it happens again, look at what the server printed."));
  }

  run().catch((error) => {
    if (control.signal.aborted) return;
    if (error instanceof Unreached) {
      return tell(failure("The server does not answer.",
        "It was ended, or started again at another address. Start `taut serve` and open the address that it prints."));
    }
    console.error(error);
    told(failure("The page cannot show the server’s answer.", "Reload the page; what was typed is kept."));
  });

  return { cancel: () => { control.abort(); tell({ event: "cancelled" }); } };
}

/** The server is not there, or no longer. */
class Unreached extends Error {}

/** What is promised by the network; that it fails is told apart from everything else that can. */
function reached(promise) {
  return promise.catch((error) => { throw new Unreached(error.message); });
}

/** Why a request was refused, in the server's words. */
async function refusal(response) {
  const said = await response.json().catch(() => ({}));
  const again = response.headers.get("Retry-After");
  const hint = said.hint || (again ? `Try again in ${counted(Number(again), "second")}.` : null);
  return failure(said.error || `The server refused the request (${response.status}).`, hint);
}

/** The lines of a stream, as they come. */
async function* linesOf(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reached(reader.read());
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    yield* lines.filter(Boolean);
  }
  if (rest.trim()) yield rest;
}
