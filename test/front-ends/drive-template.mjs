// The template "chat" of `inboard init`: a project of it, whose scripts run, and whose page a person opens in a real browser. Its model
// is the script that it comes with.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startBrowser } from '../../scripts/support/load-browser.mjs';
import { tryInit } from '../../scripts/support/try-init.mjs';
import { NoBrowserError } from './drive-page.mjs';
import { createPlace } from '../matrix/run-program.mjs';
import { listRuntimes } from '../matrix/runtimes.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const MODULES = [join(root, 'node_modules'), fileURLToPath(new URL('node_modules', import.meta.url))];
const LAST = "document.querySelector('.messages > li:last-child')";

/** Throws when the project does not do what its README says. */
export async function driveTemplate(project, folder) {
  // The page's packages ask for this version, whatever runs this file.
  const node = listRuntimes().find(({ name }) => name.startsWith('Node 22.'));
  if (node?.missing !== undefined) throw new Error(node.missing);
  const place = createPlace(folder);
  try {
    const env = { ...place.env, PATH: `${dirname(node.program)}${delimiter}${place.env.PATH}` };
    const unpacked = join(project, 'node_modules', 'inboard');
    const made = tryInit({
      template: 'chat',
      folder: mkdtempSync(join(folder, 'template-')),
      command: join(unpacked, 'dist', 'cli', 'main.js'),
      modules: MODULES,
      unpacked,
      env,
    });
    const browser = await startBrowser(mkdtempSync(join(folder, 'driver-'))).catch((cause) => {
      throw new NoBrowserError(cause.message, { cause });
    });
    try {
      await serve({ program: node.program, made, env }, (address) => approveEdited(browser, address));
    } finally {
      await browser.close();
    }
    await place.expectEmpty({ mayLeaveFiles: true });
  } finally {
    place.remove();
  }
}

async function serve({ program, made, env }, act) {
  const child = spawn(program, ['src/main.ts'], {
    cwd: made,
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const said = createInterface({ input: child.stdout });
  const lines = [];
  said.on('line', (line) => lines.push(line));
  try {
    const [line] = await once(said, 'line');
    await act(/http:\S+/.exec(line)[0]);
  } finally {
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
  }
  // Whoever starts it again finds an empty page: it has to say so before.
  assert.match(lines.join('\n'), /a script answers[^]*SCRIPT_FOLDER/);
}

async function approveEdited(browser, address) {
  const page = await browser.open(address, { width: 1000, height: 900 });
  await page.clickOn('.composer input');
  await page.type('Order 1001 is broken.');
  await page.press('Enter');
  await page.until(`${LAST}?.querySelector('textarea')`);
  await page.clickOn('textarea');
  await page.read('document.activeElement.select()');
  await page.type('{ "order": "1001", "cents": 3000 }');
  await page.clickOn('.allow');
  const answer = 'The answer: Paid back 3000 cents of order 1001.';
  const isShown = `${LAST}?.innerText.includes(${JSON.stringify(answer)})`;
  await page.until(isShown);
  // The address names the chat, so a reload finds it.
  await page.reload();
  await page.until(isShown);
  assert.deepEqual(page.troubles, []);
}
