// A real program of the built package ends while its page is looked at: normally, by process.exit, by an uncaught error, killed,
// and held until the page is closed. The page says how, keeps everything, and saves it as a file that opens by itself.
import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import { buildCommand, collect, type BuiltCommand } from '../../../packages/cli/test/built-command.js';
import {
  createIsolatedEnvironment,
  startScriptedModel,
  text,
  toolUse,
} from '../../../packages/inboard/src/testing.js';
import { waitUntil } from '../../support/wait-until.js';
import type { Page } from '../support/page.js';
import { auditPage } from './support/audit.js';
import { describeInBrowser, type Pages } from './support/browser-tests.js';
import { findLayoutTroubles, findSmallTargets } from './support/layout.js';

const PROGRAM = `
import { createSdkMcpServer, query, tool } from 'inboard';
const send = tool('send', 'Sends', { to: 'string' }, ({ to }) => 'sent to ' + to);
const env = JSON.parse(process.env.AGENT_ENV);
const options = { env, cwd: process.env.AGENT_CWD, mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: [send] }) }, allowedTools: ['mcp__shop__send'] };
for await (const message of query({ prompt: 'Send the letter to Ines.', options })) if (message.type === 'result') console.log('RESULT');
process.stdin.once('data', (how) => {
  if (String(how) === 'exit') process.exit(3);
  if (String(how) === 'throw') setTimeout(() => { throw new Error('no stock file, token ' + process.env.SHOP_TOKEN) });
  process.stdin.destroy();
});
`;
const NOTICE = 'document.querySelector(".end-notice")';

let command: BuiltCommand;
let downloads: string;
beforeAll(async () => {
  command = await buildCommand(tmpdir());
  command.write('agent.mjs', PROGRAM);
  downloads = mkdtempSync(join(tmpdir(), 'saved-runs-'));
}, 120_000);
afterAll(() => {
  command.remove();
  rmSync(downloads, { recursive: true, force: true });
});

interface Stage {
  child: ChildProcess;
  page: Page;
  ended: ReturnType<typeof collect>;
}

