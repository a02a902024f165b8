// What stands around everything else: the head, the desk with its two sides, the foot.

function topView(colours) {
  return element("header", { class: "top" },
    element("div", { class: "brand" }, element("h1", { text: "Taut" }),
      element("p", { class: "quiet", text: "concurrent programs on relaxed memory" })), colours);
}

/** The desk: the program under its tools, and what to ask beside it. */
function deskView(tools, writing, asking) {
  return element("div", { class: "desk" },
    element("section", { class: "writing", "aria-label": "program" }, element("div", { class: "toolbar" }, tools), writing),
    element("section", { class: "asking", "aria-label": "what to ask" }, asking));
}

function pageFoot(version, { seconds, memory_mib: memory }) {
  const keys = TASKS.map((one) => element("span", {}, one.keys.map(key), ` ${one.title.toLowerCase()}`));
  const limits = `${counted(seconds, "second")} or ${memory.toLocaleString("en")} MiB`;
  return element("footer", { class: "foot quiet" }, element("p", { class: "foot-keys" }, keys),
    element("p", { text: `taut ${version}. ${HOST.privacy}` }),
    element("p", { text: `A job ends after ${limits}, if not before.` }));
}
