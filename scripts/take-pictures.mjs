// Takes the pictures of the inspector that the README and docs/inspector.md show: a live run on the real CLI, offline, with a
// scripted model, in a real browser, light and dark. Run after `npm run build`: `node scripts/take-pictures.mjs`.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { createSdkMcpServer, query, tool } from '../dist/entry/index.js';
import { inspect } from '../dist/entry/inspector.js';
import {
  createIsolatedEnvironment,
  reply,
  startScriptedModel,
  text,
  thinking,
  toolUse,
} from '../dist/entry/testing.js';
import { startBrowser } from './support/load-browser.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
// So wide that the outline stands beside the story, and the questions on its other side.
const LOOK = { width: 1440, height: 860, scale: 1.25 };
const MOST_BYTES = 250_000;

const PROMPT =
  'Ines wrote that half of order 1042 is missing. Find out what happened, refund what we owe her, and let her know.';
const SCRIPT = [
  reply(
    thinking('I need the order and its parcels. I can look up both at once.'),
    text("I'll look up the order and what left the warehouse."),
    toolUse('mcp__shop__find_order', { order: 1042 }),
    toolUse('mcp__shop__list_parcels', { order: 1042 }),
  ),
  reply(
    text(
      "The second parcel went back to the warehouse: the address had no house number. I'll check whether it is still there.",
    ),
    toolUse('mcp__shop__track_parcel', { parcel: 'P-77120' }),
  ),
  reply(
    text('It was damaged on the way back, so the two lamps cannot be sent again. We owe her 84 euros.'),
    toolUse('mcp__shop__refund', { order: 1042, amount: 84, reason: 'Parcel P-77120 was damaged' }),
  ),
  text('I refunded 84 euros and told Ines what happened. No new parcel is needed.'),
];

const slowly = async (ms, result) => {
  await pause(ms);
  return result;
};
const number = { type: 'integer', minimum: 1 };
const schema = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const TOOLS = [
  tool({
    name: 'find_order',
    description: 'What was ordered, by whom, for how much',
    inputSchema: schema({ order: number }),
    run: () =>
      slowly(420, { order: 1042, customer: 'Ines Moser', lines: ['2 desks', '2 lamps'], total: 412 }),
  }),
  tool({
    name: 'list_parcels',
    description: 'The parcels of an order',
    inputSchema: schema({ order: number }),
    run: () =>
      slowly(650, {
        parcels: [
          { id: 'P-77119', state: 'delivered' },
          { id: 'P-77120', state: 'returned' },
        ],
      }),
  }),
  tool({
    name: 'track_parcel',
    description: 'Where a parcel was, and what happened to it',
    inputSchema: schema({ parcel: { type: 'string' } }),
    run: () => slowly(900, 'Returned on 12 November: no house number. Marked as damaged on arrival.'),
  }),
  tool({
    name: 'refund',
    description: 'Refunds money',
    inputSchema: schema({
      order: number,
      amount: { type: 'number', minimum: 1 },
      reason: { type: 'string' },
    }),
    run: () => slowly(300, 'Refunded 84 euros.'),
  }),
];

async function keep(page, name) {
  for (const dark of [false, true]) {
    await page.look({ dark });
    // A colour half-way between two themes is not meant.
    await page.read(
      'for (const moved of document.getAnimations()) if (moved instanceof CSSTransition) moved.finish()',
    );
    await page.settle();
    const file = join(root, 'docs', `inspector-${name}${dark ? '-dark' : ''}.png`);
    writeFileSync(file, await page.capture());
    const { size } = statSync(file);
    console.log(`${file}: ${Math.round(size / 1000)} kB`);
    if (size > MOST_BYTES)
      throw new Error(`${file} has ${size} bytes; at most ${MOST_BYTES} are meant to be kept`);
  }
  await page.look({ dark: false });
}

const folder = mkdtempSync(join(tmpdir(), 'inboard-pictures-'));
const model = await startScriptedModel({ script: SCRIPT });
const home = await createIsolatedEnvironment({ baseUrl: model.url });
const inspector = await inspect({ port: 0, print: false, title: 'shop' });
const browser = await startBrowser(folder);
try {
  const page = await browser.open(inspector.url, LOOK);
  const asked = query({
    prompt: PROMPT,
    options: {
      env: home.env,
      cwd: home.cwd,
      includePartialMessages: true,
      mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: TOOLS }) },
      allowedTools: ['find_order', 'list_parcels', 'track_parcel'].map((name) => `mcp__shop__${name}`),
      // Answered on the page.
      canUseTool: async () => null,
    },
  });
  const reading = (async () => {
    for await (const message of asked) if (message.type === 'result') break;
  })();
  await page.until('document.querySelector("[data-question]")');
  await page.untilText('We owe her 84 euros');
  await page.untilText('waiting for you');
  await page.settle();
  await keep(page, 'story');
  await page.clickOn('.qcard-yes');
  await reading;
  await page.untilText('No new parcel is needed.');
  await page.until('document.querySelector(".steering-never")');
  await page.press('2');
  await page.look({ height: 940 });
  await keep(page, 'timeline');
} finally {
  await browser.close();
  await inspector.close();
  await model.close({ verify: false });
  await home.remove();
  rmSync(folder, { recursive: true, force: true });
}
