// Opens an address in the browser of the user at this machine.
import { spawn } from 'node:child_process';
import { messageOf } from '@inboard/core/util/message-of.js';
import { findSystemProgram } from '@inboard/core/wire/process/system-program.js';
import { noteLine, type Terminal } from '../terminal/terminal.js';

/** The program that opens an address, by system. On all other systems it is `xdg-open`. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, () => readonly string[]>>> = {
  darwin: () => ['open'],
  // `start` is not used, because it needs the shell, and an address may contain characters that the shell interprets.
  win32: () => [findSystemProgram('rundll32.exe'), 'url.dll,FileProtocolHandler'],
};

/** Has the system open an address, and does not wait for the browser to end. If that fails, prints a note and goes on. */
export function openBrowser(url: string, terminal: Terminal): void {
  const [program = '', ...args] = OPENERS[process.platform]?.() ?? ['xdg-open'];
  const fail = (why: string): void =>
    noteLine(terminal, `No browser was opened (${program}: ${why}). Open the link yourself.`);
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env: terminal.env });
  child.once('error', (error) => fail(messageOf(error)));
  child.once('exit', (code) => {
    if (code !== 0) fail(`it exited with code ${code}`);
  });
  child.unref();
}
