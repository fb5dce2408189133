// The fleet of a cluster in a real browser: its journal is filled as workers would fill it, and the page is served from it.
import { expect } from 'vitest';
import { inspectTarget } from '../../../packages/inspector/src/inspect.js';
import { readPageAssets } from '../../../packages/inspector/src/server/page-assets.js';
import { buildPageOnce } from '../../../packages/inspector/test/support/built-page.js';
import { ClusterScene, result, says } from '../../../packages/inspector/test/support/cluster-scene.js';
import type { Page } from '../support/page.js';
import { auditPage } from './support/audit.js';
import { describeInBrowser } from './support/browser-tests.js';
import { findLayoutTroubles } from './support/layout.js';
import { keepPicture } from './support/pictures.js';

const PARTS = ['.header', '.bar', '.cluster', '.fleet-head', '.fleet-row'];

async function fill(count: number): Promise<ClusterScene> {
  const scene = new ClusterScene();
  const gone = { name: 'host-3-4711', concurrency: 8, running: 5, warm: 0, draining: false };
  await scene.journal.reportWorker(gone);
  scene.now += 15_000;
  for (let index = 0; index < count; index += 1) {
    scene.now += 1;
    const key = `customer-${index}/chat`;
    const tenant = index % 3 === 0 ? 'globex' : 'acme';
    await scene.send(key, `Where is order ${index}?`, { tenant });
    if (index > 20) await scene.journal.cancel(key, 't1');
    if (index > 20 || index % 4 === 0) continue;
    const { fence, turn } = await scene.take(key, `host-${index % 3}-4711`);
    const call = {
      type: 'tool_use',
      id: `c${index}`,
      name: 'mcp__shop__refund',
      input: { order: `${index}` },
    };
    await scene.say(fence, turn, says(`m${index}`, { type: 'text', text: 'Let me look.' }, call));
    if (index === 2) await scene.ask(fence, turn, 'q2', { order: '2', amount: 20 });
    if (index % 4 !== 1) continue;
    await scene.say(
      fence,
      turn,
      says(`n${index}`, { type: 'text', text: 'Paid back.' }),
      result('Paid back.'),
    );
    await scene.finish(fence, turn, { text: 'Paid back.' });
  }
  for (const [index, running] of [2, 4, 1].entries())
    await scene.journal.reportWorker({
      name: `host-${index}-4711`,
      concurrency: 8,
      running,
      warm: index,
      draining: index === 2,
    });
  await scene.journal.pause({ tenant: 'globex', ms: 60_000, reason: '429: too many requests' });
  return scene;
}

async function fillQuestions(count: number): Promise<ClusterScene> {
  const scene = new ClusterScene();
  for (let index = 1; index <= count; index += 1) {
    scene.now += 1;
    await scene.send(`chat-${index}`, 'Pay it back.');
    const { fence, turn } = await scene.take(`chat-${index}`);
    await scene.ask(fence, turn, `q${index}`, { order: String(index) });
  }
  return scene;
}

async function onCluster(
  scene: ClusterScene,
  play: (link: string, scene: ClusterScene) => Promise<void>,
  tenant?: string,
): Promise<void> {
  const assets = readPageAssets(await buildPageOnce());
  await using inspector = await inspectTarget(
    { journal: scene.journal },
    { title: 'support desk', assets, port: 0, print: false, tenant },
  );
  await play(inspector.url, scene);
}

