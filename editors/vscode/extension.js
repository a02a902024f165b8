// Starts `taut lsp`. There is no build step: this file runs as it is.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

/** The server as the settings say. `taut.path` is a setting of the machine: a workspace cannot name a program. */
function create() {
  const settings = vscode.workspace.getConfiguration("taut");
  const readsC = settings.get("c", false);
  const server = { command: settings.get("path", "taut"), args: ["lsp", "--timeout", settings.get("timeout", "60s")] };
  const languages = ["taut", "promela", "dve", "litmus", "rmm", ...(readsC ? ["c"] : [])];
  const options = {
    documentSelector: languages.map((language) => ({ language })),
    initializationOptions: { c: readsC },
  };
  return new LanguageClient("taut", "Taut", server, options);
}

async function start() {
  client = create();
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`Taut does not start: ${error.message}. Is it installed? See the setting "taut.path".`);
  }
}

async function stop() {
  const old = client;
  client = undefined;
  if (old && old.needsStop()) await old.stop();
}

async function restart() {
  await stop();
  await start();
}

exports.activate = async (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand("taut.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("taut") && restart()),
  );
  await start();
};

exports.deactivate = stop;
