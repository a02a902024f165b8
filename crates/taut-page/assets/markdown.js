// Chapters of the book: Markdown as elements. Only what the book uses is known; everything else is shown as it stands.

/** A text in Markdown as a list of elements. `linked(address)` gives the element of a link, or undefined. */
function markdownView(text, linked) {
  const lines = text.replace(/<!--[\s\S]*?-->/g, "").split("\n");
  const blocks = [];
  for (let at = 0; at < lines.length;) {
    const [block, next] = markdownBlock(lines, at, linked);
    if (block) blocks.push(block);
    at = next;
  }
  return blocks;
}

/** The block that begins at a line, and the line after it. */
function markdownBlock(lines, at, linked) {
  const line = lines[at];
  if (!line.trim()) return [undefined, at + 1];
  const fence = /^\s*(`{3,})/.exec(line);
  if (fence) return fencedBlock(lines, at, fence[1]);
  const heading = /^(#{1,6}) (.*)$/.exec(line);
  if (heading) return [element(`h${Math.min(heading[1].length + 1, 6)}`, {}, inlineView(heading[2], linked)), at + 1];
  if (/^\s*\|/.test(line)) return tableBlock(lines, at, linked);
  if (/^\s*([-*]|\d+\.) /.test(line)) return listBlock(lines, at, linked);
  return paragraphBlock(lines, at, linked);
}

function fencedBlock(lines, at, fence) {
  let end = at + 1;
  while (end < lines.length && !lines[end].trim().startsWith(fence)) end++;
  return [element("pre", { tabindex: "0", text: lines.slice(at + 1, end).join("\n") }), end + 1];
}

function tableBlock(lines, at, linked) {
  let end = at;
  while (end < lines.length && /^\s*\|/.test(lines[end])) end++;
  const cells = (line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, "|"));
  const row = (line, tag) => element("tr", {}, cells(line).map((cell) => element(tag, {}, inlineView(cell, linked))));
  const table = element("table", {}, element("thead", {}, row(lines[at], "th")),
    element("tbody", {}, lines.slice(at + 2, end).map((line) => row(line, "td"))));
  return [element("div", { class: "wide" }, table), end];
}

function listBlock(lines, at, linked) {
  const ordered = /^\s*\d/.test(lines[at]);
  const items = [];
  let end = at;
  for (; end < lines.length && lines[end].trim(); end++) {
    const item = /^\s*(?:[-*]|\d+\.) (.*)$/.exec(lines[end]);
    if (item) items.push(item[1]);
    else items[items.length - 1] += ` ${lines[end].trim()}`;
  }
  return [element(ordered ? "ol" : "ul", {}, items.map((item) => element("li", {}, inlineView(item, linked)))), end];
}

function paragraphBlock(lines, at, linked) {
  let end = at + 1;
  while (end < lines.length && lines[end].trim() && !/^\s*(```|#{1,6} |\||([-*]|\d+\.) )/.test(lines[end])) end++;
  return [element("p", {}, inlineView(lines.slice(at, end).join(" "), linked)), end];
}

/** Code, links, bold and slanted words in a line. */
function inlineView(text, linked) {
  const pattern = /(`+)(.+?)\1|!?\[([^\]]*)\]\(([^)]*)\)|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*/g;
  const parts = [];
  let after = 0;
  for (const found of text.matchAll(pattern)) {
    parts.push(text.slice(after, found.index));
    after = found.index + found[0].length;
    const [, , code, label, address, bold, slanted] = found;
    if (code !== undefined) parts.push(element("code", { text: code.trim() }));
    else if (label !== undefined) parts.push(linked(address, inlineView(label, linked)));
    else if (bold !== undefined) parts.push(element("strong", {}, inlineView(bold, linked)));
    else parts.push(element("em", {}, inlineView(slanted, linked)));
  }
  return [...parts, text.slice(after)].flat();
}
