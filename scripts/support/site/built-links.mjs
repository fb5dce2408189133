// Links of the built site, as a browser would follow them: every page, anchor and file they name is there, and nothing is
// asked of another host.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What is wrong with the HTML and the plain Markdown in `dist`, as sentences, and how much was looked at. */
export function findBuiltFaults(dist, base) {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  );
  const pages = new Map(
    files.filter((name) => name.endsWith('.html')).map((name) => [name, readPage(join(dist, name))]),
  );
  const faults = [];
  let links = 0;
  for (const [name, page] of pages) {
    for (const { kind, target } of page.links) {
      links += 1;
      const fault = findFault(name, kind, target);
      if (fault !== undefined) faults.push(`${name}: ${target} ${fault}`);
    }
    for (const id of page.repeated) faults.push(`${name}: the id "${id}" is there twice`);
    if (name === '404.html') continue;
    const plain = page.links.find(({ kind }) => kind === 'alternate');
    if (plain === undefined) faults.push(`${name}: its head names no plain Markdown`);
  }
  if (pages.size === 0) faults.push(`${dist} has no page: build first`);
  return { pages: pages.size, links, faults: [...new Set(faults)] };

  function findFault(name, kind, target) {
    const here = new URL(base + name.replace(/index\.html$/, ''), 'http://site');
    const url = new URL(target, here);
    if (url.host !== here.host)
      return kind === 'a' || url.protocol === 'data:' ? undefined : 'asks another host';
    if (!url.pathname.startsWith(base)) return `does not lie below ${base}`;
    const path = decodeURIComponent(url.pathname.slice(base.length));
    const full = join(dist, path);
    if (!existsSync(full)) return 'is not there';
    if (statSync(full).isDirectory() && !url.pathname.endsWith('/'))
      return 'is a folder, and has no slash at its end';
    if (url.hash === '') return undefined;
    const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    const there = pages.get(file)?.ids.has(decodeURIComponent(url.hash.slice(1)));
    return there === false ? 'names an anchor that is not there' : undefined;
  }
}

function readPage(path) {
  const html = readFileSync(path, 'utf8').replaceAll(/<script\b[^>]*>[\s\S]*?<\/script>/g, (all) =>
    all.slice(0, all.indexOf('>') + 1),
  );
  const ids = new Set();
  const repeated = [];
  const links = [];
  for (const [, tag, rest] of html.matchAll(/<([a-z][a-z0-9-]*)((?:\s[^\s=>]+(?:="[^"]*")?)*)\s*\/?>/gi)) {
    const attributes = new Map(
      Array.from(rest.matchAll(/\s([^\s=>]+)="([^"]*)"/g), ([, key, value]) => [key, decode(value)]),
    );
    const id = attributes.get('id');
    if (id !== undefined && ids.has(id)) repeated.push(id);
    if (id !== undefined) ids.add(id);
    const kind = attributes.get('rel') === 'alternate' ? 'alternate' : tag;
    for (const key of ['href', 'src'])
      if (attributes.has(key)) links.push({ kind, target: attributes.get(key) });
  }
  return { ids, repeated, links };
}

function decode(text) {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
