// The timeline and the cost in a real browser, from a page that is a file.
import { expect } from 'vitest';
import { TimeLedger } from '../../../packages/inspector/src/model/time/time-ledger.js';
import type { TimeSpan } from '../../../packages/inspector/src/model/time/time-span.js';
import { layOutRows } from '../../../packages/inspector/src/model/time/timeline-rows.js';
import {
  EventMaker,
  makeManyCalls,
  readFixture,
} from '../../../packages/inspector/test/support/make-events.js';
import type { Page } from '../support/page.js';
import { auditPage } from './support/audit.js';
import { describeInBrowser, type Pages } from './support/browser-tests.js';
import { writeEmbeddedPage } from './support/embedded-page.js';
import { findLayoutTroubles, findSmallTargets, WIDTHS } from './support/layout.js';
import { keepPicture } from './support/pictures.js';

const events = readFixture('story');
const ledger = new TimeLedger();
for (const event of events) ledger.push(event);

async function openStory(pages: Pages, view: 'timeline' | 'cost', look = {}): Promise<Page> {
  const url = await writeEmbeddedPage({ story: events.map(({ event }) => event) });
  const page = await pages.open(`${url}#view=${view}&session=story`, look);
  // Everything is read: the sum is that of the whole session.
  if (view === 'timeline') await page.until(`${foot}.includes('7.1 s')`);
  else await page.until('document.querySelectorAll(".chart").length === 4');
  await page.settle();
  return page;
}

const foot = '(document.querySelector(".tl-shares tfoot")?.textContent ?? "")';
const tip = (page: Page): Promise<string> => page.read('document.querySelector(".tl-tip")?.innerText ?? ""');
const ticks = (page: Page): Promise<string[]> =>
  page.read('[...document.querySelectorAll(".tl-tick")].map((tick) => tick.textContent)');

/** Where the middle of a bar must be when everything is shown: by the times of the recording, not by what was drawn. */
async function placeOf(page: Page, label: string): Promise<{ x: number; y: number; span: TimeSpan }> {
  const rows = layOutRows(ledger.groups, { head: 34, lane: 30 });
  const row = rows.find(({ spans }) => spans.some((span) => span.label === label));
  const span = row?.spans.find((one) => one.label === label);
  if (!row || !span) throw new Error(`There is no bar "${label}"`);
  const middle = (span.start + (span.activity.end ?? 0)) / 2;
  const { left, top, width } = await page.read<{ left: number; top: number; width: number }>(
    '(({ left, top, width }) => ({ left, top, width }))(document.querySelector(".tl-scroller").getBoundingClientRect())',
  );
  const gutter = 64;
  return {
    x: left + gutter + (middle / ledger.durationMs) * (width - gutter),
    y: top + row.top + row.height / 2,
    span,
  };
}

