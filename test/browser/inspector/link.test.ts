// The way into a served page in a real browser: a link from a terminal and from another site, a used one, a folder of traces.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { expect } from 'vitest';
import {
  startInspectorServer,
  type InspectorServer,
} from '../../../packages/inspector/src/server/inspector-server.js';
import { readPageAssets } from '../../../packages/inspector/src/server/page-assets.js';
import { openTraceFolder } from '../../../packages/inspector/src/sources/trace-folder.js';
import { buildPageOnce } from '../../../packages/inspector/test/support/built-page.js';
import { fixturePath } from '../../../packages/inspector/test/support/make-events.js';
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
      expect(await page.read('location.href')).not.toContain('key=');
      await page.until('document.querySelectorAll(".fleet-row").length >= 3');
      await keepPicture(page, 'served-folder');
      await withForeignPage(link, async (url) => {
        const other = await pages.open(url);
        await other.send('Page.navigate', { url: link });
        await other.until('document.title.endsWith("a link is needed")');
        expect(await other.read('location.href')).not.toContain('key=');
        expect(await auditPage(other)).toEqual({ violations: [], incomplete: [] });
        await keepPicture(other, 'used-link');
        // That the answers were 401 is logged, a moment after they came.
        await expect.poll(() => other.troubles.join(), { timeout: 15_000 }).toMatch(/401/);
        // A new link in the same tab changes only what stands behind the #.
        await other.send('Page.navigate', { url: server.createLink() });
        await acrossPages(() => other.until(READY));
        expect(await other.read('location.href')).not.toContain('key=');
        other.troubles.length = 0;
      });
      // The browser that was let in stays so, also by a link that was used.
      await page.send('Page.navigate', { url: link });
      await acrossPages(() => page.until(`${READY} && !location.href.includes("key=")`));
      // In other tabs as well.
      const tab = await pages.open(server.url, {}, page);
      await tab.until('document.querySelectorAll(".fleet-row").length >= 3');
    });
  });

  test('works from another site', async (pages) => {
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

  test('leaves nothing with the browser that another server of the same host is sent, or its pages can read', async (pages) => {
    await withServer(async (server) => {
      const page = await pages.open(server.createLink());
      await page.until('document.querySelectorAll(".fleet-row").length >= 3');
      const secret = await page.read('localStorage.getItem("inboard-inspector-secret")');
      expect(secret).toMatch(/^[\w-]{43}$/);
      const heard: string[] = [];
      const neighbour = createServer((request, response) => {
        heard.push(JSON.stringify([request.url, request.headers]));
        response.setHeader('content-type', 'text/html');
        response.end('<html data-ready="true"><link rel="icon" href="data:,">');
      });
      await new Promise<void>((resolve) => neighbour.listen(0, '127.0.0.1', resolve));
      try {
        const { port } = neighbour.address() as AddressInfo;
        const other = await pages.open(`http://127.0.0.1:${port}/`, {}, page);
        expect(
          await other.read('document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })'),
        ).toBe('{}');
        await other.read(`fetch('/more', { credentials: 'include' }).then(() => true)`);
        expect(heard.length).toBeGreaterThanOrEqual(2);
        expect(heard.join()).not.toContain(secret);
        expect(heard.join()).not.toMatch(/cookie/i);
        // Nor may they ask: whatever they send, they do not get to see the answer.
        const asked = `fetch(${JSON.stringify(`${server.url}api/state`)}, { credentials: 'include' }).then(() => 'read', () => 'kept')`;
        expect(await other.read(asked)).toBe('kept');
        other.troubles.length = 0;
      } finally {
        neighbour.closeAllConnections();
        neighbour.close();
      }
    });
  });
});
