// Puts the pages of the site together: what VitePress builds, and the plain Markdown that is published beside it.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listPages, readNavigation, withParts } from './navigation.mjs';
import { blankCode, firstParagraph } from './markdown.mjs';
import { composeHome } from './home.mjs';
import { nameHeadings } from './name-headings.mjs';
import { rewriteLinks } from './rewrite-links.mjs';

// Here a page has its pictures.
const ONLY_IN_PACKAGE = /^\(In the package, this page has no pictures\.\)\n+/m;

/**
 * Writes `pages/`, `plain/` and `site.json` (title, description, sidebars, pages) below `generated`. `reference` are the
 * pages of the API; their links are led already. Tells, beside those facts, of every link that leads nowhere.
 */
export function assembleSite({ root, generated, base, repository, reference }) {
  const navigation = readNavigation(root);
  const { description, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const pages = [composeHome(root, description), ...listPages(navigation)];
  const faults = [];
  for (const form of ['pages', 'plain']) {
    const isPlain = form === 'plain';
    const places = new Map(
      pages.map((page) => [
        page.file,
        { ...page, address: isPlain ? base + plainPath(page.route) : page.route },
      ]),
    );
    for (const page of pages) {
      const text = rewriteLinks({
        root,
        file: page.from ?? page.file,
        text: page.text,
        places,
        repository,
        // Found once is enough.
        faults: isPlain ? [] : faults,
        keepPicture: (file) => {
          keep(join(generated, 'public', 'images', file), (to) => cpSync(join(root, file), to));
          return `${isPlain ? base : '/'}images/${file}`;
        },
      });
      if (isPlain) save(join(generated, form, plainPath(page.route)), page.isHome ? dropTags(text) : text);
      else
        save(
          join(generated, form, sourcePath(page.route)),
          dress(page, pairPictures(text.replace(ONLY_IN_PACKAGE, ''))),
        );
    }
    for (const { route, text, title, isPart } of reference) {
      const plain = text.replaceAll(
        /\]\((\/[^)#]*\/)(#[^)]*)?\)/g,
        (_, to, hash = '') => `](${base}${plainPath(to)}${hash})`,
      );
      if (isPlain) save(join(generated, form, plainPath(route)), plain);
      else
        save(
          join(generated, form, sourcePath(route)),
          dress({ route, text, title, isPart, isReference: true }, nameHeadings(text)),
        );
    }
  }
  const groups = navigation.map((group) => withReference(group, reference));
  const facts = {
    description,
    version,
    sidebar: { '/reference/': referenceFirst(groups), '/': groups.map((group) => toSidebar(group)) },
    groups: groups.map(toOutline),
    home: describePage(pages[0]),
  };
  save(join(generated, 'site.json'), JSON.stringify(facts, null, 2));
  return { facts, faults };
}

// Where the plain Markdown of an address lies: /tools/ is tools.md.
function plainPath(route) {
  return route === '/' ? 'index.md' : `${route.slice(1, -1)}.md`;
}

function sourcePath(route) {
  return join(route.slice(1), 'index.md');
}

function withReference(group, reference) {
  return {
    ...group,
    pages: group.reference ? reference : group.pages,
    groups: group.groups.map((inner) => withReference(inner, reference)),
  };
}

function toSidebar({ text, pages, groups }, depth = 0) {
  return {
    text,
    // Groups within groups are for those who look for them.
    ...(depth > 0 && { collapsed: true }),
    items: [...pages.map(toEntry), ...groups.map((group) => toSidebar(group, depth + 1))],
  };
}

function toEntry({ label, title, route, parts }) {
  const entry = { text: label ?? title, link: route };
  return parts === undefined ? entry : { ...entry, collapsed: true, items: parts.map(toEntry) };
}

// Who reads the API looks for more of it; the guide is below, folded.
function referenceFirst(groups) {
  const isReference = (group) => group.reference === true;
  return [
    ...groups.flatMap((group) => group.groups.filter(isReference)).map((group) => toSidebar(group)),
    ...groups
      .map((group) => ({ ...group, groups: group.groups.filter((inner) => !isReference(inner)) }))
      .map((group) => ({ ...toSidebar(group), collapsed: true })),
  ];
}

function toOutline({ text, pages, groups }) {
  return { text, pages: pages.flatMap(withParts).map(describePage), groups: groups.map(toOutline) };
}

function describePage({ title, route, text, isReference = false }) {
  return { title, route, plain: plainPath(route), description: firstParagraph(text), isReference };
}

function dress(page, text) {
  const facts = {
    ...(page.isHome ? { layout: 'page', pageClass: 'home', sidebar: false } : {}),
    // Names stand one level higher where an entry point is cut into parts.
    ...(page.isReference ? { pageClass: 'reference', outline: page.isPart ? 2 : [2, 3] } : {}),
    title: page.title,
    description: shorten(firstParagraph(page.text)),
    plain: plainPath(page.route),
  };
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n\n${text}`;
}

function shorten(text) {
  return text.length <= 160 ? text : `${text.slice(0, 157).replace(/\s+\S*$/, '')}…`;
}

// The site has a switch for light and dark, which the browser's own choice of a picture does not follow.
function pairPictures(text) {
  const prose = blankCode(text);
  return text.replaceAll(
    /<picture>\s*<source[^>]*prefers-color-scheme: dark[^>]*srcset="([^"]*)"[^>]*>\s*<img src="([^"]*)"([^>]*)>\s*<\/picture>/g,
    (all, dark, light, rest, place) =>
      prose[place] === ' '
        ? all
        : `<img class="only-light" src="${light}"${rest}><img class="only-dark" src="${dark}"${rest}>`,
  );
}

function dropTags(text) {
  return text.replaceAll(/^<\/?(?:div|main)[^>]*>\n*/gm, '').replaceAll(/\n{3,}/g, '\n\n');
}

const kept = new Set();
function keep(to, copy) {
  if (kept.has(to)) return;
  kept.add(to);
  mkdirSync(dirname(to), { recursive: true });
  copy(to);
}

function save(to, text) {
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, text);
}
