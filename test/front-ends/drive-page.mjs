// The recipe's page in a real browser, on the real CLI: what a person sees and does. Gates in the script hold the model where
// the page is looked at, so nothing here depends on time.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { startBrowser } from '../../scripts/support/load-browser.mjs';
import { loadTesting, serveOffline } from './offline.mjs';

const artifacts = fileURLToPath(new URL('../../test-artifacts/front-ends', import.meta.url));
const LAST = "document.querySelector('.messages > li:last-child')";

/** There is no browser to open the page in. */
export class NoBrowserError extends Error {}

/** Throws when the page does not do what its user expects. */
export async function drivePage(project, place) {
  const { script, gates } = writeScript(await loadTesting(project));
  const pageFolder = await buildPage(project, mkdtempSync(join(place, 'page-')));
  const server = { name: 'the page', program: process.execPath, words: () => ['page-server.mjs'] };
  const env = { PAGE_FOLDER: pageFolder };
  const browser = await startBrowser(mkdtempSync(join(place, 'driver-'))).catch((cause) => {
    throw new NoBrowserError(cause.message, { cause });
  });
  try {
    await serveOffline({ project, place, server, script, env }, async ({ api, crash, listProcesses }) => {
      const address = new URL(`/chats/${crypto.randomUUID()}`, api).href;
      const page = await browser.open(address, { width: 1000, height: 900 });
      await seePieces(page, gates);
      await allowEdited(page);
      await answerTwo(page);
      await stop(page, gates.stopped);
      await reloadInAnswer(page, gates.reloaded);
      await stopAtApproval(page);
      await reloadAtApproval(page);
      assert.deepEqual(page.troubles, []);
      await say(page, 'And order 10?');
      await page.until(`${LAST}.querySelector('textarea')`);
      await untilIdle(page);
      await crash();
      const idle = listProcesses();
      const other = await browser.open(address, { width: 1000, height: 900 });
      await answerAfterCrash(page, other, () => assert.deepEqual(listProcesses(), idle));
    });
  } finally {
    await browser.close();
  }
}

async function buildPage(project, folder) {
  await build({
    cwd: project,
    logLevel: 'warn',
    platform: 'browser',
    input: join(project, 'page', 'main.tsx'),
    // "use client" in a page is no news.
    checks: { moduleLevelDirective: false },
    transform: { define: { 'process.env.NODE_ENV': '"production"' }, jsx: { runtime: 'automatic' } },
    output: { file: join(folder, 'page.js'), format: 'esm', minify: true },
  });
  for (const name of ['index.html', 'page.css']) cpSync(join(project, 'page', name), join(folder, name));
  return folder;
}

function writeScript({ gate, held, reply, text, thinking, toolUse }) {
  const gates = { looking: gate(), telling: gate(), stopped: gate(), reloaded: gate() };
  const inside = (block, until) => ({ until, at: { insideBlock: block } });
  const refund = (order, amount) => toolUse('mcp__shop__refund', { order, amount });
  const letters = (customer) => toolUse('mcp__shop__read_letters', { customer });
  const script = [
    held(
      reply(
        thinking('First the order.'),
        text(['Let me ', 'see.']),
        toolUse('mcp__shop__find_order', { order: '7' }),
      ),
      inside(1, gates.looking),
    ),
    held(text(['It came ', 'back to us.']), inside(0, gates.telling)),
    refund('7', 84),
    ({ answer }) => text(`Done: ${answer.text}`),
    reply(text('I would like to read what both wrote.'), letters('Ines'), letters('Bo')),
    text('Only Ines wrote something I may read.'),
    held(text(['A very ', 'long story.']), inside(0, gates.stopped)),
    held(text(['One, ', 'two, ', 'three.']), inside(0, gates.reloaded)),
    reply(text('I pay order 8 back.'), refund('8', 6)),
    reply(text('I pay order 9 back.'), refund('9', 12)),
    ({ answer }) => text(`Done: ${answer.text}`),
    reply(text('I pay order 10 back.'), refund('10', 40)),
    ({ answer }) => text(`Done: ${answer.text}`),
  ];
  return { script, gates };
}

const lastText = (page) => page.read(`${LAST}.innerText`);
const untilLast = (page, text) => page.until(`${LAST}?.innerText.includes(${JSON.stringify(text)})`);
const untilIdle = (page) => page.until("document.querySelector('.chat').dataset.status === 'ready'");
const stateOf = (page) =>
  page.read(`[...${LAST}.querySelectorAll('.call')].map((call) => call.dataset.state)`);

async function say(page, text) {
  await page.clickOn('.composer input');
  await page.type(text);
  await page.press('Enter');
}

async function keep(page, name) {
  mkdirSync(artifacts, { recursive: true });
  writeFileSync(join(artifacts, `${name}.png`), await page.capture());
}

async function seePieces(page, { looking, telling }) {
  await say(page, 'Where is order 7?');
  await untilLast(page, 'Let me');
  assert.doesNotMatch(await lastText(page), /see\./);
  looking.open();
  await untilLast(page, 'It came');
  const seen = await lastText(page);
  assert.match(seen, /First the order\.[\s\S]*Let me see\.[\s\S]*find_order[\s\S]*Ines Moser/);
  assert.doesNotMatch(seen, /back to us/);
  telling.open();
  await untilLast(page, 'It came back to us.');
  await untilIdle(page);
}

