// The story in a real browser: read, unfolded, searched and walked through by keys, at every width and in both themes, and
// followed while it goes on.
import { afterAll, beforeAll, expect } from 'vitest';
import {
  startInspectorServer,
  type InspectorServer,
} from '../../../packages/inspector/src/server/inspector-server.js';
import { readPageAssets } from '../../../packages/inspector/src/server/page-assets.js';
import { buildPageOnce } from '../../../packages/inspector/test/support/built-page.js';
import { FakeSource } from '../../../packages/inspector/test/support/fake-source.js';
import {
  EventMaker,
  makeManyCalls,
  readFixture,
} from '../../../packages/inspector/test/support/make-events.js';
import type { Page } from '../support/page.js';
import { auditPage } from './support/audit.js';
import { describeInBrowser } from './support/browser-tests.js';
import { writeEmbeddedPage } from './support/embedded-page.js';
import { findLayoutTroubles, findSmallTargets, WIDTHS } from './support/layout.js';
import { keepPicture } from './support/pictures.js';

const eventsOf = (name: string) => readFixture(name).map(({ event }) => event);
const openStory = () => writeEmbeddedPage({ story: eventsOf('story') });
/** The row that is chosen, in its first words. */
const active = (page: Page): Promise<string> =>
  page.read('document.querySelector("[aria-current=true] article")?.innerText.slice(0, 60) ?? ""');
const card = (name: string): string =>
  `[...document.querySelectorAll('.card')].find((card) => card.querySelector('.card-name').textContent.startsWith('${name}'))`;

describeInBrowser('the story', (test) => {
  test('tells what was asked, called, allowed and answered', async (pages) => {
    const page = await pages.open(await openStory(), { height: 3000 });
    await page.untilText('until the second week of January');
    expect(await page.read(`${card('send_mail')}.innerText`)).toMatch(
      /allowed after 1\.5 s, edited[^]*ran 12\d ms[^]*Queued for ines/,
    );
    expect(await page.read(`${card('refund_order')}.innerText`)).toMatch(/denied[^]*keep the order open/);
    const pictures = await page.read(
      '[...document.images].map(({ naturalWidth, alt }) => [naturalWidth, alt])',
    );
    expect(pictures).toEqual([[360, 'Image of sales_chart']]);
    expect(await page.read('document.querySelector(".prose-table").innerText')).toContain('412');
    // The answer stands once, though the result repeats it.
    expect(await page.read('document.body.innerText.split("but only just").length')).toBe(2);
  });

  test('is opened from an event of the wire at what it belongs to, with nothing over it', async (pages) => {
    const page = await pages.open(await openStory());
    await page.press('3');
    await page.clickOn('.wire-hit', 'ETIMEDOUT');
    await page.clickOn('.event-actions button', 'Open in story');
    await page.until('document.activeElement?.closest(".story-list [aria-current=true]")');
    expect(await active(page)).toMatch(/^count_stock[^]*Porto/);
    await page.look({ width: 360 });
    await page.press('3');
    await page.clickOn('.event-actions button', 'Open in story');
    await page.until('document.activeElement?.closest(".story-list [aria-current=true]")');
    expect(await page.read('document.querySelector(".detail")')).toBe(null);
  });

  test('is walked through by keys alone: items, turns, errors, what is searched for, the exact line', async (pages) => {
    const page = await pages.open(await openStory());
    await page.press('j');
    await page.press('j');
    expect(await active(page)).toMatch(/^Prompt/);
    await page.press('k');
    expect(await active(page)).toMatch(/^Claude Code/);
    await page.press('e');
    expect(await active(page)).toMatch(/^count_stock[^]*Porto/);
    await page.press('Enter');
    expect(await page.read('document.querySelector("[aria-current=true] .card-details").innerText')).toMatch(
      /Input[^]*"Porto"[^]*Error[^]*ETIMEDOUT[^]*ran\s+42\d ms in your program/,
    );
    await page.press('o');
    await page.until('document.querySelector(".detail")');
    await page.press('Escape');
    await page.press(']');
    expect(await active(page)).toMatch(/^Prompt[^]*turn 2/);
    await page.press('[');
    expect(await active(page)).toMatch(/^Prompt[^]*turn 1/);
    await page.press('/');
    await page.type('early december');
    await page.untilText('1 place');
    await page.press('Enter');
    await page.until('document.querySelector("[aria-current=true] mark")');
    expect(await page.read('document.querySelector("mark").textContent')).toBe('early December');
    expect(await page.read('document.activeElement.id')).toBe('story-search');
    await page.press('Escape');
    expect(await page.read('document.querySelectorAll("mark").length')).toBe(0);
    expect(await page.read('document.activeElement.matches(".story-list")')).toBe(true);
  });

  test('folds what a subagent did, and keeps its place while another view is looked at', async (pages) => {
    const page = await pages.open(await openStory(), { height: 2400 });
    const steps = `[...document.querySelectorAll('.card-name')].filter((name) => name.textContent.startsWith('Read')).length`;
    expect(await page.read(steps)).toBe(1);
    await page.clickOn('.card-inside');
    expect(await page.read(steps)).toBe(0);
    await page.press('2');
    await page.press('1');
    await page.until('document.querySelector(".card-inside[aria-expanded=false]")');
    expect(await page.read(steps)).toBe(0);
  });

  test('looks right at every width and in both themes, and axe finds nothing', async (pages) => {
    const page = await pages.open(await openStory());
    await page.press('e');
    await page.press('Enter');
    for (const width of WIDTHS)
      for (const dark of [false, true]) {
        await page.look({ width, height: 900, dark });
        expect(await findLayoutTroubles(page, ['.header', '.card', '.prompt', '.thinking'])).toEqual([]);
        // The lines of a JSON tree stand as close as text does.
        const small = await findSmallTargets(page, '.view-story');
        expect(small.filter((target) => !target.includes('json-toggle'))).toEqual([]);
        const { violations, incomplete } = await auditPage(page, '.view-story');
        expect([...violations, ...incomplete]).toEqual([]);
        await keepPicture(page, `story-${width}-${dark ? 'dark' : 'light'}`);
      }
  });

  test('draws hostile texts as texts', async (pages) => {
    const bad =
      '<img src=x onerror="document.title=1"> [x](javascript:alert(1)) <script>document.title=2</script>';
    const maker = new EventMaker().open().prompt(bad).init();
    maker.assistant({ type: 'text', text: `${bad}\n\n| ${bad} |\n|---|\n\n\`\`\`${bad}\n${bad}\n\`\`\`` });
    maker.call('c1', `mcp__${bad}__${bad}`, { [bad]: bad }, { result: bad, isError: true });
    maker.assistant({ type: 'tool_use', id: 'c2', name: 'Bash', input: { command: bad } });
    maker.result('c2', [
      { type: 'image', source: { media_type: 'image/svg+xml', data: 'PHN2Zy8+' } },
      { type: 'image', source: { media_type: 'image/png" onload="document.title=3', data: 'AAAA' } },
    ]);
    const page = await pages.open(
      await writeEmbeddedPage({
        bad: maker
          .turnEnd(bad)
          .end()
          .events.map(({ event }) => event),
      }),
      { height: 2400 },
    );
    const title = await page.read('document.title');
    await page.press('e');
    await page.press('Enter');
    expect(await page.read('document.querySelectorAll(".view-story :is(img, script, a)").length')).toBe(0);
    expect(await page.read('document.querySelector(".view-story").innerText')).toContain(bad);
    expect(await page.read('document.title')).toBe(title);
  });

  test('keeps few rows on the page, however long it is', async (pages) => {
    const events = makeManyCalls(2000).map(({ event }) => event);
    const page = await pages.open(await writeEmbeddedPage({ long: events }));
    await page.until(
      'document.querySelector(".story-list .list-row")?.getAttribute("aria-setsize") === "3002"',
    );
    await page.press('[');
    await page.until(
      'document.querySelector("[aria-current=true] .prompt-turn")?.textContent === "turn 200"',
    );
    expect(await page.read('document.querySelectorAll(".view-story *").length')).toBeLessThan(2500);
  });
});

