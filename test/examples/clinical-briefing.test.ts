// The page of the clinical briefing in a real browser, on the real CLI and with the real embedding model: the searches as they
// happen, an answer that is refused, flags, and citations that open their source at the quote.
import { expect } from 'vitest';
import { auditPage } from '../browser/inspector/support/audit.js';
import { describeInBrowser } from '../browser/inspector/support/browser-tests.js';
import { startExample } from './support/start-example.js';

const clickPatient = (name: string): string =>
  `[...document.querySelectorAll('nav button')].find((button) => button.textContent === '${name}').click()`;

describeInBrowser('the page of the clinical briefing', (test) => {
  test('shows what the agent does, and each citation at its quote', async (pages) => {
    const url = await startExample('clinical-briefing', 'app/serve.ts');
    const page = await pages.open(url, { width: 1400, height: 900 });
    await page.until("document.querySelectorAll('nav button').length === 3");
    expect(await auditPage(page)).toEqual({ violations: [], incomplete: [] });

    await page.read(clickPatient('Margit Lund'));
    await page.untilText('The answer was refused');
    await page.untilText('name it so');
    await page.untilText('The answer was accepted');
    expect(await page.read("document.querySelectorAll('#steps .search').length")).toBe(3);
    expect(await page.read("document.querySelector('#flags').textContent")).toContain('eGFR 28 mL/min, low');
    const actions = await page.read<string>("document.querySelector('#actions').textContent");
    expect(actions).toContain('Stop metformin');
    expect(actions).toContain('Decrease lisinopril');

    await page.clickOn('#actions summary');
    const quote = await page.read<string>(
      "document.querySelector('#actions details[open] mark').textContent",
    );
    expect(quote).toMatch(/^A potassium of 5\.5 to 5\.9 mmol\/L calls for a repeat within three days/);
    expect(await page.read("document.querySelector('#actions details[open] p').textContent")).toContain(
      'Exclude a haemolysed sample',
    );
    for (const [width, dark] of [
      [1400, true],
      [390, false],
      [390, true],
    ] as const) {
      await page.look({ width, height: 800, dark });
      expect(
        await page.read<number>('document.documentElement.scrollWidth'),
        String(width),
      ).toBeLessThanOrEqual(width);
      expect(await auditPage(page), String(width)).toEqual({ violations: [], incomplete: [] });
    }

    // A server that is gone is told, and the next patient can be chosen.
    await page.setOffline(true);
    await page.read(clickPatient('Sara Nilsen'));
    await page.untilText('The server cannot be reached');
    expect(await page.read("document.querySelector('nav').inert")).toBe(false);
    expect(page.troubles.splice(0)).toEqual([expect.stringContaining('ERR_INTERNET_DISCONNECTED')]);
    await page.setOffline(false);

    // A page of another site gets nothing, and starts nothing.
    const foreign = await fetch(`${url}/briefings/margit-lund`, {
      method: 'POST',
      headers: { origin: 'http://evil.example' },
    });
    expect(foreign.status).toBe(403);
    expect((await fetch(`${url}/..%2fpackage.json`)).status).toBe(404);
  });
});
