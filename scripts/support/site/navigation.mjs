// Which files are pages of the site, in which order, and at which address. `site/navigation.json` is the one place that
// says so: a bare name is a page of docs/, anything else a path from the root of the repository, in which `*` stands for all
// Markdown files of that folder. The parts of a page follow it without being named.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { listHeadings } from './markdown.mjs';
import { listParts } from './page-parts.mjs';

/** The groups of the navigation, each with its pages. Throws, with names, when it and docs/ disagree. */
export function readNavigation(root) {
  const groups = JSON.parse(readFileSync(join(root, 'site/navigation.json'), 'utf8'));
  const read = ({ text, pages, groups: inner = [], ...rest }) => ({
    ...rest,
    text,
    pages: pages.flatMap((name) => expand(root, name)).map((file) => describeWithParts(root, file)),
    groups: inner.map(read),
  });
  const navigation = groups.map(read);
  const missing = findMissing(root, navigation);
  if (missing.length > 0) throw new Error(`site/navigation.json and docs/ disagree:\n${missing.join('\n')}`);
  return navigation;
}

/** All pages of the navigation, in order. */
export function listPages(navigation) {
  return navigation.flatMap(({ pages, groups }) => [...pages.flatMap(withParts), ...listPages(groups)]);
}

/** A page and its parts. */
export function withParts(page) {
  return [page, ...(page.parts ?? [])];
}

function findMissing(root, navigation) {
  const pages = listPages(navigation).map(({ file }) => file);
  const there = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'));
  return [
    ...pages.filter((file) => !existsSync(join(root, file))).map((file) => `  ${file} does not exist`),
    ...there
      .map((name) => `docs/${name}`)
      .filter((file) => !pages.includes(file))
      .map((file) => `  ${file} is not in the navigation`),
    ...pages
      .filter((file, index) => pages.indexOf(file) !== index)
      .map((file) => `  ${file} is in the navigation twice`),
  ];
}

function expand(root, name) {
  if (!/[/.]/.test(name)) return [`docs/${name}.md`];
  if (!name.endsWith('/*')) return [name];
  const folder = name.slice(0, -2);
  return readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `${folder}/${file}`);
}

function describeWithParts(root, file) {
  const page = describe(root, file);
  const parts = file.startsWith('docs/') ? listParts(root, file).map((part) => describe(root, part)) : [];
  return parts.length > 0 ? { ...page, parts } : page;
}

function describe(root, file) {
  if (!existsSync(join(root, file))) return { file, route: routeOf(file), title: file, text: '' };
  const text = readFileSync(join(root, file), 'utf8');
  const titles = listHeadings(text).filter(({ level }) => level === 1);
  if (titles.length !== 1)
    throw new Error(`${file} has ${titles.length} titles; a page has one line that begins with "# "`);
  return { file, route: routeOf(file), title: titles[0].title, text };
}

// An address is a folder, so that any static server finds it: /tools/ is tools/index.html.
function routeOf(file) {
  const folder = dirname(file).replace(/^docs\b\/?/, '');
  const name = basename(file, '.md');
  if (file === 'README.md') return '/readme/';
  // docs/security.md is another page.
  if (file === 'SECURITY.md') return '/security-policy/';
  if (name === 'README') return `/${folder}/`;
  return `/${[folder, name.toLowerCase()].filter((part) => part !== '' && part !== '.').join('/')}/`;
}