describeInBrowser('the timeline', (test) => {
  test('draws bars where the axis says they are, and tells them exactly', async (pages) => {
    const page = await openStory(pages, 'timeline');
    const { x, y, span } = await placeOf(page, 'send_mail');
    await page.mouse('mouseMoved', x, y);
    await page.until('document.querySelector(".tl-tip")');
    const said = await tip(page);
    expect(said).toContain('send_mail');
    expect(said).toContain(`${(span.start / 1000).toFixed(3)} s`);
    expect(said).toMatch(/waiting for a person\s+1\.5 s/);
    expect(said).toMatch(/your code/);
    // The pixel there is no background: something is drawn on the canvas, in the colour of a person's wait.
    const colours = await page.read<number>(`(() => {
      const canvas = document.querySelector('.tl-canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const seen = new Set();
      for (let index = 0; index < data.length; index += 4) if (data[index + 3] > 0) seen.add(data[index] * 65536 + data[index + 1] * 256 + data[index + 2]);
      return seen.size;
    })()`);
    expect(colours).toBeGreaterThan(20);
  });

  test('opens a call in the story, by mouse and by keys', async (pages) => {
    const page = await openStory(pages, 'timeline');
    const { x, y } = await placeOf(page, 'send_mail');
    await page.click(x, y);
    await page.until('document.querySelector(".story-list [aria-current=true]")');
    await page.until('document.activeElement.textContent.includes("send_mail")');
    await page.press('2');
    await page.until(`${foot}.includes('7.1 s')`);
    for (let count = 0; count < 12 && !(await tip(page)).includes('count_stock'); count += 1)
      await page.press('j');
    expect(await page.read('document.querySelector(".tl-lanes [aria-live]").textContent')).toMatch(
      /^count_stock, 1\d\d ms, from 1\.\d{3} s: /,
    );
    await page.press('k');
    expect(await tip(page)).toContain('Model');
    await page.press('j');
    await page.press('Enter');
    await page.until('document.activeElement.textContent.includes("count_stock")');
  });

  test('zooms and moves by keys, buttons, wheel and drag, and shows everything again', async (pages) => {
    const page = await openStory(pages, 'timeline');
    const whole = await ticks(page);
    expect(whole.every((label) => label.endsWith(' s'))).toBe(true);
    await page.press('+');
    await page.clickOn('[aria-label="Zoom in"]');
    expect(await ticks(page)).not.toEqual(whole);
    const zoomed = await ticks(page);
    await page.press('ArrowLeft');
    expect(await ticks(page)).not.toEqual(zoomed);
    const { x, y } = await placeOf(page, 'send_mail');
    const before = await ticks(page);
    await page.mouse('mousePressed', x, y);
    for (const step of [10, 60, 120]) await page.mouse('mouseMoved', x + step, y);
    await page.mouse('mouseReleased', x + 120, y);
    await page.settle();
    expect(await ticks(page)).not.toEqual(before);
    // A drag opens nothing.
    expect(await page.read('Boolean(document.querySelector(".view-timeline"))')).toBe(true);
    const wheel = (deltaY: number, modifiers: number): Promise<unknown> =>
      page.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x, y, deltaX: 0, deltaY, modifiers });
    for (let count = 0; count < 12; count += 1) await wheel(-300, 2);
    await page.until(`${unit}.includes('milliseconds')`);
    const fine = await ticks(page);
    expect(fine.every((label) => label.endsWith(' ms'))).toBe(true);
    await wheel(400, 8);
    await page.settle();
    expect(await ticks(page)).not.toEqual(fine);
    await page.press('0');
    expect(await ticks(page)).toEqual(whole);
  });

  test('folds long idle stretches when asked, and says so', async (pages) => {
    const maker = new EventMaker().open('conversation').prompt('One').init().wait(2000).turnEnd('1');
    maker.wait(600_000).prompt('Two').init().wait(3000).turnEnd('2').wait(10).end();
    const url = await writeEmbeddedPage({ s: maker.events.map(({ event }) => event) });
    const page = await pages.open(`${url}#view=timeline&session=s`);
    await page.until(`${foot}.includes('min')`);
    expect(await ticks(page)).toContain('10 min');
    await page.press('i');
    await page.until(`${unit}.includes('folded')`);
    expect(await page.read('document.querySelector(".tl-fold").textContent')).toBe('10 min idle');
    const folded = await ticks(page);
    expect(folded).toContain('1.0 s');
    expect(folded).toContain('603.0 s');
    await page.press('i');
    expect(await ticks(page)).toContain('10 min');
  });

  test('keeps as few nodes for 10,000 bars as for thirty', async (pages) => {
    const small = await openStory(pages, 'timeline');
    const few = await small.read<number>('document.querySelectorAll(".view-timeline *").length');
    const url = await writeEmbeddedPage({ s: makeManyCalls(5000).map(({ event }) => event) });
    const page = await pages.open(`${url}#view=timeline&session=s`);
    await page.until('document.querySelector(".tl-scroller")?.ariaLabel.startsWith("10,")');
    await page.press('+');
    await page.press('ArrowRight');
    const many = await page.read<number>('document.querySelectorAll(".view-timeline *").length');
    expect(many).toBeLessThan(few + 40);
    await page.clickOn('.tl-spans summary');
    await page.until('document.querySelectorAll(".tl-spans tbody tr").length === 100');
    await page.untilText('more bars: zoom in to see them here');
  });

  for (const width of WIDTHS)
    test(`is in order at ${width} pixels, light and dark`, async (pages) => {
      const page = await openStory(pages, 'timeline', { width, height: 900, reducedMotion: true });
      await keepPicture(page, `timeline-${width}-light`);
      expect(await findLayoutTroubles(page, ['.tl-tools', '.tl-axis', '.tl-lanes', '.tl-shares'])).toEqual(
        [],
      );
      await page.read('document.querySelector(".tl-spans").open = true');
      await page.until('document.querySelector(".tl-spans tbody tr")');
      expect(await findSmallTargets(page, '.view-timeline')).toEqual([]);
      expect(await auditPage(page, '.view-timeline')).toEqual({ violations: [], incomplete: [] });
      await page.look({ dark: true });
      await keepPicture(page, `timeline-${width}-dark`);
      expect(await auditPage(page, '.view-timeline')).toEqual({ violations: [], incomplete: [] });
    });
});

