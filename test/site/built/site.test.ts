// The built site in a real browser: no page is wider than its window, and search, themes, copying and plain Markdown work.
// `node scripts/build-site.mjs` builds it and runs this.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import {
  auditSitePage,
  describeSite,
  KINDS,
  SITE_BASE,
  SITE_FOLDER,
  WIDTHS,
} from './support/site-in-browser.js';

const routes = readdirSync(SITE_FOLDER, { recursive: true, encoding: 'utf8' })
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

describeSite('the built site', (site) => {
  it('has no page that is wider than its window', async () => {
    const page = await site.open('');
    // A text file has no policy of its own against frames; pages in frames without scripts are laid out at once.
    await page.send('Page.navigate', { url: `${site.url()}llms.txt` });
    await page.until('document.contentType === "text/plain"');
    const wide = await page.read<string[]>(`(async () => {
      const frame = document.createElement('iframe');
      frame.sandbox = 'allow-same-origin';
      document.body.append(frame);
      const wide = [];
      for (const route of ${JSON.stringify(measured)}) {
        await new Promise((done) => {
          frame.onload = done;
          frame.src = ${JSON.stringify(site.url())} + route;
        });
        const { documentElement: root } = frame.contentDocument;
        if (root.querySelector('h1') === null) wide.push(route + ' has no title');
        for (const width of ${JSON.stringify(WIDTHS)}) {
          frame.style.cssText = 'border: 0; height: 800px; width: ' + width + 'px';
          if (root.scrollWidth > width) wide.push(route + ' at ' + width + ': ' + root.scrollWidth);
          // On a phone, nothing of the API reference is scrolled sideways either.
          if (width < 640 && route.startsWith('reference/'))
            for (const box of root.querySelectorAll('.vp-doc .table-box, .vp-doc pre'))
              if (box.scrollWidth > box.clientWidth + 1) wide.push(route + ' has a wide box: ' + box.textContent.slice(0, 60));
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

  it.each([
    ['SIGKILL', 'endings/'],
    ['canUseTool', 'permissions/'],
  ])('finds %s', async (word, route) => {
    const page = await site.open('tools/');
    await page.clickOn('.DocSearch-Button');
    await page.until('document.activeElement?.matches(".search-input")');
    await page.send('Input.insertText', { text: word });
    await page.until('document.querySelector(".VPLocalSearchBox .result")');
    const found = await page.read<string[]>(
      '[...document.querySelectorAll(".VPLocalSearchBox .result")].map((link) => link.getAttribute("href"))',
    );
    expect(found.some((href) => href.startsWith(SITE_BASE + route))).toBe(true);
    // What stands around the word, so that one sees which result is meant.
    await page.until('document.querySelector(".VPLocalSearchBox .excerpt .vp-doc mark")');
    expect(await page.read('document.querySelector(".VPLocalSearchBox .excerpt mark").textContent')).toMatch(
      new RegExp(word, 'i'),
    );
    await page.press('Enter');
    await page.until('document.querySelector(".VPLocalSearchBox") === null');
    await page.until(`location.pathname === ${JSON.stringify(found[0]?.split('#')[0])}`);
    expect(page.troubles).toEqual([]);
    await page.close();
  });

  it('begins the sidebar of the API with the API, and that of the guide with the guide', async () => {
    for (const [route, first, second] of [
      ['reference/otel/', 'API reference', 'Guide'],
      ['tools/', 'Guide', 'Choose'],
    ] as const) {
      const page = await site.open(route, { width: 1600 });
      const groups = await page.read<string[]>(
        '[...document.querySelectorAll(".VPSidebar .level-0 > .item > .text")].map((title) => title.textContent)',
      );
      expect(groups.slice(0, 2), route).toEqual([first, second]);
      // Each entry has room, at the widths at which the sidebar stands beside the page.
      for (const width of [1000, 1440, 1600]) {
        await page.look({ width });
        const cut = `(() => {
          const { right } = document.querySelector('.VPSidebar').getBoundingClientRect();
          return [...document.querySelectorAll('.VPSidebar .item .text')].filter((each) => each.checkVisibility())
            .filter((each) => each.getBoundingClientRect().right > right || each.scrollWidth > each.clientWidth + 1)
            .map((each) => each.textContent);
        })()`;
        expect(await page.read(cut), `${route} at ${width}`).toEqual([]);
      }
      await page.close();
    }
  });

  it('shows a picture of the page on its first screen, and says what the versions in the menu are', async () => {
    const page = await site.open('', { width: 1440, height: 900 });
    const edge = (side: string): string =>
      `[...document.querySelectorAll('.home-shot img')].find((image) => image.checkVisibility()).getBoundingClientRect().${side}`;
    await page.until(`${edge('height')} > 100`);
    expect(await page.read(`${edge('bottom')} <= innerHeight`)).toBe(true);
    const menu = '[...document.querySelectorAll(".VPNavBarMenu .VPFlyout")]';
    expect(await page.read(`${menu}.map((each) => each.querySelector('button').innerText.trim())`)).toEqual([
      expect.stringMatching(/^Version \d+\.\d+\.\d+/),
    ]);
    expect(await page.read(`${menu}[0].querySelector('.menu').textContent`)).toMatch(
      /What changed in \d[^]*Versions of the CLI/,
    );
    await page.look({ width: 360, height: 740 });
    expect(await page.read(`${edge('top')} < innerHeight`)).toBe(true);
    // What is to be typed stands right below the words that say so, to its end.
    const line = "document.querySelector('.home-words div[class*=language-]')";
    const words = "[...document.querySelectorAll('.home-words > p')].at(-1)";
    expect(
      await page.read(`${line}.getBoundingClientRect().top - ${words}.getBoundingClientRect().bottom`),
    ).toBeLessThan(40);
    for (const width of [360, 1280]) {
      await page.look({ width });
      expect(await page.read(`${line}.querySelector('pre').scrollWidth > ${line}.clientWidth`)).toBe(false);
    }
    await page.close();
  });

  it('changes its theme by hand, and remembers it', async () => {
    const page = await site.open('tools/', { width: 1600 });
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
    const page = await site.open('no-such-page/');
    await page.untilText('404');
    // VitePress gives its own page for this no landmark.
    expect(
      (await auditSitePage(page)).filter((found) => !/^(?:landmark-one-main|region): /.test(found)),
    ).toEqual([]);
    await page.close();
  });

  it('has each page as plain Markdown, and lists them for agents', async () => {
    const page = await site.open('tools/');
    expect(await page.read('document.querySelectorAll(".vp-doc button.copy").length')).toBeGreaterThan(0);
    const plain = await page.read<string>('document.querySelector("link[rel=alternate]").href');
    expect(plain).toBe(`${site.url()}tools.md`);
    const reply = await fetch(plain);
    expect(reply.headers.get('content-type')).toMatch(/^text\/markdown/);
    expect(await reply.text()).toMatch(/^# In-process tools\n/);
    const contents = await (await fetch(`${site.url()}llms.txt`)).text();
    const links = Array.from(contents.matchAll(/\]\(([^)]+)\)/g), ([, link]) => link ?? '');
    expect(links.length).toBeGreaterThan(50);
    for (const link of links) {
      const { status } = await fetch(new URL(link, site.url()), { method: 'HEAD' });
      expect(status, link).toBe(200);
    }
    await page.close();
  });
});
