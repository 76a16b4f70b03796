// The editor's side: starts `croupier lsp` for dealer scripts, and runs a script in a terminal.
import * as vscode from 'vscode';
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from 'vscode-languageclient/node';

let client: LanguageClient | undefined;

function setting<T>(name: string, otherwise: T): T {
  return vscode.workspace.getConfiguration('croupier').get<T>(name) ?? otherwise;
}

async function start(): Promise<void> {
  const server: ServerOptions = { command: setting('path', 'croupier'), args: ['lsp'] };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: 'dealer' }],
    // This extension has its own command croupier.run, so the server must not register one.
    initializationOptions: { run: 'editor', dialect: setting('dialect', 'native') },
    synchronize: {
      configurationSection: 'croupier',
      fileEvents: vscode.workspace.createFileSystemWatcher('**/*.{dl,dlr,dls,dli}'),
    },
  };
  client = new LanguageClient('croupier', 'croupier', server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const install = 'cargo install --path crates/programs';
    void vscode.window.showErrorMessage(
      `croupier's language server did not start (${String(error)}). Install it with \`${install}\`, or set croupier.path.`,
    );
  }
}

/** Quotes an argument for the shell. */
function quoted(word: string): string {
  if (/^[\w./:=,-]+$/.test(word)) return word;
  return process.platform === 'win32' ? `"${word.replace(/"/g, '""')}"` : `'${word.replace(/'/g, `'\\''`)}'`;
}

async function run(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== 'dealer') {
    void vscode.window.showInformationMessage('Open a dealer script to run it.');
    return;
  }
  if (document.isUntitled || !(await document.save())) {
    void vscode.window.showInformationMessage('Save the script to run it.');
    return;
  }
  const name = 'dealer';
  const terminal = vscode.window.terminals.find((open) => open.name === name) ?? vscode.window.createTerminal(name);
  terminal.show(true);
  const named = /^[ \t]*(?:#|\/\/|\/\*)[ \t]*dialect[ \t]*:[ \t]*(\w+)/im.exec(document.getText());
  const dialect = named?.[1]?.toLowerCase() ?? setting('dialect', 'native');
  const compat = dialect === 'native' ? [] : ['--compat', dialect];
  const words = [setting('dealer', 'dealer'), ...compat, ...setting<string[]>('arguments', []), document.uri.fsPath];
  terminal.sendText(words.map(quoted).join(' '));
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand('croupier.run', run),
    vscode.commands.registerCommand('croupier.restart', async () => {
      await client?.stop();
      await start();
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
