// The way into a served page in a real browser: a link from a terminal and from another site, a used one, a folder of traces.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { expect } from 'vitest';
import {
  startInspectorServer,
  type InspectorServer,
} from '../../../src/inspector/server/inspector-server.js';
import { readPageAssets } from '../../../src/inspector/server/page-assets.js';
import { openTraceFolder } from '../../../src/inspector/sources/trace-folder.js';
import { buildPageOnce } from '../../inspector/support/built-page.js';
import { fixturePath } from '../../inspector/support/make-events.js';
import { auditPage } from './support/audit.js';
import { describeInBrowser } from './support/browser-tests.js';
import { keepPicture } from './support/pictures.js';

async function withServer(use: (server: InspectorServer) => Promise<void>): Promise<void> {
  const source = await openTraceFolder(dirname(fixturePath('story')));
  const server = await startInspectorServer(source, {
    port: 0,
    assets: readPageAssets(await buildPageOnce()),
  });
  try {
    await use(server);
  } finally {
    await server.close();
    await source.close();
  }
}

/** A page of another site with a link. */
async function withForeignPage(link: string, use: (url: string) => Promise<void>): Promise<void> {
  const foreign = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<html data-ready="true"><link rel="icon" href="data:,"><a href="${link}">Inspector</a>`);
  });
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://localhost:${(foreign.address() as AddressInfo).port}/`);
  } finally {
    foreign.closeAllConnections();
    foreign.close();
  }
}

/** Does it again on the next page where the browser left the page it was begun on; there are three on the way. */
async function acrossPages(look: () => Promise<void>): Promise<void> {
  for (let left = 3; ; left -= 1) {
    try {
      await look();
      return;
    } catch (error) {
      const hasLeft = error instanceof Error && /navigated|Cannot find context/.test(error.message);
      if (!hasLeft || left === 0) throw error;
    }
  }
}

const READY = 'document.documentElement.dataset.ready === "true"';

describeInBrowser('a link to the inspector', (test) => {
  test('opens a folder of traces, leaves no key behind, and works once', async (pages) => {
    await withServer(async (server) => {
      const link = server.createLink();
      const page = await pages.open(link);
      await page.until(READY);
      expect(await page.read('location.pathname + location.search')).toBe('/');
      // A script could send it elsewhere.
      expect(await page.read('document.cookie')).toBe('');
      await page.until('document.querySelectorAll(".fleet-row").length >= 3');
      await keepPicture(page, 'served-folder');
      await withForeignPage(link, async (url) => {
        const other = await pages.open(url);
        await other.send('Page.navigate', { url: link });
        await other.until('document.title.endsWith("a link is needed")');
        expect(await auditPage(other)).toEqual({ violations: [], incomplete: [] });
        await keepPicture(other, 'used-link');
        // That the answer was 401 is logged, a moment after it came.
        await expect.poll(() => other.troubles.join(), { timeout: 15_000 }).toMatch(/401/);
        other.troubles.length = 0;
      });
      // The browser that was let in stays so, also by a link that was used.
      await page.goto(link);
      await page.until(READY);
    });
  });

  test('works from another site, to which the cookie is not sent', async (pages) => {
    await withServer(async (server) => {
      await withForeignPage(server.createLink(), async (url) => {
        const page = await pages.open(url);
        await page.send('Runtime.evaluate', {
          expression: 'setTimeout(() => document.links[0].click())',
          userGesture: true,
        });
        await acrossPages(() =>
          page.until(`location.origin + "/" === ${JSON.stringify(server.url)} && ${READY}`),
        );
        await page.until('document.querySelectorAll(".fleet-row").length >= 3');
      });
    });
  });
});
