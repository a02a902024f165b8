// A link: the program and what is asked of it, in the fragment of the address. Fragments are not sent to servers.

/** How such a fragment begins; the number is that of the format. */
const LINK = "#taut1=";

/** Bytes through a stream of the browser, as bytes. */
async function streamed(bytes, stream) {
  const answer = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await answer.arrayBuffer());
}

/** The fragment for what is asked. */
async function fragmentOf(asked) {
  const filled = Object.entries(asked).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const text = new TextEncoder().encode(JSON.stringify(Object.fromEntries(filled)));
  const packed = await streamed(text, new CompressionStream("deflate-raw"));
  let letters = "";
  for (const byte of packed) letters += String.fromCharCode(byte);
  return LINK + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The most bytes of what a link may hold: a small one can be the packed form of a large one. */
const MOST_LINKED = 4 << 20;

/** What a fragment asks, undefined if it is none of ours; fails if it is damaged. */
async function askedBy(fragment) {
  if (!fragment.startsWith(LINK)) return undefined;
  const letters = atob(fragment.slice(LINK.length).replaceAll("-", "+").replaceAll("_", "/"));
  const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MOST_LINKED) throw new Error("too large");
    parts.push(value);
  }
  const found = JSON.parse(await new Blob(parts).text());
  if (!found || typeof found.text !== "string" || typeof found.name !== "string") throw new Error("no program");
  return found;
}

/** A button that shows the link; `now()` says what is asked. */
function linkButton(now) {
  const field = element("textarea", { class: "link-text", readonly: true, rows: 4, spellcheck: "false", "aria-label": "link" });
  const said = element("p", { class: "quiet", role: "status" });
  const copy = element("button", { type: "button", class: "primary", text: "Copy", onclick: copied });
  const dialog = element("dialog", { class: "linking", "aria-label": "link to this program", onclick: closeOutside },
    element("div", { class: "examples-head" }, element("h2", { text: "Link" }), button("✕", "close", () => dialog.close())),
    element("div", { class: "linking-body" },
      element("p", { text: "Whoever opens this link gets the program and the question, and the same run." }), field,
      HOST.linkNote ? element("p", { class: "quiet" }, prose(HOST.linkNote)) : null,
      element("p", { class: "linking-buttons" }, copy, said)));

  async function copied() {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      said.textContent = "Copied.";
    } catch {
      said.textContent = document.execCommand("copy") ? "Copied." : "Copy it with the keys of your system.";
    }
  }

  function closeOutside(event) {
    if (event.target === dialog) dialog.close();
  }

  async function open() {
    const fragment = await fragmentOf(now());
    history.replaceState(null, "", fragment);
    field.value = location.href;
    said.textContent = `${counted(field.value.length, "character")}.`;
    dialog.showModal();
    field.select();
  }

  const opener = element("button", { type: "button", text: "Link", "aria-haspopup": "dialog", onclick: open });
  return { opener, dialog };
}
