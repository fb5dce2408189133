// docs/surface.md: every public name, with its kind, its entry point, whether programs of the docs and examples import it, and why it is
// where it is.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KEPT_NAMES, NAMES_THAT_STAY } from './kept-names.mjs';
import { code, table } from './markdown.mjs';
import { readValues } from './read-entry-points.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path) => readFileSync(join(root, path), 'utf8');
const readJson = (path) => JSON.parse(read(path));
const LIST = /^export (type )?\{([^}]*)\}/gm;
const IMPORT = /\bimport (?:type )?\{([^}]*)\} from ['"](inboard(?:\/[\w/-]+)?)['"]/g;
const PAGE = 'docs/surface.md';

/** The entry points with a file each: their names and what they are for. */
function listEntryPoints() {
  return readJson('site/reference.json').entryPoints.map(({ file, name, text }) => {
    const path = `packages/inboard/src/${file}.ts`;
    const values = readValues(path);
    const names = [...read(path).matchAll(LIST)].flatMap(([, isType, list]) =>
      readList(list).map(({ name: own, isType: isOwnType }) => ({
        name: own,
        kind: isType || isOwnType ? 'type' : kindOf(own, values.get(own)?.kind),
      })),
    );
    return { name, text, names: names.toSorted(compareNames) };
  });
}

function readList(list) {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => ({
      isType: entry.startsWith('type '),
      name: entry
        .replace(/^type /, '')
        .split(' as ')
        .at(-1),
    }));
}

function kindOf(name, kind) {
  if (kind === 'class' || kind === 'function') return kind;
  return /^[a-z]/.test(name) ? 'function' : 'constant';
}

function compareNames({ name: one }, { name: other }) {
  const [left, right] = [one.toLowerCase(), other.toLowerCase()];
  if (left === right) return one < other ? -1 : 1;
  return left < right ? -1 : 1;
}

/** What programs import, as `entry point name`. */
function listImported(texts) {
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(IMPORT)].flatMap(([, list, entryPoint]) =>
        list.split(',').map(
          (entry) =>
            `${entryPoint} ${
              entry
                .trim()
                .replace(/^type /, '')
                .split(' as ')[0]
            }`,
        ),
      ),
    ),
  );
}

function listFiles(folder, ending) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => ending.test(path) && !path.includes('node_modules'))
    .toSorted();
}

/** Whether a name of an entry point is one of the official SDK. */
function createJudge() {
  const { values, types } = readJson('test/fixtures/official-surface.json');
  const official = new Set([...values, ...types]);
  const reasons = new Map(KEPT_NAMES.flatMap(({ because, names }) => names.map((name) => [name, because])));
  return {
    reasons,
    isOfficial(entryPoint, { name }) {
      return entryPoint === 'inboard/sdk-tools' || (isOfficialPlace(entryPoint) && official.has(name));
    },
  };
}

// The others have names of our own, also where one is spelled like an official one.
function isOfficialPlace(entryPoint) {
  return entryPoint === 'inboard' || entryPoint === 'inboard/core';
}

/** The text of docs/surface.md; `changes` is what packages/cli/src/migrate/surface-changes.ts exports. */
export function buildSurfacePage(changes) {
  const judge = createJudge();
  const docs = [...listFiles('docs', /\.md$/), 'README.md'].filter(
    (path) => path !== PAGE && !/^docs\/(?:decisions|discoveries)\//.test(path),
  );
  const uses = [
    listImported(docs.map(read)),
    listImported(
      ['examples', 'templates'].flatMap((folder) => listFiles(folder, /\.(?:[cm]?[jt]sx?)$/)).map(read),
    ),
  ];
  const entryPoints = listEntryPoints().map((entryPoint) => ({
    ...entryPoint,
    names: entryPoint.names.map((each) => ({ ...each, isOfficial: judge.isOfficial(entryPoint.name, each) })),
  }));
  return (
    [
      OPENING,
      `## How many there are\n\n${countNames(entryPoints)}`,
      describeChanges(changes),
      ...entryPoints.map((entryPoint) => describeEntryPoint(entryPoint, uses, judge.reasons)),
    ].join('\n\n') + '\n'
  );
}

