// The API reference: TypeDoc's Markdown, one file for each entry point of the package, made into pages. The main entry point is cut into
// the parts of site/reference.json, and links follow the names to their page.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blankCode, slugify } from './markdown.mjs';

/** The pages of the reference, in order, each with its route, title, label and text. */
export function buildReference({ root, site, generated }) {
  const made = hashTypes(join(root, 'dist'));
  runTypeDoc({ site, folder: join(generated, 'reference'), made });
  const { entryPoints, parts } = JSON.parse(readFileSync(join(site, 'reference.json'), 'utf8'));
  const read = (file) =>
    readFileSync(join(generated, 'reference', `${file}.md`), 'utf8').replaceAll(/^\*\*\*\n\n/gm, '');
  const pages = entryPoints.flatMap((entryPoint) =>
    entryPoint.file === 'index'
      ? cut(entryPoint, read(entryPoint.file), parts)
      : [whole(entryPoint, read(entryPoint.file))],
  );
  const homes = new Map(
    pages.flatMap(({ file, anchors, route }) => anchors.map((anchor) => [`${file}#${anchor}`, route])),
  );
  for (const page of pages) page.text = leadLinks(page, homes);
  return [contents(entryPoints, pages), ...pages];
}

// It takes a third of the build's time, and types change seldom while one writes.
function runTypeDoc({ site, folder, made }) {
  const configured = ['package-lock.json', 'not-exported.json', 'reference.json', 'tsconfig.json'];
  const programs = ['typedoc.config.mjs', 'typedoc-plugin.mjs'];
  for (const name of [...configured, ...programs]) made.update(readFileSync(join(site, name)));
  const from = made.digest('hex');
  const mark = join(folder, '.made-from');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === from) return;
  rmSync(folder, { recursive: true, force: true });
  execFileSync(process.execPath, ['node_modules/typedoc/bin/typedoc', '--logLevel', 'Warn'], {
    cwd: site,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  writeFileSync(mark, from);
}

// What the pages would be made from.
function hashTypes(dist) {
  const made = createHash('sha256');
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.d.ts'),
  );
  if (names.length === 0) throw new Error(`${dist} has no declarations: run "npm run build" first`);
  for (const name of names.sort()) made.update(name).update(readFileSync(join(dist, name)));
  return made;
}

function whole({ file, name, text: summary }, markdown) {
  const body = gatherNames(markdown.replace(/^# .*\n+/, ''));
  const route = `/reference/${file}/`;
  const text = `# ${name}\n\n${summary}\n\n${body}`;
  return { file, route, title: name, text, anchors: anchorsOf(markdown) };
}

// An entry point that only hands on names is a list of them.
function gatherNames(body) {
  const start = body.search(/^## References$/m);
  if (start < 0) return body;
  const names = Array.from(
    body.slice(start).matchAll(/^(?:Re-exports|Renames and re-exports) (\[.*\]\(.*\))$/gm),
    ([, link]) => link,
  );
  return `${body.slice(0, start)}## Names of other entry points\n\n${names.join(', ')}\n`;
}

// Each part begins with a heading of the second level; its names, of the third, move up by one.
function cut({ file, name }, markdown, parts) {
  const prose = blankCode(markdown);
  const starts = Array.from(prose.matchAll(/^## (.+)$/gm), ({ index }) => index);
  const cutOut = starts.map((start, index) => {
    const section = markdown.slice(start, starts[index + 1]);
    const title = /^## (.+)/.exec(section)[1];
    if (!parts.some(({ text }) => text === title)) throw new Error(`TypeDoc made a part "${title}"`);
    const body = section.replace(/^## .*\n+/, '').replaceAll(/^#(#{2,})(?= )/gm, '$1');
    return {
      file,
      isPart: true,
      route: `/reference/${slugify(title)}/`,
      title: `${name}: ${title}`,
      // "The model's API" goes on in the middle of a label.
      label: `${name}: ${title[0].toLowerCase()}${title.slice(1)}`,
      text: `# ${title}\n\nExported by \`${name}\`.\n\n${body}`,
      anchors: anchorsOf(section),
    };
  });
  const order = parts.map(({ text }) => `/reference/${slugify(text)}/`);
  return cutOut.sort((one, other) => order.indexOf(one.route) - order.indexOf(other.route));
}

function anchorsOf(markdown) {
  return Array.from(markdown.matchAll(/<a id="([^"]+)"/g), ([, anchor]) => anchor);
}

function leadLinks({ file, route, text }, homes) {
  return text.replaceAll(/\]\(([\w-]*)(?:\.md)?#([^)\s]+)\)/g, (all, other, anchor) => {
    const home = homes.get(`${other || file}#${anchor}`);
    if (home === undefined)
      throw new Error(`The reference of ${file} links to ${all.slice(2, -1)}, which is not there`);
    return `](${home === route ? '' : home}#${anchor})`;
  });
}

function contents(entryPoints, pages) {
  const rows = entryPoints.map(({ file, name, text }) => {
    const own = pages.filter((page) => page.file === file);
    const links = own.map(({ route, title }) => `[${title.replace(/^inboard: /, '')}](${route})`).join(', ');
    return `| \`${name}\` | ${text} | ${links} |`;
  });
  const text = `# API reference\n\nEvery name that the package exports, made from its types. The [options](/options/) and the [errors](/errors/) have tables of their own.\n\n| import from | what it is | names |\n|---|---|---|\n${rows.join('\n')}\n`;
  return { route: '/reference/', title: 'API reference', label: 'Contents', text };
}
