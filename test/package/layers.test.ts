// The table of rooms, as a test: who may import whom.
import { describe, expect, it } from 'vitest';
import { findCycles, findForbiddenArrows, findRoom, readImports, type RoomTable } from './import-graph.js';
import { PROJECT_NAME, readSourceFiles } from './project.js';

const BASE = ['errors', 'util'];
const WIRE = [...BASE, 'protocol', 'process', 'transport', 'trace'];
const ANSWERERS = ['schema', 'permissions', 'hooks', 'mcp', 'sessions', 'settings', 'usage'];
const MIDDLE = [...WIRE, 'channel', ...ANSWERERS];
const INSIDE = [...MIDDLE, 'options', 'query', 'index'];
const RIM = ['core', 'testing', 'inspector', 'otel', 'cli', 'sdk-tools'];

const ROOMS: RoomTable = {
  errors: [],
  util: ['errors'],
  protocol: BASE,
  process: [...BASE, 'protocol'],
  transport: [...BASE, 'protocol', 'process'],
  trace: [...BASE, 'protocol', 'process', 'transport'],
  channel: WIRE,
  // Answerers return values: they know neither each other nor the channel.
  schema: BASE,
  permissions: WIRE,
  hooks: WIRE,
  mcp: [...WIRE, 'schema'],
  sessions: WIRE,
  settings: WIRE,
  usage: WIRE,
  'sdk-tools': [],
  options: MIDDLE,
  query: [...MIDDLE, 'options'],
  index: [...MIDDLE, 'options', 'query'],
  core: [...MIDDLE, 'options', 'query', 'index'],
  // Plays the other side of the wire, so a bug in our side must not be able to cancel itself out here.
  testing: [...WIRE, ...ANSWERERS],
  inspector: [...INSIDE, ...RIM],
  otel: [...INSIDE, ...RIM],
  cli: [...INSIDE, ...RIM],
};

describe('the rooms under src', () => {
  const files = readSourceFiles();

  it('are read', () => {
    expect(files.has('src/errors.ts')).toBe(true);
    for (const [path, text] of files) {
      const written = text.match(/^import\b/gm)?.length ?? 0;
      expect({ path, read: readImports(text).length >= written }).toEqual({ path, read: true });
    }
  });

  it('import only rooms to their left', () => {
    expect(findForbiddenArrows(files, ROOMS, PROJECT_NAME)).toEqual([]);
  });

  it('have no import cycle between files', () => {
    expect(findCycles(files)).toEqual([]);
  });
});

describe('readImports', () => {
  it.each([
    ["import { a } from './a.js';", './a.js', false],
    ["import {\n  a,\n  type B,\n} from './a.js';", './a.js', false],
    ['import a, { b } from "./a.js";', './a.js', false],
    ["import * as a from './a.js';", './a.js', false],
    ["import './a.js';", './a.js', false],
    ["import type { A } from './a.js';", './a.js', true],
    ["import type A from './a.js';", './a.js', true],
    // What is left of it at run time is an import without names.
    ["import { type A } from './a.js';", './a.js', false],
    ["export { a } from './a.js';", './a.js', false],
    ["export * from './a.js';", './a.js', false],
    ["export * as a from './a.js';", './a.js', false],
    ["export type { A } from './a.js';", './a.js', true],
    ["export type * from './a.js';", './a.js', true],
    ["async function f() {\n  return await import('./a.js');\n}", './a.js', false],
    ["const a = import(\n  './a.js'\n);", './a.js', false],
  ])('reads %j', (text, specifier, isTypeOnly) => {
    expect(readImports(text)).toEqual([{ specifier, isTypeOnly }]);
  });

  it.each([
    "// import { a } from './a.js';",
    "/**\n * import('./a.js')\n */",
    "export const a = './a.js';",
    "export function from() {\n  return './a.js';\n}",
    "const importFrom = './a.js';",
  ])('finds none in %j', (text) => {
    expect(readImports(text)).toEqual([]);
  });

  it('reads on behind a glob that looks like a comment', () => {
    const text = "const glob = '**/*.ts';\nexport { a } from './a.js';\n/* end */\n";
    expect(readImports(text)).toEqual([{ specifier: './a.js', isTypeOnly: false }]);
  });
});

