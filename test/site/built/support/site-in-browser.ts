// The built site, served on loopback, and a browser for the tests of one file. Files run side by side: laying out and auditing pages
// keeps one processor busy.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe } from 'vitest';
import { serveFolder } from '../../../../scripts/support/site/serve-folder.mjs';
import { auditPage } from '../../../browser/inspector/support/audit.js';
import { Browser, findBrowser } from '../../../browser/support/browser.js';
import type { Look, Page } from '../../../browser/support/page.js';

/** The folder that `node scripts/build-site.mjs` built. */
export const SITE_FOLDER = fileURLToPath(new URL('../../../../site/dist', import.meta.url));
/** The path the site stands at. */
export const SITE_BASE = process.env['SITE_BASE'] ?? '/';
/** The widths of windows that pages have to fit. */
export const WIDTHS = [360, 800, 1600];
/** One page of each kind, the longest and the widest. */
export const KINDS = ['', 'tools/', 'options/', 'examples/', 'performance/', 'reference/otel/'];

// Controls that VitePress itself draws, and cells in the corner of a table, which Markdown cannot leave out.
const NOT_OURS = [
  /^nested-interactive: .*\.collapsible/,
  /^label-content-name-mismatch: (?:\.DocSearch|a\[aria-label="go to home"\])/,
  /^empty-table-header: /,
];

/** What the tests of a file do with the site. */
export interface OpenedSite {
  /** Its address, with the slash at the end. */
  url(): string;
  /** Opens a page; the test closes it. */
  open(route: string, look?: Look): Promise<Page>;
}

/** Declares tests on the built site. Where there is no browser they are left out, unless one is required. */
export function describeSite(name: string, suite: (site: OpenedSite) => void): void {
  const path = findBrowser();
  if (path === undefined) {
    if (process.env['INBOARD_REQUIRE_BROWSER'] !== undefined) throw new Error('There is no browser.');
    console.log('No browser was found: the pages are not opened. Install chromium, or set INBOARD_BROWSER.');
  }
  describe.skipIf(path === undefined)(name, () => {
    let site: { url: string; close(): void };
    let browser: Browser;
    beforeAll(async () => {
      site = await serveFolder(SITE_FOLDER, { base: SITE_BASE });
      browser = Browser.start(path ?? '');
    });
    afterAll(async () => {
      await browser?.close();
      site?.close();
    });
    suite({ url: () => site.url, open: (route, look) => browser.open(site.url + route, look) });
  });
}

/** What is wrong with a page, without what is not ours. */
export async function auditSitePage(page: Page): Promise<string[]> {
  const { violations } = await auditPage(page);
  return violations.filter((found) => !NOT_OURS.some((pattern) => pattern.test(found)));
}
