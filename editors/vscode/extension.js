// Starts `bidwright lsp` for .bid files and hands everything else to it.

const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
  const [command, ...args] = workspace.getConfiguration("bidwright").get("command");
  const run = { command, args };
  client = new LanguageClient(
    "bidwright",
    "Bidwright",
    { run, debug: run },
    {
      documentSelector: [{ language: "bid" }],
      synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.bid") },
    }
  );
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(
      `Bidwright: ${command} does not start (${error.message}). ` +
        "Install it with: pip install '.[lsp]' in a checkout of bidwright, or set bidwright.command."
    );
  }
}

async function stop() {
  if (client) {
    await client.stop();
    client = undefined;
  }
}

async function activate(context) {
  context.subscriptions.push(
    commands.registerCommand("bidwright.restart", async () => {
      await stop();
      await start();
    })
  );
  await start();
}

module.exports = { activate, deactivate: stop };
