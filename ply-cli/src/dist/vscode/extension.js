'use strict';
// Starts `ply lsp` for scripts that are opened. The client of the protocol is from npm: npm install.
const vscode = require('vscode');

let client;

exports.activate = () => {
  let library;
  try {
    library = require('vscode-languageclient/node');
  } catch (e) {
    vscode.window.showInformationMessage(
      `ply has colours only: run npm install in ${__dirname} for errors, help and completion`);
    return undefined;
  }
  const command = vscode.workspace.getConfiguration('ply').get('command');
  client = new library.LanguageClient(
    'ply',
    { command, args: ['lsp'] },
    { documentSelector: [{ language: 'ply' }, { language: 'bpftrace' }] });
  return client.start();
};

exports.deactivate = () => client && client.stop();
