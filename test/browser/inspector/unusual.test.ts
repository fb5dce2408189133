// Sessions that one sees seldom: one that crashed, one in a language that is written from right to left, and one with nothing but
// its header.
import { expect } from 'vitest';
import { SummaryLedger } from '../../../packages/inspector/src/model/summary-ledger.js';
import { EventMaker } from '../../../packages/inspector/test/support/make-events.js';
import type { Page } from '../support/page.js';
import { auditPage } from './support/audit.js';
import { describeInBrowser } from './support/browser-tests.js';
import { writeEmbeddedPage, type SessionEvents } from './support/embedded-page.js';
import { findLayoutTroubles, WIDTHS } from './support/layout.js';
import { keepPicture } from './support/pictures.js';

const plain = ({ events }: EventMaker): SessionEvents => events.map(({ event }) => event);

async function checkEverywhere(page: Page, parts: readonly string[], name: string): Promise<void> {
  for (const width of WIDTHS)
    for (const dark of [false, true]) {
      await page.look({ width, height: 900, dark });
      await keepPicture(page, `${name}-${width}-${dark ? 'dark' : 'light'}`);
      expect(await findLayoutTroubles(page, parts)).toEqual([]);
      expect(await auditPage(page, '#view')).toEqual({ violations: [], incomplete: [] });
    }
}

describeInBrowser('an unusual session', (test) => {
  test('that crashed has one card: how, the last lines, the last call, what to do', async (pages) => {
    const maker = new EventMaker().open().prompt('Count.').init().call('one').wait(50);
    maker.assistant({ type: 'tool_use', id: 'two', name: 'Bash', input: { command: 'make report' } });
    maker.push({
      type: 'end',
      t: maker.t,
      exitCode: null,
      signal: 'SIGKILL',
      stderrTail: `${'noise\n'.repeat(40)}Error: ENOSPC: no space left on device\n`,
      frames: 9,
    });
    maker.over({ code: 'PROCESS_EXIT', message: 'The CLI was ended by SIGKILL.' });
    const page = await pages.open(await writeEmbeddedPage({ s: plain(maker) }));
    await page.until('document.querySelector(".crash")');
    expect(await page.read('document.querySelectorAll(".crash, .mark-error").length')).toBe(1);
    const said = await page.read<string>('document.querySelector(".crash").innerText');
    for (const part of [
      'Claude Code was ended by SIGKILL',
      'PROCESS_EXIT',
      'Bash',
      'make report',
      'cut off',
      'The disk is full',
    ])
      expect(said).toContain(part);
    expect(said).toContain("resume: '11111111-2222-4333-8444-555555555555'");
    expect(said.split('noise').length - 1).toBe(11);
    // Its line in the outline has the room that there is.
    expect(
      await page.read(`(({ left, right, parent = document.querySelector('.outline-entry.tone-error').getBoundingClientRect() }) =>
        (right - left) / parent.width)(document.querySelector('.tone-error .outline-name').getBoundingClientRect())`),
    ).toBeGreaterThan(0.7);
    await page.clickOn('.crash .text-button', 'Bash');
    await page.until('document.querySelector("[aria-current=true] .card-name")?.textContent === "Bash"');
    await page.press('5');
    await page.untilText('not reported');
    expect(await page.read('document.querySelector("#view").innerText')).not.toContain('not yet');
    await page.press('1');
    await page.until('document.querySelector(".crash")');
    await checkEverywhere(page, ['.crash-title', '.crash-call', '.crash-stderr', '.crash-advice'], 'crash');
  });

  test('from right to left is written that way, and its titles do not turn what is beside them', async (pages) => {
    const text = 'ספרתי: 7 מנורות.\n\n- שבע\n- count';
    const maker = new EventMaker().open('query', 'כמה מנורות יש?').prompt('כמה מנורות יש?').init().wait(90);
    maker.assistant({ type: 'text', text }).turnEnd(text).end().over();
    const page = await pages.open(await writeEmbeddedPage({ s: plain(maker) }));
    await page.untilText('ספרתי');
    const direction = (selector: string): Promise<string> =>
      page.read(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).direction`);
    expect(await direction('.prompt-text')).toBe('rtl');
    expect(await direction('.prose p')).toBe('rtl');
    expect(await direction('.prose li')).toBe('rtl');
    expect(await direction('.prose li:nth-child(2)')).toBe('ltr');
    // The full stop stands left of where the sentence begins, and the facts of the turn are written as ever.
    const left = (index: number): Promise<number> =>
      page.read(`(() => {
        const [text] = document.querySelector('.prose p').childNodes, range = document.createRange();
        range.setStart(text, ${index} < 0 ? text.length - 1 : ${index});
        range.setEnd(text, ${index} < 0 ? text.length : ${index} + 1);
        return range.getBoundingClientRect().left;
      })()`);
    expect(await left(-1)).toBeLessThan(await left(0));
    expect(await direction('.answer-facts')).toBe('ltr');
    // What cuts off its line has the direction of its text, so that its beginning is seen.
    expect(await direction('.outline-words')).toBe('rtl');
    expect(await page.read('getComputedStyle(document.querySelector(".outline-words")).overflowX')).toBe(
      'hidden',
    );
    expect(await page.read('getComputedStyle(document.querySelector(".head-title bdi")).unicodeBidi')).toBe(
      'isolate',
    );
    await page.press('3');
    expect(await page.read('document.querySelectorAll(".wire-summary:not(bdi)").length')).toBe(0);
    await page.press('6');
    await page.until('document.querySelector(".fleet-row")');
    expect(await page.read('document.querySelectorAll(".fleet-title:not(bdi)").length')).toBe(0);
    expect(await direction('.fleet-title')).toBe('rtl');
    expect(await direction('.fleet-line bdi')).toBe('rtl');
    expect(await direction('.fleet-line')).toBe('ltr');
    await page.press('1');
    await checkEverywhere(page, ['.prompt', '.prose', '.answer-facts'], 'right-to-left');
  });

  test('with nothing but its header says in each view what it is, and why it is empty', async (pages) => {
    const { events } = new EventMaker('s').open();
    const summary = new SummaryLedger('s');
    for (const event of events) summary.push(event);
    // As a recording whose program was killed at once.
    summary.cutOff();
    const told = { s: events.map(({ event }) => event) };
    const page = await pages.open(await writeEmbeddedPage(told, { sessions: [summary.read()] }));
    for (const [key, title] of Object.entries({
      1: 'No conversation',
      2: 'No times',
      3: 'No messages',
      4: 'No tools',
      5: 'No cost',
    })) {
      await page.press(key);
      await page.untilText(title);
      const said = await page.read<string>('document.querySelector("#view").innerText');
      expect(said).toContain('it ended before anything passed');
      expect(said).toContain('CLI 2.1.325');
      expect(await findLayoutTroubles(page, ['.empty', '.wire-list'])).toEqual([]);
      expect(await auditPage(page, '#view')).toEqual({ violations: [], incomplete: [] });
    }
  });
});
