// Cards of a session that runs: the real CLI asks, a person answers on the page, and the tools get what was decided.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { inspectTarget } from '../../../packages/inspector/src/inspect.js';
import { readPageAssets } from '../../../packages/inspector/src/server/page-assets.js';
import { newCli } from '../../e2e/support/cli.js';
import { createSdkMcpServer, text, tool, toolUse } from '../../e2e/support/inboard.js';
import { onStage } from '../../e2e/support/stage.js';
import { readRest } from '../../e2e/support/talk.js';
import { buildPageOnce } from '../../../packages/inspector/test/support/built-page.js';
import type { Page } from '../support/page.js';
import { describeInBrowser } from './support/browser-tests.js';
import { keepPicture } from './support/pictures.js';

const TOKEN = 'sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyz';
const WHERE = 'Which warehouse?';

const script = [
  toolUse('mcp__shop__send_mail', { to: 'ada@example.org', subject: 'Hello', token: TOKEN }),
  toolUse('Bash', { command: 'touch made', description: 'Make a file' }),
  toolUse('AskUserQuestion', {
    questions: [
      {
        question: WHERE,
        header: 'Warehouse',
        multiSelect: false,
        options: [
          { label: 'Lund', description: 'Near' },
          { label: 'Ghent', description: 'Far' },
        ],
      },
    ],
  }),
  text('All is done.'),
];

async function write(page: Page, selector: string, content: string): Promise<void> {
  await page.clickOn(selector);
  await page.read('document.activeElement.select()');
  await page.type(content);
}

describeInBrowser('cards of a running session', (test) => {
  test('reveal and edit, deny, answer', async (pages) => {
    const built = await buildPageOnce();
    const assets = readPageAssets(built);
    const inspector = await inspectTarget(undefined, { assets, port: 0, askHere: true, print: false });
    const sent: unknown[] = [];
    const mail = tool({
      name: 'send_mail',
      description: 'Sends a mail',
      inputSchema: { to: 'string', subject: 'string', token: 'string' },
      run: (input) => {
        sent.push(input);
        return 'sent';
      },
    });
    try {
      await onStage(newCli, { script }, async (stage) => {
        const shop = createSdkMcpServer({ name: 'shop', tools: [mail] });
        const { query } = stage.start('Write to Ada.', { mcpServers: { shop } });
        const ended = readRest(query);
        const page = await pages.open(inspector.url);

        await page.until(`document.querySelector('[data-kind="permission"]')`);
        expect(await page.read<string>('document.body.innerText')).not.toContain(TOKEN);
        await write(page, 'textarea[id$="-subject"]', 'Your order');
        await page.clickOn('.field-locked button', 'Reveal');
        await page.until(
          `document.querySelector('textarea[id$="-token"]')?.value === ${JSON.stringify(TOKEN)}`,
        );
        await keepPicture(page, 'cards-live');
        await page.clickOn('.qcard-yes');

        await page.until(`document.querySelector('[data-question] code')?.textContent === 'Bash'`);
        expect(sent).toEqual([{ to: 'ada@example.org', subject: 'Your order', token: TOKEN }]);
        await page.press('n');
        await page.press('d');
        await page.until(`document.activeElement?.id.endsWith('-reason')`);
        await page.type('Make no files here.');
        await page.press('Enter');

        await page.until(`document.querySelector('[data-kind="ask-user"]')`);
        await page.clickOn('.ask-option', 'Ghent');
        await page.clickOn('.qcard-yes');

        await ended;
        expect(existsSync(join(stage.home.cwd, 'made'))).toBe(false);
        const results = stage.model.conversation
          .flatMap(({ toolResults }) => toolResults)
          .map((each) => JSON.stringify(each));
        expect(results.find((each) => each.includes('Make no files here.'))).toBeDefined();
        expect(results.find((each) => each.includes('Ghent'))).toBeDefined();
      });
    } finally {
      await inspector.close();
    }
  });

  test('call a tool by hand as it is now, also by replaying a call', async (pages) => {
    const built = await buildPageOnce();
    const assets = readPageAssets(built);
    const inspector = await inspectTarget(undefined, { assets, port: 0, print: false });
    let lamps = 400;
    const count = tool({
      name: 'count',
      description: 'Counts articles',
      inputSchema: { article: 'string', least: 'number?' },
      run: ({ article }) => `${(lamps += 1)} of ${article}`,
    });
    try {
      await onStage(
        newCli,
        { script: [toolUse('mcp__shop__count', { article: 'lamp' }), text('Done.')] },
        async (stage) => {
          const shop = createSdkMcpServer({ name: 'shop', tools: [count] });
          let end = (): void => {};
          const over = new Promise<void>((resolve) => {
            end = resolve;
          });
          const prompt = (async function* () {
            yield {
              type: 'user' as const,
              message: { role: 'user' as const, content: 'Count.' },
              parent_tool_use_id: null,
            };
            await over;
          })();
          const { query } = stage.start(prompt, { mcpServers: { shop }, allowedTools: ['mcp__shop__count'] });
          const ended = readRest(query);
          const page = await pages.open(inspector.url);
          // Until then the list of calls moves under the mouse.
          await page.untilText('Done.');
          await page.press('4');
          await page.clickOn('.tool-row', 'count');
          await page.clickOn('.call-list button', 'Replay');
          await page.clickOn('.replay button', 'Call with this input');
          await page.untilText('− 401 of lamp');
          await page.untilText('+ 402 of lamp');
          await page.clickOn('.form-mode', 'JSON');
          await write(page, '.form-json', '{"article": "lamp", "least": 3}');
          await page.clickOn('.tool-buttons button', 'Call');
          await page.untilText('403 of lamp');
          await keepPicture(page, 'tools-live');
          end();
          await ended;
        },
      );
    } finally {
      await inspector.close();
    }
  });
});