/** Starts the program, and waits until the page shows its whole run and has what it needs after the end. */
async function onStage(pages: Pages, inspect: string, play: (stage: Stage) => Promise<void>): Promise<void> {
  const model = await startScriptedModel({
    script: [toolUse('mcp__shop__send', { to: 'Ines' }), text('It is on its way.')],
  });
  const home = await createIsolatedEnvironment({ baseUrl: model.url });
  const child = command.startFile('agent.mjs', {
    env: {
      INBOARD_INSPECT: inspect,
      XDG_RUNTIME_DIR: downloads,
      SHOP_TOKEN: 'very-secret-token-1',
      AGENT_ENV: JSON.stringify(home.env),
      AGENT_CWD: home.cwd,
    },
  });
  const ended = collect(child);
  try {
    let said = '';
    child.stderr?.on('data', (piece: Buffer) => (said += piece.toString()));
    await waitUntil(() => /#key=\S+\s/.test(said));
    const page = await pages.open(/http:\S+/.exec(said)?.[0] ?? '');
    await page.untilText('It is on its way.');
    await page.untilText('ended: exit code 0');
    await waitUntil(() => page.requests.some((url) => url.endsWith('/api/blank-page')));
    await page.until('performance.getEntriesByName(location.origin + "/api/blank-page")[0]?.responseEnd > 0');
    await play({ child, page, ended });
  } finally {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await model.close({ verify: false });
    await home.remove();
  }
}

/** What the page says of the end. */
async function readNotice(page: Page): Promise<string> {
  await page.until(NOTICE);
  return page.read(`${NOTICE}.innerText`);
}

/** Requests that a program did not answer any more are troubles of the browser, and here they are wanted. */
function forgetLost(page: Page): void {
  const left = page.troubles.filter((trouble) => !trouble.includes('ERR_'));
  page.troubles.splice(0, Infinity, ...left);
}

describeInBrowser('a program that ends', (test) => {
  test('says so itself, and the page keeps all of it and saves it', async (pages) => {
    await onStage(pages, '1', async ({ child, page, ended }) => {
      child.stdin?.write('end');
      expect((await ended).code).toBe(0);
      const notice = await readNotice(page);
      expect(notice).toContain('The program has ended normally');
      expect(notice).toContain('INBOARD_TRACE=run.jsonl node agent.mjs');
      // It lets no other browser in any more.
      expect(
        await page.read('document.querySelector(".head-actions").innerHTML.includes("another browser")'),
      ).toBe(false);
      const asked = page.requests.length;
      // The exact line of an event is still here, though nobody is left to be asked for it.
      await page.press('3');
      await page.clickOn('.wire-line', 'tools/call');
      await page.until('document.querySelector(".event-json")?.textContent.includes("mcp_message")');
      await page.press('Escape');
      for (const view of ['2', '4', '5', '1']) {
        await page.press(view);
        if (view === '4') await page.untilText('no tool is behind this page any more');
        expect(await page.read('document.getElementById("view").innerText.length')).toBeGreaterThan(20);
      }
      for (const width of [1600, 800, 360]) {
        await page.look({ width, dark: width === 800 });
        expect(await findLayoutTroubles(page, ['.end-title', '.end-actions', '.end-record'])).toEqual([]);
        expect(await findSmallTargets(page, '.end-notice')).toEqual([]);
        expect(await auditPage(page, '.end-notice')).toEqual({ violations: [], incomplete: [] });
      }
      await page.look({ width: 1400 });
      // It does not look for a program that has said that it ends.
      expect(page.requests.slice(asked).filter((url) => url.includes('/api/stream'))).toEqual([]);
      await page.send('Browser.setDownloadBehavior', {
        behavior: 'allow',
        downloadPath: downloads,
        browserContextId: page.context,
      });
      await page.clickOn('.end-notice .button-primary');
      await waitUntil(() => readdirSync(downloads).includes('Send-the-letter-to-Ines.html'));
      const file = join(downloads, 'Send-the-letter-to-Ines.html');
      expect(readFileSync(file, 'utf8')).toContain('<meta http-equiv="Content-Security-Policy"');
      const saved = await pages.open(pathToFileURL(file).href);
      await saved.untilText('It is on its way.');
      await saved.untilText('The program has ended normally');
      expect(await saved.read('document.querySelector(".head").innerText')).toContain('file');
      await saved.press('3');
      await saved.clickOn('.wire-line', 'tools/call');
      await saved.until('document.querySelector(".event-json")?.textContent.includes("mcp_message")');
      expect(saved.requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual(
        [],
      );
      forgetLost(page);
    });
  });

  test('by process.exit or by an uncaught error says that, without its secrets', async (pages) => {
    await onStage(pages, '1', async ({ child, page, ended }) => {
      child.stdin?.write('exit');
      expect((await ended).code).toBe(3);
      expect(await readNotice(page)).toContain('The program has ended with exit code 3');
      forgetLost(page);
    });
    await onStage(pages, '1', async ({ child, page, ended }) => {
      child.stdin?.write('throw');
      expect((await ended).code).toBe(1);
      const notice = await readNotice(page);
      expect(notice).toContain('The program ended with an uncaught error, exit code 1');
      expect(notice).toContain('no stock file, token [redacted]');
      forgetLost(page);
    });
  });

  test('by a kill is known from the first connection that is refused', async (pages) => {
    await onStage(pages, '1', async ({ child, page }) => {
      const before = page.requests.filter((url) => url.includes('/api/stream')).length;
      child.kill('SIGKILL');
      expect(await readNotice(page)).toContain('The program is gone, and did not say why');
      const after = page.requests.filter((url) => url.includes('/api/stream')).length;
      expect(after - before).toBe(1);
      await page.untilText('It is on its way.');
      forgetLost(page);
    });
  });

  test('is held until its page is closed, if that is wanted', async (pages) => {
    await onStage(pages, 'hold', async ({ child, page, ended }) => {
      child.stdin?.write('end');
      expect(await readNotice(page)).toContain('The program has done its work');
      // A page that is loaded again is not closed.
      await page.reload();
      await page.untilText('It is on its way.');
      expect(await readNotice(page)).toContain('The program has done its work');
      expect(child.exitCode).toBeNull();
      await page.close();
      const { code, stderr } = await ended;
      expect(code).toBe(0);
      expect(stderr).toContain('ends when its pages are closed');
    });
  });
});
