// How jobs end, whatever runs them.

/** Events after which a job goes on. */
const GOING_ON = new Set(["waiting", "started", "progress", "partial"]);

/** Whether an event is the last one of its job. */
function endsJob({ event }) {
  return !GOING_ON.has(event);
}

/** An event of the page's own: a job that came to no answer. */
function failure(message, hint) {
  return { event: "failed", message, hint };
}
