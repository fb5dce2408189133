// Builds the documentation site from docs/ and the types in dist/, into site/dist, and checks what it built: links, anchors,
// and in a real browser what a reader meets. Run `npm run build` first.
//   node scripts/build-site.mjs --install   install what builds it only (needs the registry)
//   node scripts/build-site.mjs             build and check (needs no network once installed)
//     --build   build only             --check   check what was built
//     --serve   show what was built, on loopback, until Ctrl+C
// SITE_BASE is the path the site will stand at (default /), SITE_REPOSITORY the address below which a code host shows the
// files of the repository, as in https://host.example/inboard/blob/main; without it, links to such files are plain text.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installLocked } from './support/install-locked.mjs';
import { assembleSite } from './support/site/assemble.mjs';
import { findBuiltFaults } from './support/site/built-links.mjs';
import { writeLlms } from './support/site/llms.mjs';
import { buildReference } from './support/site/reference.mjs';
import { serveFolder } from './support/site/serve-folder.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const site = join(root, 'site');
const generated = join(site, '.generated');
const dist = join(site, 'dist');
const base = checkBase(process.env.SITE_BASE ?? '/');
const repository = process.env.SITE_REPOSITORY;

const flags = ['install', 'build', 'check', 'serve'];
const { values } = parseArgs({
  options: Object.fromEntries(flags.map((name) => [name, { type: 'boolean' }])),
});

installLocked(site);
if (values.serve) {
  const { url } = await serveFolder(dist, { base, port: 4173 });
  console.log(`${url} shows site/dist. Ctrl+C ends it.`);
} else if (!values.install) {
  if (!values.check) timed('built', build);
  if (!values.build) timed('links checked', checkLinks);
  if (!values.build) timed('opened in a browser', checkInBrowser);
}

function build() {
  for (const name of ['pages', 'plain', 'public'])
    rmSync(join(generated, name), { recursive: true, force: true });
  rmSync(dist, { recursive: true, force: true });
  const reference = timed('API reference', () => buildReference({ root, site, generated }));
  const { facts, faults } = assembleSite({ root, generated, base, repository, reference });
  cpSync(join(site, 'public'), join(generated, 'public'), { recursive: true });
  execFileSync(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build'], {
    cwd: site,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, SITE_BASE: base },
  });
  cpSync(join(generated, 'plain'), dist, { recursive: true });
  writeLlms({ dist, base, facts });
  // Only now: a page with one dead link can still be looked at.
  if (faults.length > 0) throw new Error(`Links that lead nowhere:\n${faults.join('\n')}`);
}

function checkLinks() {
  const { pages, links, faults } = findBuiltFaults(dist, base);
  if (faults.length > 0) throw new Error(`The built site has faults:\n${faults.join('\n')}`);
  console.log(`${pages} pages, ${links} links and anchors: all lead somewhere`);
}

function checkInBrowser() {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  execFileSync(process.execPath, [vitest, 'run', '--project', 'site'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, SITE_BASE: base },
  });
}

function timed(what, work) {
  const begun = performance.now();
  const result = work();
  console.log(`${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  return result;
}

function checkBase(given) {
  if (/^\/(?:[\w.~-]+\/)*$/.test(given)) return given;
  throw new Error(`SITE_BASE is "${given}"; it begins and ends with a slash, as in /inboard/`);
}