async function allowEdited(page) {
  await say(page, 'Pay it back.');
  await page.until(`${LAST}.querySelector('textarea')`);
  await untilIdle(page);
  assert.deepEqual(await stateOf(page), ['approval-requested']);
  await keep(page, 'approval');
  await page.look({ dark: true });
  await keep(page, 'approval-dark');
  await page.look({ dark: false });
  await page.clickOn('textarea');
  await page.read('document.activeElement.select()');
  await page.type('{ "order": "7", "amount": 30 }');
  await page.clickOn('.allow');
  await untilLast(page, 'Done: Paid back 30 euros for order 7.');
  await untilIdle(page);
  assert.match(await lastText(page), /"amount":30/);
  assert.deepEqual(await stateOf(page), ['output-available']);
}

async function answerTwo(page) {
  await say(page, 'What did they write?');
  await page.until(`${LAST}.querySelectorAll('textarea').length === 2`);
  await untilIdle(page);
  await keep(page, 'two-approvals');
  await page.clickOn('.messages > li:last-child .call .allow');
  // The other is still open, and nothing goes on before it is answered.
  await page.until(`${LAST}.querySelectorAll('textarea').length === 1`);
  assert.doesNotMatch(await lastText(page), /Only Ines/);
  await page.clickOn('.messages > li:last-child .call .deny');
  await untilLast(page, 'Only Ines wrote something I may read.');
  await untilIdle(page);
  assert.deepEqual(await stateOf(page), ['output-available', 'output-denied']);
}

async function stop(page, gate) {
  await say(page, 'Tell me a story.');
  await untilLast(page, 'A very');
  await page.clickOn('.stop');
  await untilIdle(page);
  assert.equal((await lastText(page)).trim(), 'A very');
  gate.open();
}

async function reloadInAnswer(page, gate) {
  await say(page, 'Count.');
  await untilLast(page, 'One,');
  const before = await listMessages(page);
  await page.reload();
  await untilLast(page, 'One,');
  assert.deepEqual(await listMessages(page), before);
  gate.open();
  await untilLast(page, 'One, two, three.');
  await untilIdle(page);
  assert.deepEqual(await listMessages(page), [...before.slice(0, -1), 'One, two, three.']);
}

/** While a question is open, the page offers to stop, and sends nothing. */
async function stopAtApproval(page) {
  await say(page, 'And order 8?');
  await page.until(`${LAST}.querySelector('textarea')`);
  await untilIdle(page);
  const before = await listMessages(page);
  await say(page, 'Something else.');
  assert.deepEqual(await listMessages(page), before);
  await page.clickOn('.stop');
  await page.until(`${LAST}.querySelector('.call').dataset.state === 'output-error'`);
  assert.deepEqual((await listMessages(page)).slice(0, -1), before.slice(0, -1));
  // What was not sent is still there.
  await page.clickOn('.composer input');
  await page.read('document.activeElement.select()');
  await page.press('Backspace');
  assert.equal(await page.read("document.querySelector('.composer input').value"), '');
}

async function reloadAtApproval(page) {
  await say(page, 'And order 9?');
  await page.until(`${LAST}.querySelector('textarea')`);
  await untilIdle(page);
  const before = await listMessages(page);
  await page.reload();
  await page.until(`${LAST}.querySelector('textarea')`);
  await untilIdle(page);
  assert.deepEqual(await listMessages(page), before);
  await page.clickOn('.messages > li:last-child .allow');
  await untilLast(page, 'Done: Paid back 12 euros for order 9.');
  await untilIdle(page);
  assert.equal((await listMessages(page)).length, before.length);
  await keep(page, 'end');
}

/** The server was killed. Two pages are loaded again, and both answer: the first answer counts. */
async function answerAfterCrash(page, other, expectNothingStarted) {
  for (const each of [page, other, page]) {
    await each.reload();
    await each.until(`${LAST}.querySelector('textarea')`);
    await untilIdle(each);
    assert.deepEqual(await stateOf(each), ['approval-requested']);
    assert.match(await lastText(each), /I pay order 10 back\./);
  }
  expectNothingStarted();
  await keep(page, 'after-crash');
  await page.clickOn('.messages > li:last-child textarea');
  await page.read('document.activeElement.select()');
  await page.type('{ "order": "10", "amount": 4 }');
  await page.clickOn('.messages > li:last-child .allow');
  await untilLast(page, 'Done: Paid back 4 euros for order 10.');
  await untilIdle(page);
  await other.clickOn('.messages > li:last-child .deny');
  await untilLast(other, 'Done: Paid back 4 euros for order 10.');
  await untilIdle(other);
  assert.deepEqual(await stateOf(other), ['output-available']);
  assert.deepEqual(await listMessages(other), await listMessages(page));
}

const listMessages = (page) =>
  page.read("[...document.querySelectorAll('.messages > li')].map((message) => message.innerText.trim())");
