// Starts `adit lsp` and gives what it says to the editor.

import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions, State } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

async function start(): Promise<void> {
    const command = vscode.workspace.getConfiguration("adit").get<string>("path", "adit");
    const server: ServerOptions = { command, args: ["lsp"] };
    const options: LanguageClientOptions = {
        documentSelector: [{ language: "adit", scheme: "file" }, { language: "adit", scheme: "untitled" }],
        synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.rules") },
    };
    client = new LanguageClient("adit", "Adit", server, options);
    try {
        await client.start();
    } catch (error) {
        const settings = "Open settings";
        const said = `\`${command} lsp\` does not start: ${error}. Install Adit, or say in \`adit.path\` where it is.`;
        if ((await vscode.window.showErrorMessage(said, settings)) === settings) {
            await vscode.commands.executeCommand("workbench.action.openSettings", "adit.path");
        }
    }
}

async function stop(): Promise<void> {
    if (client?.state === State.Running) {
        await client.stop();
    }
    client = undefined;
}

async function restart(): Promise<void> {
    await stop();
    await start();
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
    context.subscriptions.push(
        vscode.commands.registerCommand("adit.restart", restart),
        vscode.workspace.onDidChangeConfiguration((changed) => {
            if (changed.affectsConfiguration("adit.path")) {
                void restart();
            }
        }),
    );
    await start();
}

export function deactivate(): Promise<void> {
    return stop();
}