const textOf = (page: Page, selector: string): Promise<string> =>
  page.read(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`);

describeInBrowser('the fleet of a cluster', (test) => {
  test('shows who works and what waits, follows a conversation, and answers its question', async (pages) => {
    await onCluster(await fill(21), async (link, scene) => {
      const page = await pages.open(link);
      await page.until('document.querySelectorAll(".fleet-row").length === 21');
      const head = await textOf(page, '.cluster');
      expect(head).toMatch(/Workers\s+3 of 4/);
      expect(head).toMatch(/Turns under way\s+7 of 24/);
      expect(head).toContain('host-2-4711');
      expect(head).toContain('draining');
      expect(head).toMatch(/host-3-4711\s+5\/8[^]*silent for 15 s/);
      expect(head).toContain('New turns of globex wait until');
      expect(await textOf(page, '[data-session="customer-2/chat"]')).toMatch(
        /waiting for you[^]*acme · support runs on host-2-4711, 1 question to answer/,
      );
      expect(await textOf(page, '[data-session="customer-4/chat"]')).toMatch(
        /queued[^]*acme · support 1 message waiting for a worker/,
      );
      expect(await textOf(page, '.fleet-chips')).toMatch(/Waiting\s+1\s+Running\s+9\s+Queued\s+6\s+Idle\s+5/);
      for (const dark of [false, true]) {
        await page.look({ dark });
        expect(await auditPage(page)).toEqual({ violations: [], incomplete: [] });
        await keepPicture(page, `cluster${dark ? '-dark' : ''}`);
      }
      // The card of a question says where it is asked, and leads there.
      await page.clickOn('.qcard-facts button');
      await page.untilText('Where is order 2?');
      await page.untilText('Let me look.');
      await keepPicture(page, 'cluster-conversation');
      await page.clickOn('[data-question] button', 'Allow');
      await page.until('document.querySelector("[data-question]") === null');
      const [kept] = await scene.journal.questions({ id: 'q2', answered: true });
      expect(kept?.answer).toMatchObject({ by: 'inspector', result: { behavior: 'allow' } });
      // What another process does is seen at once.
      await scene.send('customer-2/chat', 'And order 3?');
      await page.untilText('And order 3?');
    });
  });

  test('answers questions by keys alone: beside the fleet, and in the sheet of a small page', async (pages) => {
    await onCluster(await fillQuestions(3), async (link, scene) => {
      const page = await pages.open(link);
      const hasFocus = (id: string): Promise<void> =>
        page.until(`document.activeElement?.dataset.question === "${id}"`);
      const answerOf = async (id: string): Promise<unknown> =>
        (await scene.journal.questions({ id, answered: true }))[0]?.answer;
      await page.until('document.querySelectorAll("[data-question]").length === 3');
      await page.press('q');
      await hasFocus('q1');
      await page.press('a');
      await hasFocus('q2');
      expect(await answerOf('q1')).toMatchObject({ by: 'inspector', result: { behavior: 'allow' } });
      await page.look({ width: 360 });
      await page.press('q');
      await hasFocus('q2');
      expect(await page.read('document.querySelector(".dock-open") !== null')).toBe(true);
      await page.press('d');
      await page.until('document.activeElement?.id.endsWith("-reason")');
      await page.type('No receipt.');
      await page.press('Enter');
      await hasFocus('q3');
      expect(await answerOf('q2')).toMatchObject({ result: { behavior: 'deny', message: 'No receipt.' } });
      await page.press('a');
      await page.until('document.querySelector("[data-question]") === null');
      expect(await answerOf('q3')).toMatchObject({ result: { behavior: 'allow' } });
    });
  });

  test('has 10,000 conversations: the newest, and says how many there are', async (pages) => {
    await onCluster(await fill(10_000), async (link) => {
      const page = await pages.open(link);
      await page.untilText('1000 of 10000 conversations are listed');
      expect(await page.read('document.querySelectorAll(".fleet-row").length')).toBeLessThanOrEqual(200);
      await page.look({ width: 360 });
      expect(await findLayoutTroubles(page, PARTS)).toEqual([]);
    });
  });

  test('shows one tenant its own, and says nothing of workers', async (pages) => {
    const scene = await fill(12);
    await scene.journal.pause({ ms: 60_000, reason: 'host-0-4711 is repaired' });
    await onCluster(
      scene,
      async (link) => {
        const page = await pages.open(link);
        await page.until('document.querySelectorAll(".fleet-row").length === 4');
        const text = await page.read<string>('document.body.innerText');
        expect(text).not.toMatch(/workers|acme|host-\d/i);
        expect(await page.read('document.querySelector(".cluster").innerText')).toMatch(
          /turns under way\s+2\b[^]*the turns of all tenants are postponed/i,
        );
        expect(await findLayoutTroubles(page, PARTS)).toEqual([]);
        expect(await auditPage(page)).toEqual({ violations: [], incomplete: [] });
      },
      'globex',
    );
  });
});