const OPENING = `# Public names

<!-- Made by scripts/write-reference-pages.mjs. The reasons are in scripts/support/reference/kept-names.mjs, the renames in packages/cli/src/migrate/surface-changes.ts. -->

Every name that an entry point exports, and why it is there. [Stability](stability.md) says what is promised about them.

- **Names of the official SDK** never move: a program that changes only its import line compiles and runs.
- **Our own names** are in \`inboard\` if programs write them. Parts of types that an editor follows are in \`inboard/types\`, and what is
  for one purpose only is in the entry point of that purpose.
- *Docs* and *examples* say whether a program of these pages, or of \`examples\` and \`templates\`, imports the name.`;

function countNames(entryPoints) {
  return table(
    ['entry point', 'values', 'types', 'of these, names of the official SDK'],
    entryPoints.map(({ name, names }) => [
      code(name),
      String(names.filter(({ kind }) => kind !== 'type').length),
      String(names.filter(({ kind }) => kind === 'type').length),
      String(names.filter(({ isOfficial }) => isOfficial).length),
    ]),
  );
}

function describeChanges({ RENAMED_NAMES, MOVED_NAMES }) {
  return `## What was renamed or moved

Before the first publication, so without a time in which both names work. [\`inboard migrate\`](command/migrate.md) reports these names in
programs that used a clone. Stored data that has an old name stays readable.

${table(
  ['was', 'is', 'of', 'why'],
  RENAMED_NAMES.map(({ of, from, to, because }) => [
    code(from),
    to.includes(' or ') ? to.split(' or ').map(code).join(' or ') : code(to),
    of.startsWith('inboard') ? code(of) : of,
    because,
  ]),
)}

${table(
  ['names', 'were in', 'are in', 'why'],
  MOVED_NAMES.map(({ from, to, because, names }) => [
    names.map(code).join(', '),
    code(from),
    code(to),
    because,
  ]),
)}

Names that sound alike and stay:

${table(
  ['names', 'why'],
  NAMES_THAT_STAY.map(({ names, because }) => [names.map(code).join(', '), because]),
)}`;
}

/** One row for all names that have the same facts. */
function groupNames(rows) {
  const groups = new Map();
  for (const [name, ...facts] of rows) {
    const key = facts.join('|');
    const group = groups.get(key) ?? { names: [], facts };
    groups.set(key, group);
    group.names.push(name);
  }
  return [...groups.values()].map(({ names, facts }) => [names.map(code).join(', '), ...facts]);
}

function describeEntryPoint({ name, text, names }, [docs, examples], reasons) {
  const isMain = name === 'inboard';
  const mark = (uses, each) => (uses.has(`${name} ${each}`) ? 'yes' : '');
  const rows = groupNames(
    names.map(({ name: own, kind, isOfficial }) => {
      const facts = [kind, mark(docs, own), mark(examples, own), isOfficial ? 'official' : 'ours'];
      if (!isMain) return [own, ...facts];
      if (!isOfficial && !reasons.has(own))
        throw new Error(
          `"${own}" has no reason to be in "inboard": add one to kept-names.mjs, or export it from "inboard/types"`,
        );
      return [own, ...facts, isOfficial ? '' : reasons.get(own)];
    }),
  );
  const heads = ['names', 'kind', 'docs', 'examples', 'whose', ...(isMain ? ['kept, because it'] : [])];
  const shown = rows.length === 0 ? 'It has types only.' : table(heads, rows);
  return `## ${code(name)}\n\n${text}\n\n${shown}`;
}

/** The names with a reason that the main entry point does not export. */
export function listIdleReasons() {
  const [main] = listEntryPoints();
  const exported = new Set(main.names.map(({ name }) => name));
  return KEPT_NAMES.flatMap(({ names }) => names).filter((name) => !exported.has(name));
}
