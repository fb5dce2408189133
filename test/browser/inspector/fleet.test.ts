// The fleet in a real browser: sessions of files.
import { expect } from 'vitest';
import { makeTrace } from '../../record/trace/support/make-trace.js';
import { auditPage } from './support/audit.js';
import { describeInBrowser } from './support/browser-tests.js';
import { eventsOfTrace, writeEmbeddedPage } from './support/embedded-page.js';
import { findLayoutTroubles, WIDTHS } from './support/layout.js';
import { keepPicture } from './support/pictures.js';

describeInBrowser('the fleet', (test) => {
  test('opens', async (pages) => {
    const url = await writeEmbeddedPage({ one: eventsOfTrace(makeTrace({ calls: 2 })) });
    const page = await pages.open(url);
    await page.press('6');
    for (const width of WIDTHS) {
      await page.look({ width });
      expect(await findLayoutTroubles(page, ['header', 'nav', 'main'])).toEqual([]);
      await keepPicture(page, `fleet-${width}`);
    }
    expect((await auditPage(page)).incomplete).toEqual([]);
  });
});
