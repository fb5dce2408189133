// The table of rooms, as a test: who may import whom.
import { describe, expect, it } from 'vitest';
import { findCycles, findForbiddenArrows, findRoom, readImports, type House } from './import-graph.js';
import { PROJECT_NAME, readSourceFiles } from './project.js';

const HOUSE: House = {
  floors: [
    ['errors'],
    ['util'],
    ['wire/protocol', 'wire/process', 'answer/schema', 'sdk-tools'],
    ['wire/transport', 'record/calls'],
    // Answerers return values and records are kept: they know neither each other nor the channel.
    ['wire/channel', 'answer/permissions', 'answer/hooks', 'answer/mcp'].concat([
      'record/trace',
      'record/history',
      'record/settings',
      'record/usage',
    ]),
    // What stands between the model and a tool: rules and names together.
    ['answer/diagnosis', 'calls/result', 'calls/transcript', 'cluster/journal', 'cluster/dispatch'],
    // Each on a library of its own.
    ['cluster/postgres', 'cluster/bullmq', 'cluster/limits'],
    ['options'],
    // What an inspector may hear and do; sessions know it, not the inspector.
    ['live/watch'],
    ['live/input', 'live/controls', 'live/tooling', 'live/output'],
    ['live'],
    ['verbs/query', 'verbs/conversation'],
    ['verbs/fleet'],
    ['cluster/work', 'lifetime'],
    ['cluster'],
    ['inspector/stream'],
    ['inspector/model'],
    ['inspector/sources', 'inspector/page'],
    ['inspector/server'],
    ['inspector'],
    ['testing', 'otel', 'ui', 'acp', 'remote'],
    ['doors'],
    ['cli'],
  ],
  blind: {
    // Plays the other side of the wire, so a bug in our side must not be able to cancel itself out here.
    testing: ['wire/channel', 'options', 'live', 'verbs'],
  },
};

describe('the rooms under src', () => {
  const files = readSourceFiles();

  it('are read', () => {
    expect(files.has('packages/core/src/errors.ts')).toBe(true);
    for (const [path, text] of files) {
      const written = text.match(/^import\b/gm)?.length ?? 0;
      expect({ path, read: readImports(text).length >= written }).toEqual({ path, read: true });
    }
  });

  it('import only rooms of lower floors', () => {
    expect(findForbiddenArrows(files, HOUSE, PROJECT_NAME)).toEqual([]);
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
  it('is the innermost folder that is a room, or the file in src itself', () => {
    expect(findRoom('packages/core/src/errors.ts', HOUSE)).toBe('errors');
    expect(findRoom('packages/core/src/answer/mcp/tool/tool.ts', HOUSE)).toBe('answer/mcp');
    expect(findRoom('packages/core/src/live/launch.ts', HOUSE)).toBe('live');
    expect(findRoom('packages/core/src/live/input/prompt-pump.ts', HOUSE)).toBe('live/input');
    expect(findRoom('packages/core/src/wire/attic.ts', HOUSE)).toBeUndefined();
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

  it('finds a cycle that is closed by a type', () => {
    const files = new Map([
      ['src/a/one.ts', "import type { B } from './two.js';"],
      ['src/a/two.ts', "import './one.js';"],
    ]);
    expect(findCycles(files)).toEqual(['src/a/one.ts -> src/a/two.ts -> src/a/one.ts']);
  });

  it('lets two roads lead to one file', () => {
    const files = new Map([
      ['src/a/one.ts', "import type { B } from './two.js';\nimport './three.js';"],
      ['src/a/two.ts', "import './three.js';"],
      ['src/a/three.ts', ''],
    ]);
    expect(findCycles(files)).toEqual([]);
  });
});

describe('findForbiddenArrows', () => {
  const house: House = {
    floors: [['low', 'beside'], ['high'], ['top']],
    blind: { top: ['low'] },
  };

  it('allows the own room, rooms below, and packages', () => {
    const files = new Map([
      ['src/low/a.ts', "import fs from 'node:fs';\nimport './b.js';"],
      ['src/low/b.ts', ''],
      ['src/high/c.ts', "import '../low/a.js';\nimport 'zod';"],
    ]);
    expect(findForbiddenArrows(files, house, 'own')).toEqual([]);
  });

  it.each([
    "import '../high/c.js';",
    "import type { C } from '../high/c.js';",
    "void import('../high/c.js');",
  ])('complains about an arrow upwards: %s', (text) => {
    const files = new Map([
      ['src/low/a.ts', text],
      ['src/high/c.ts', ''],
    ]);
    expect(findForbiddenArrows(files, house, 'own')).toEqual([
      'src/low/a.ts: the room "low" must not import "high" (src/high/c.ts)',
    ]);
  });

  it.each(['src/attic/a.ts', 'src/attic.ts', 'src/constructor/a.ts'])(
    'complains about an unknown room: %s',
    (path) => {
      expect(findForbiddenArrows(new Map([[path, '']]), house, 'own')).toEqual([
        `${path} is in no room of the house`,
      ]);
    },
  );

  it('complains about an import that leads nowhere or goes round by the own name', () => {
    const files = new Map([
      ['src/low/a.ts', "import './gone.js';\nimport 'own';\nimport 'own/testing';\nimport 'owner';"],
    ]);
    expect(findForbiddenArrows(files, house, 'own')).toEqual([
      'src/low/a.ts: "./gone.js" leads to no file',
      'src/low/a.ts: imports the package by its own name ("own")',
      'src/low/a.ts: imports the package by its own name ("own/testing")',
    ]);
  });

  it('complains about an arrow along the floor, and about one to what must not be seen', () => {
    const files = new Map([
      ['src/low/a.ts', "import '../beside/b.js';"],
      ['src/beside/b.ts', ''],
      ['src/top/c.ts', "import '../low/a.js';\nimport '../beside/b.js';"],
    ]);
    expect(findForbiddenArrows(files, house, 'own')).toEqual([
      'src/low/a.ts: the room "low" must not import "beside" (src/beside/b.ts)',
      'src/top/c.ts: the room "top" must not import "low" (src/low/a.ts)',
    ]);
  });

  it('knows every room of the house by a file in it', () => {
    const rooms = new Set([...readSourceFiles().keys()].map((path) => findRoom(path, HOUSE)));
    expect(HOUSE.floors.flat().filter((room) => !rooms.has(room))).toEqual([]);
  });
});