describe('findRoom', () => {
  it('is the folder, or the file in src itself', () => {
    expect(findRoom('src/errors.ts')).toBe('errors');
    expect(findRoom('src/mcp/tool.ts')).toBe('mcp');
    expect(findRoom('src/cli/commands/run.ts')).toBe('cli');
  });
});

describe('findCycles', () => {
  it('finds a cycle over three files', () => {
    const files = new Map([
      ['src/a/one.ts', "import '../b/two.js';"],
      ['src/b/two.ts', "export * from './three.js';"],
      ['src/b/three.ts', "const one = () => import('../a/one.js');"],
      ['src/b/four.ts', "import './two.js';"],
    ]);
    expect(findCycles(files)).toEqual(['src/a/one.ts -> src/b/two.ts -> src/b/three.ts -> src/a/one.ts']);
  });

  it('finds a file that imports itself', () => {
    expect(findCycles(new Map([['src/a/one.ts', "import './one.js';"]]))).toEqual([
      'src/a/one.ts -> src/a/one.ts',
    ]);
  });

  it('lets types refer to each other, and two roads lead to one file', () => {
    const files = new Map([
      ['src/a/one.ts', "import type { B } from './two.js';\nimport './three.js';"],
      ['src/a/two.ts', "import './one.js';\nimport './three.js';"],
      ['src/a/three.ts', ''],
    ]);
    expect(findCycles(files)).toEqual([]);
  });
});

describe('findForbiddenArrows', () => {
  const table: RoomTable = { left: [], right: ['left'] };

  it('allows the own room, rooms to the left, and packages', () => {
    const files = new Map([
      ['src/left/a.ts', "import fs from 'node:fs';\nimport './b.js';"],
      ['src/left/b.ts', ''],
      ['src/right/c.ts', "import '../left/a.js';\nimport 'zod';"],
    ]);
    expect(findForbiddenArrows(files, table, 'own')).toEqual([]);
  });

  it.each([
    "import '../right/c.js';",
    "import type { C } from '../right/c.js';",
    "void import('../right/c.js');",
  ])('complains about a backward arrow: %s', (text) => {
    const files = new Map([
      ['src/left/a.ts', text],
      ['src/right/c.ts', ''],
    ]);
    expect(findForbiddenArrows(files, table, 'own')).toEqual([
      'src/left/a.ts: the room "left" must not import "right" (src/right/c.ts)',
    ]);
  });

  it.each(['src/attic/a.ts', 'src/attic.ts', 'src/constructor/a.ts'])(
    'complains about an unknown room: %s',
    (path) => {
      expect(findForbiddenArrows(new Map([[path, '']]), table, 'own')).toEqual([
        expect.stringContaining('is not in the table of rooms'),
      ]);
    },
  );

  it('complains about an import that leads nowhere or goes round by the own name', () => {
    const files = new Map([
      ['src/left/a.ts', "import './gone.js';\nimport 'own';\nimport 'own/testing';\nimport 'owner';"],
    ]);
    expect(findForbiddenArrows(files, table, 'own')).toEqual([
      'src/left/a.ts: "./gone.js" leads to no file',
      'src/left/a.ts: imports the package by its own name ("own")',
      'src/left/a.ts: imports the package by its own name ("own/testing")',
    ]);
  });

  it('knows every room it names', () => {
    for (const allowed of Object.values(ROOMS)) {
      expect(allowed.filter((room) => !Object.hasOwn(ROOMS, room))).toEqual([]);
    }
    expect(Object.keys(ROOMS).toSorted()).toEqual([...INSIDE, ...RIM].toSorted());
  });
});
