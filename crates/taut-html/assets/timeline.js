// The states of a run. One is kept; going somewhere else makes the changes of the rows between, or takes them back.

/** The states of a run, at its start. */
function timeline(run) {
  const state = {
    memory: run.cells.map((cell) => cell.value),
    buffers: run.processes.map(() => []),
    channels: (run.channels || []).map(() => []),
    registers: run.processes.map((process) => process.registers.map((register) => register.value)),
    at: run.processes.map((process) => process.at),
    lives: run.processes.map((process) => process.lives),
  };
  const changes = run.rows.map((row) => changesOf(row, state));
  learnWhatWas(changes);
  let position = 0;

  /** Goes to the state after so many rows; the numbers of what may be different then, by kind. */
  function go(to) {
    const touched = {
      memory: new Set(), buffers: new Set(), channels: new Set(),
      registers: new Set(), at: new Set(), lives: new Set(),
    };
    for (; position < to; position++) {
      for (const change of changes[position]) {
        change.list[change.index] = change.now;
        touched[change.kind].add(change.number);
      }
    }
    for (; position > to; position--) {
      const row = changes[position - 1];
      for (let i = row.length - 1; i >= 0; i--) {
        row[i].list[row[i].index] = row[i].was;
        touched[row[i].kind].add(row[i].number);
      }
    }
    return touched;
  }

  return { state, go, position: () => position };
}

/** What a row changes: in which list, where, and what stands there then. */
function changesOf(row, state) {
  const changes = [];
  for (const kind of ["memory", "buffers", "channels", "at", "lives"]) {
    for (const [index, now] of row[kind] || []) {
      changes.push({ kind, number: index, list: state[kind], index, now });
    }
  }
  for (const [process, index, now] of row.registers || []) {
    changes.push({ kind: "registers", number: process, list: state.registers[process], index, now });
  }
  return changes;
}

/** Makes all changes once, to learn what each replaces, and takes them back. */
function learnWhatWas(changes) {
  for (const change of changes.flat()) {
    change.was = change.list[change.index];
    change.list[change.index] = change.now;
  }
  for (const change of changes.flat().reverse()) change.list[change.index] = change.was;
}

/** The truth of the atoms after so many rows: what was last seen of it. */
function truthAt(run, position) {
  for (let row = position; row > 0; row--) {
    if (run.rows[row - 1].truth) return run.rows[row - 1].truth;
  }
  return run.truth;
}