const unit = 'document.querySelector(".tl-unit").textContent';

describeInBrowser('the cost', (test) => {
  test('says exact numbers on focus, and has sums that add up', async (pages) => {
    const page = await openStory(pages, 'cost');
    await page.read('document.querySelector(".chart-body").focus()');
    await page.press('ArrowRight');
    await page.press('ArrowRight');
    expect(await page.read('document.querySelector(".chart-says").textContent')).toBe('turn 2: $0.0191');
    const cells = (selector: string): Promise<string[]> =>
      page.read(`[...document.querySelectorAll('${selector}')].map((cell) => cell.textContent)`);
    const part = '[aria-labelledby=cost-turns]';
    const outputs = await cells(`${part} tbody td:nth-child(7)`);
    const [sum] = await cells(`${part} tfoot td:nth-child(7)`);
    const toNumber = (text: string): number => Number(text.replaceAll(',', ''));
    expect(outputs.map(toNumber).reduce((total, value) => total + value, 0)).toBe(toNumber(sum ?? ''));
    await page.clickOn('.cost-open', '2');
    await page.until('document.querySelector(".story-list [aria-current=true]")');
  });

  test('says the figure where a chart would be one block', async (pages) => {
    const maker = new EventMaker()
      .open()
      .prompt('Hi')
      .init()
      .call('one')
      .turnEnd('Done.', { costUsd: 0.0123 });
    const url = await writeEmbeddedPage({ s: maker.events.map(({ event }) => event) });
    const page = await pages.open(`${url}#view=cost&session=s`);
    await page.until('document.querySelector(".chart-one")');
    expect(await page.read('document.querySelectorAll(".chart-plot").length')).toBe(0);
    expect(await page.read('document.querySelector(".chart-one").innerText')).toContain('$0.0123');
    expect(await auditPage(page, '.view-cost')).toEqual({ violations: [], incomplete: [] });
    expect(await findLayoutTroubles(page, ['.cost-figures', '.chart', '.cost-part'])).toEqual([]);
  });

  test('says that nothing is known where nothing is', async (pages) => {
    const url = await writeEmbeddedPage({
      s: new EventMaker()
        .open()
        .prompt('Hi')
        .events.map(({ event }) => event),
    });
    const page = await pages.open(`${url}#view=cost&session=s`);
    await page.untilText('No cost is known yet');
  });

  for (const width of WIDTHS)
    test(`is in order at ${width} pixels, light and dark`, async (pages) => {
      const page = await openStory(pages, 'cost', { width, height: 900, reducedMotion: true });
      await keepPicture(page, `cost-${width}-light`);
      expect(await findLayoutTroubles(page, ['.cost-figures', '.chart', '.cost-part'])).toEqual([]);
      expect(await findSmallTargets(page, '.view-cost')).toEqual([]);
      expect(await auditPage(page, '.view-cost')).toEqual({ violations: [], incomplete: [] });
      await page.look({ dark: true });
      await keepPicture(page, `cost-${width}-dark`);
      expect(await auditPage(page, '.view-cost')).toEqual({ violations: [], incomplete: [] });
    });
});
