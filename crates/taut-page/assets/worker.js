// The worker: one engine, one job. The engine asks for the time, and says events.
"use strict";

onmessage = async ({ data: { module, job } }) => {
  let memory;
  const text = (start, length) => new TextDecoder().decode(new Uint8Array(memory.buffer, start, length));
  const host = {
    now: () => performance.now(),
    say: (start, length) => postMessage({ event: text(start, length) }),
  };
  try {
    const { exports } = await WebAssembly.instantiate(module, { host });
    memory = exports.memory;
    const bytes = new TextEncoder().encode(job);
    const start = exports.taut_room(bytes.length);
    new Uint8Array(memory.buffer, start, bytes.length).set(bytes);
    exports.taut_run();
    postMessage({ ended: "it said nothing" });
  } catch (error) {
    postMessage({ ended: String(error && error.message || error) });
  }
};
