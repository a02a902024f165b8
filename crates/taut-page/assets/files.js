// Files: one is opened and read here, in the browser; the program is given back as one.

/** What to do with a file is `opened(name, text)`; why it could not be read is `failed(message, hint)`. */
async function readFile(file, limit, opened, failed) {
  if (file.size > limit) {
    return failed(`${file.name} has ${counted(file.size, "byte")}; here a program may have ${counted(limit, "byte")}.`,
      HOST.larger);
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    opened(file.name, text);
  } catch {
    failed(`${file.name} is not a text in UTF-8.`, "Save it in that encoding and open it again.");
  }
}

/** The button that opens a file, and what makes an element take files that are dropped on it. */
function fileOpener(limit, opened, failed) {
  const read = (files) => files.length && readFile(files[0], limit, opened, failed);
  const input = element("input", {
    type: "file", class: "file-input", hidden: true, "aria-label": "open a file",
    onchange: () => { read(input.files); input.value = ""; },
  });
  const opener = element("button", { type: "button", text: "Open…", onclick: () => input.click() });

  function takeDrops(target) {
    target.addEventListener("dragover", (event) => {
      if (event.dataTransfer.types.includes("Files")) event.preventDefault();
    });
    target.addEventListener("drop", (event) => {
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      read(event.dataTransfer.files);
    });
  }

  return { opener, input, takeDrops };
}

/** Gives a text to the reader as a file. */
function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
