// Opens the browser of whoever is at the machine.
import { spawn } from 'node:child_process';
import { messageOf } from '@inboard/core/util/message-of.js';
import { noteLine, type Terminal } from '../terminal/terminal.js';

/** The program of each system that opens an address; others have the one of the free desktops. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  // Not the shell: an address may hold what it takes for its own.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Has the system open an address; where it cannot, says so and goes on. The program may stay open: nobody waits for it. */
export function openBrowser(url: string, terminal: Terminal): void {
  const [program = '', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const fail = (why: string): void =>
    noteLine(terminal, `No browser was opened (${program}: ${why}). Open the link yourself.`);
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true, env: terminal.env });
  child.once('error', (error) => fail(messageOf(error)));
  child.once('exit', (code) => {
    if (code !== 0) fail(`it exited with code ${code}`);
  });
  child.unref();
}
