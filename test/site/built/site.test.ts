// The built site in a real browser: nothing logged, nothing asked of another host, nothing wider than the window, and search,
// themes, copying and plain Markdown work. `node scripts/build-site.mjs` builds it and runs this.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveFolder } from '../../../scripts/support/site/serve-folder.mjs';
import { auditPage } from '../../browser/inspector/support/audit.js';
import { Browser, findBrowser } from '../../browser/support/browser.js';
import type { Page } from '../../browser/support/page.js';

const WIDTHS = [360, 800, 1600];
// One of each kind, the longest and the widest.
const KINDS = ['', 'tools/', 'options/', 'examples/', 'performance/', 'reference/otel/'];
// Controls that VitePress itself draws, and cells in the corner of a table, which Markdown cannot leave out.
const NOT_OURS = [
  /^nested-interactive: .*\.collapsible/,
  /^label-content-name-mismatch: (?:\.DocSearch|a\[aria-label="go to home"\])/,
  /^empty-table-header: /,
];
const dist = fileURLToPath(new URL('../../../site/dist', import.meta.url));
const base = process.env['SITE_BASE'] ?? '/';
const routes = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('index.html'))
  .map((name) => (dirname(name) === '.' ? '' : `${dirname(name).replaceAll('\\', '/')}/`));

// Laying out every page takes half a minute: a third of them, chosen by the commit, and always the widest ones.
const WIDE = [...KINDS, 'errors/', 'protocol/', 'reference/options/', 'reference/messages/'];
const seed = readSeed();
const measured = routes.filter((route) => seed === 'all' || WIDE.includes(route) || isChosen(route));

function readSeed(): string {
  const given = process.env['SITE_PAGES'];
  if (given !== undefined) return given;
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    // A copy without its history.
    return 'all';
  }
}

function isChosen(route: string): boolean {
  return createHash('sha256').update(`${seed} ${route}`).digest().readUInt8() % 3 === 0;
}

const path = findBrowser();
if (path === undefined) {
  if (process.env['INBOARD_REQUIRE_BROWSER'] !== undefined) throw new Error('There is no browser.');
  console.log('No browser was found: the pages are not opened. Install chromium, or set INBOARD_BROWSER.');
}

describe.skipIf(path === undefined)('the built site', () => {
  let site: { url: string; close(): void };
  let browser: Browser;
  beforeAll(async () => {
    site = await serveFolder(dist, { base });
    browser = Browser.start(path ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
  });

  async function open(route: string, look = {}): Promise<Page> {
    return browser.open(site.url + route, look);
  }

  async function audit(page: Page): Promise<string[]> {
    const { violations } = await auditPage(page);
    return violations.filter((found) => !NOT_OURS.some((pattern) => pattern.test(found)));
  }

  it('has no page that is wider than its window', async () => {
    const page = await open('');
    // A text file has no policy of its own against frames; pages in frames without scripts are laid out at once.
    await page.send('Page.navigate', { url: `${site.url}llms.txt` });
    await page.until('document.contentType === "text/plain"');
    const wide = await page.read<string[]>(`(async () => {
      const frame = document.createElement('iframe');
      frame.sandbox = 'allow-same-origin';
      document.body.append(frame);
      const wide = [];
      for (const route of ${JSON.stringify(measured)}) {
        await new Promise((done) => {
          frame.onload = done;
          frame.src = ${JSON.stringify(site.url)} + route;
        });
        const { documentElement: root } = frame.contentDocument;
        if (root.querySelector('h1') === null) wide.push(route + ' has no title');
        for (const width of ${JSON.stringify(WIDTHS)}) {
          frame.style.cssText = 'border: 0; height: 800px; width: ' + width + 'px';
          if (root.scrollWidth > width) wide.push(route + ' at ' + width + ': ' + root.scrollWidth);
        }
      }
      return wide;
    })()`);
    console.log(`Measured ${measured.length} of ${routes.length} pages: SITE_PAGES=${seed}, or "all"`);
    expect(routes.length).toBeGreaterThan(60);
    expect(measured).toEqual(expect.arrayContaining(WIDE));
    expect(wide).toEqual([]);
    await page.close();
  });

  it.each(KINDS)('shows /%s without a complaint, alone, readable in light and dark', async (route) => {
    const page = await open(route, { width: 1400 });
    for (const dark of [false, true]) {
      await page.look({ dark });
      await page.until(`document.documentElement.classList.contains('dark') === ${dark}`);
      expect(await audit(page)).toEqual([]);
    }
    for (const width of WIDTHS) {
      await page.look({ width });
      expect(await page.read('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    }
    expect(page.troubles).toEqual([]);
    expect(page.requests.filter((url) => !url.startsWith(site.url) && !url.startsWith('data:'))).toEqual([]);
    await page.close();
  });

  it.each([
    ['SIGKILL', 'endings/'],
    ['canUseTool', 'permissions/'],
  ])('finds %s', async (word, route) => {
    const page = await open('tools/');
    await page.clickOn('.DocSearch-Button');
    await page.until('document.activeElement?.matches(".search-input")');
    await page.send('Input.insertText', { text: word });
    await page.until('document.querySelector(".VPLocalSearchBox .result")');
    const found = await page.read<string[]>(
      '[...document.querySelectorAll(".VPLocalSearchBox .result")].map((link) => link.getAttribute("href"))',
    );
    expect(found.some((href) => href.startsWith(base + route))).toBe(true);
    await page.press('Enter');
    await page.until('document.querySelector(".VPLocalSearchBox") === null');
    await page.until(`location.pathname === ${JSON.stringify(found[0]?.split('#')[0])}`);
    expect(page.troubles).toEqual([]);
    await page.close();
  });

  it('changes its theme by hand, and remembers it', async () => {
    const page = await open('tools/', { width: 1600 });
    const ground = () => page.read<string>('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.clickOn('.VPSwitchAppearance');
    await page.until('document.documentElement.classList.contains("dark")');
    await page.reload();
    expect(await page.read('document.documentElement.classList.contains("dark")')).toBe(true);
    expect(await ground()).not.toBe(light);
    await page.close();
  });

  it('says so where there is no page', async () => {
    const page = await open('no-such-page/');
    await page.untilText('404');
    // VitePress gives its own page for this no landmark.
    expect((await audit(page)).filter((found) => !/^(?:landmark-one-main|region): /.test(found))).toEqual([]);
    await page.close();
  });

  it('has each page as plain Markdown, and lists them for agents', async () => {
    const page = await open('tools/');
    expect(await page.read('document.querySelectorAll(".vp-doc button.copy").length')).toBeGreaterThan(0);
    const plain = await page.read<string>('document.querySelector("link[rel=alternate]").href');
    expect(plain).toBe(`${site.url}tools.md`);
    const reply = await fetch(plain);
    expect(reply.headers.get('content-type')).toMatch(/^text\/markdown/);
    expect(await reply.text()).toMatch(/^# In-process tools\n/);
    const contents = await (await fetch(`${site.url}llms.txt`)).text();
    const links = Array.from(contents.matchAll(/\]\(([^)]+)\)/g), ([, link]) => link ?? '');
    expect(links.length).toBeGreaterThan(50);
    for (const link of links) {
      const { status } = await fetch(new URL(link, site.url), { method: 'HEAD' });
      expect(status, link).toBe(200);
    }
    await page.close();
  });
});
