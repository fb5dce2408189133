// Tests in one browser for a whole file: started before the first, closed after the last. Where there is none, they are
// skipped and say so, unless INBOARD_REQUIRE_BROWSER=1 makes that a failure.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser, findBrowser } from '../../support/browser.js';
import type { Look, Page } from '../../support/page.js';

/** Opens pages for a test; each is closed when the test is over, and must have had no trouble. */
export interface Pages {
  /** A page in cookies of its own, or in those of another. */
  open(url: string, look?: Look, like?: Page): Promise<Page>;
}

/** A suite of tests that are handed pages: `test(name, async (pages) => …)`. */
export function describeInBrowser(
  name: string,
  suite: (test: (name: string, body: (pages: Pages) => Promise<void>) => void) => void,
): void {
  const path = findBrowser();
  if (path === undefined) {
    if (process.env['INBOARD_REQUIRE_BROWSER'] === '1') {
      it('has a browser', () => expect.unreachable('INBOARD_REQUIRE_BROWSER=1, and no browser was found'));
      return;
    }
    console.warn(`NOT TESTED: no browser was found for "${name}". Install chromium, or set INBOARD_BROWSER.`);
  }
  describe.skipIf(path === undefined)(name, () => {
    let browser: Browser;
    beforeAll(() => {
      browser = Browser.start(path as string);
    });
    afterAll(() => browser.close());
    suite((title, body) => {
      it(title, async () => {
        const opened: Page[] = [];
        const pages: Pages = {
          open: async (url, look, like) => {
            const page = await browser.open(url, look, like);
            opened.push(page);
            return page;
          },
        };
        try {
          await body(pages);
          for (const page of opened) expect(page.troubles).toEqual([]);
        } finally {
          for (const page of opened) await page.close();
        }
      });
    });
  });
}
