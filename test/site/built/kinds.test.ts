// One page of each kind of the built site in a real browser: nothing logged, nothing asked of another host, readable in both themes and
// not wider than any window. `node scripts/build-site.mjs` builds the site and runs this.
import { expect, it } from 'vitest';
import { auditSitePage, describeSite, KINDS, WIDTHS } from './support/site-in-browser.js';

describeSite('each kind of page', (site) => {
  it.each(KINDS)('shows /%s without a complaint, alone, readable in light and dark', async (route) => {
    const page = await site.open(route, { width: 1400 });
    for (const dark of [false, true]) {
      await page.look({ dark });
      await page.until(`document.documentElement.classList.contains('dark') === ${dark}`);
      expect(await auditSitePage(page)).toEqual([]);
    }
    for (const width of WIDTHS) {
      await page.look({ width });
      expect(await page.read('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    }
    expect(page.troubles).toEqual([]);
    expect(page.requests.filter((url) => !url.startsWith(site.url()) && !url.startsWith('data:'))).toEqual(
      [],
    );
    await page.close();
  });
});