describeInBrowser('a story that goes on', (test) => {
  let server: InspectorServer;
  let source: FakeSource;
  beforeAll(async () => {
    source = new FakeSource();
    server = await startInspectorServer(source, { port: 0, assets: readPageAssets(await buildPageOnce()) });
  });
  afterAll(() => server.close());

  const send = (maker: EventMaker): void => {
    for (const { event } of maker.events.splice(0)) source.add('one', event);
  };

  test('streams, is followed at its end, and says what is new to a reader who scrolled up', async (pages) => {
    const maker = new EventMaker().open().prompt('Go.').init();
    for (let call = 0; call < 30; call += 1) maker.call(`c${call}`);
    send(maker);
    const page = await pages.open(server.createLink(), { height: 700 });
    await page.untilText('The model is at work');
    const isAtEnd =
      '(({ scrollTop, clientHeight, scrollHeight }) => scrollHeight - scrollTop - clientHeight < 10)(document.querySelector(".story-list"))';
    await page.until(isAtEnd);
    // A call that is unfolded while it runs gets its result when it comes.
    send(maker.assistant({ type: 'tool_use', id: 'open', name: 'Read', input: { file_path: 'a.md' } }));
    await page.clickOn('.card-running .card-toggle');
    await page.until('document.querySelector(".card-running .card-details")');
    send(maker.result('open', 'what stands in it'));
    await page.until('document.querySelector(".card-done .card-details")?.innerText.includes("what stands")');
    maker.streamed({ type: 'message_start', message: { id: 'm1' } });
    maker.streamed({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
    send(maker.pieces('text', 'All of them '));
    await page.until('document.querySelector(".said-live")?.innerText.includes("All of them")');
    send(maker.pieces('text', 'were counted.'));
    await page.untilText('All of them were counted.');
    await page.until(isAtEnd);
    send(maker.assistant({ type: 'text', text: 'All of them were counted.' }, { id: 'm1' }));
    await page.until('!document.querySelector(".said-live")');

    await page.send('Input.dispatchMouseEvent', {
      type: 'mouseWheel',
      x: 600,
      y: 400,
      deltaX: 0,
      deltaY: -900,
    });
    await page.until('document.querySelector(".new-below")');
    send(maker.call('late1').call('late2', 'Bash'));
    await page.until('document.querySelector(".new-below").textContent === "2 new steps below"');
    await page.clickOn('.new-below');
    await page.until(isAtEnd);
    expect(await page.read('document.querySelector(".new-below")')).toBeNull();
    expect(await page.read('document.body.innerText.split("All of them were counted.").length')).toBe(2);
  });
});
