// Which package and which folder may import which, as a test. Types and imports on first use count like all others.
import { describe, expect, it } from 'vitest';
import {
  findCycles,
  findFolder,
  findForbiddenImports,
  findPackage,
  readImports,
  resolveImport,
  type Structure,
} from './import-graph.js';
import { PACKAGES, PROJECT_NAME, readProjectFile, readSourceFiles } from './project.js';

const STRUCTURE: Structure = {
  layers: [
    ['core/errors'],
    ['core/util'],
    ['core/wire/protocol', 'core/wire/process', 'core/answer/schema', 'core/sdk-tools', 'core/health'],
    ['core/wire/transport', 'core/record/calls'],
    // Answerers return values and records are kept: they know neither each other nor the channel.
    ['core/wire/channel', 'core/answer/permissions', 'core/answer/hooks', 'core/answer/mcp'].concat([
      'core/record/trace',
      'core/record/history',
      'core/record/settings',
      'core/record/usage',
    ]),
    // What stands between the model and a tool: rules and names together. A journal knows as much, and nothing above.
    ['core/answer/diagnosis', 'core/calls/result', 'core/calls/transcript', 'core/calls/pending'].concat([
      'cluster/journal',
      'cluster/dispatch',
      'durable/ledger',
    ]),
    // Each on a library of its own.
    ['cluster/postgres', 'cluster/bullmq', 'cluster/limits'],
    ['core/options'],
    // What an inspector may hear and do; sessions know it, not the inspector.
    ['core/live/watch'],
    ['core/live/input', 'core/live/controls', 'core/live/tooling', 'core/live/output'],
    ['core/live'],
    ['core/verbs/query', 'core/verbs/conversation'],
    ['core/verbs/fleet'],
    // A worker, from what all its conversations share to the turns of one of them.
    ['cluster/work/host', 'core/lifetime', 'durable/attempt'],
    // What is counted of a worker's events, and what the process says of its health.
    ['cluster/work/session', 'cluster/numbers'],
    ['cluster/work/turns', 'cluster/health'],
    ['cluster/work'],
    ['cluster'],
    ['inspector/stream'],
    ['inspector/model'],
    ['inspector/sources', 'inspector/page'],
    ['inspector/server'],
    ['inspector'],
    ['engines/turn'],
    ['engines/dbos'],
    ['engines/restate'],
    ['engines/temporal'],
    ['testing', 'otel', 'ui', 'acp', 'remote'],
    ['inboard'],
    ['cli'],
  ],
  hidden: {
    // Plays the other side of the wire, so a bug in our side must not be able to cancel itself out here.
    testing: ['core/wire/channel', 'core/options', 'core/live', 'core/verbs'],
  },
  packages: {
    core: {},
    durable: { core: 'all' },
    engines: { core: 'all', durable: 'all' },
    cluster: { core: 'all', durable: 'all' },
    inspector: { core: 'all', cluster: 'types' },
    testing: { core: 'all', cluster: 'types', durable: 'types' },
    // The metrics of a cluster are described in one place, for OpenTelemetry and for Prometheus.
    otel: { core: 'all', cluster: 'all' },
    ui: { core: 'all' },
    acp: { core: 'all' },
    remote: { core: 'all' },
    inboard: {
      core: 'all',
      cluster: 'all',
      durable: 'all',
      engines: 'all',
      inspector: 'all',
      testing: 'all',
      otel: 'all',
      ui: 'all',
      acp: 'all',
      remote: 'all',
    },
    // The command uses the entry points as its users do. What it shows of a cluster it gets from them.
    cli: { inboard: 'all', core: 'all', inspector: 'all', acp: 'all', remote: 'all', cluster: 'types' },
  },
};

describe('the sources of the packages', () => {
  const files = readSourceFiles();

  it('are read', () => {
    expect(files.has('packages/core/src/errors.ts')).toBe(true);
    for (const [path, text] of files) {
      const written = text.match(/^import\b/gm)?.length ?? 0;
      expect({ path, read: readImports(text).length >= written }).toEqual({ path, read: true });
    }
  });

  it('import only what the order of packages and layers allows', () => {
    expect(findForbiddenImports(files, STRUCTURE, PROJECT_NAME)).toEqual([]);
  });

  it('have no import cycle between files', () => {
    expect(findCycles(files)).toEqual([]);
  });

  it.each(PACKAGES)('name in the package.json of %s exactly the packages they import', (name) => {
    const { dependencies = {} } = JSON.parse(readProjectFile(`packages/${name}/package.json`)) as {
      dependencies?: Record<string, string>;
    };
    const own = Object.keys(dependencies).flatMap((each) =>
      each.startsWith('@inboard/') ? [each.slice('@inboard/'.length)] : [],
    );
    const used = new Set<string>();
    for (const [path, text] of files) {
      if (findPackage(path) !== name) continue;
      for (const { specifier } of readImports(text)) {
        const target = resolveImport(files, path, specifier);
        if (target !== undefined && findPackage(target) !== name) used.add(findPackage(target));
      }
    }
    expect(own.toSorted()).toEqual([...used].toSorted());
    expect(Object.keys(STRUCTURE.packages?.[name] ?? {}).toSorted()).toEqual([...used].toSorted());
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

describe('findFolder', () => {
  it('is the innermost folder that is in a layer, with its package', () => {
    expect(findFolder('packages/core/src/errors.ts', STRUCTURE)).toBe('core/errors');
    expect(findFolder('packages/core/src/answer/mcp/tool/tool.ts', STRUCTURE)).toBe('core/answer/mcp');
    expect(findFolder('packages/core/src/live/launch.ts', STRUCTURE)).toBe('core/live');
    expect(findFolder('packages/core/src/live/input/prompt-pump.ts', STRUCTURE)).toBe('core/live/input');
    expect(findFolder('packages/core/src/wire/attic.ts', STRUCTURE)).toBeUndefined();
  });
});

describe('findCycles', () => {
  it('finds a cycle over three files', () => {
    const files = new Map([
      ['packages/core/src/a/one.ts', "import '../b/two.js';"],
      ['packages/core/src/b/two.ts', "export * from './three.js';"],
      ['packages/core/src/b/three.ts', "const one = () => import('../a/one.js');"],
      ['packages/core/src/b/four.ts', "import './two.js';"],
    ]);
    expect(findCycles(files)).toEqual([
      'packages/core/src/a/one.ts -> packages/core/src/b/two.ts -> packages/core/src/b/three.ts -> packages/core/src/a/one.ts',
    ]);
  });

  it('finds a file that imports itself', () => {
    expect(findCycles(new Map([['packages/core/src/a/one.ts', "import './one.js';"]]))).toEqual([
      'packages/core/src/a/one.ts -> packages/core/src/a/one.ts',
    ]);
  });

  it('finds a cycle that is closed by a type', () => {
    const files = new Map([
      ['packages/core/src/a/one.ts', "import type { B } from './two.js';"],
      ['packages/core/src/a/two.ts', "import './one.js';"],
    ]);
    expect(findCycles(files)).toEqual([
      'packages/core/src/a/one.ts -> packages/core/src/a/two.ts -> packages/core/src/a/one.ts',
    ]);
  });

  it('lets two roads lead to one file', () => {
    const files = new Map([
      ['packages/core/src/a/one.ts', "import type { B } from './two.js';\nimport './three.js';"],
      ['packages/core/src/a/two.ts', "import './three.js';"],
      ['packages/core/src/a/three.ts', ''],
    ]);
    expect(findCycles(files)).toEqual([]);
  });
});

describe('findForbiddenImports', () => {
  const structure: Structure = {
    layers: [['core/low', 'core/beside'], ['core/high'], ['core/top'], ['other']],
    hidden: { 'core/top': ['core/low'] },
    packages: { core: {}, other: { core: 'types' } },
  };

  it('allows the own folder, lower ones, and packages from elsewhere', () => {
    const files = new Map([
      ['packages/core/src/low/a.ts', "import fs from 'node:fs';\nimport './b.js';"],
      ['packages/core/src/low/b.ts', ''],
      ['packages/core/src/high/c.ts', "import '../low/a.js';\nimport 'zod';"],
    ]);
    expect(findForbiddenImports(files, structure, 'own')).toEqual([]);
  });

  it.each([
    "import '../high/c.js';",
    "import type { C } from '../high/c.js';",
    "void import('../high/c.js');",
  ])('complains about an import from a higher layer: %s', (text) => {
    const files = new Map([
      ['packages/core/src/low/a.ts', text],
      ['packages/core/src/high/c.ts', ''],
    ]);
    expect(findForbiddenImports(files, structure, 'own')).toEqual([
      'packages/core/src/low/a.ts: "core/low" must not import "core/high" (packages/core/src/high/c.ts)',
    ]);
  });

  it.each([
    'packages/core/src/attic/a.ts',
    'packages/core/src/attic.ts',
    'packages/core/src/constructor/a.ts',
  ])('complains about a file in no layer: %s', (path) => {
    expect(findForbiddenImports(new Map([[path, '']]), structure, 'own')).toEqual([`${path} is in no layer`]);
  });

  it('complains about an import that leads nowhere or names the published package', () => {
    const files = new Map([
      [
        'packages/core/src/low/a.ts',
        "import './gone.js';\nimport 'own';\nimport 'own/testing';\nimport 'owner';",
      ],
    ]);
    expect(findForbiddenImports(files, structure, 'own')).toEqual([
      'packages/core/src/low/a.ts: "./gone.js" leads to no file',
      'packages/core/src/low/a.ts: imports the published package by its name ("own")',
      'packages/core/src/low/a.ts: imports the published package by its name ("own/testing")',
    ]);
  });

  it('complains about an import from the same layer, and about one of what is hidden', () => {
    const files = new Map([
      ['packages/core/src/low/a.ts', "import '../beside/b.js';"],
      ['packages/core/src/beside/b.ts', ''],
      ['packages/core/src/top/c.ts', "import '../low/a.js';\nimport '../beside/b.js';"],
    ]);
    expect(findForbiddenImports(files, structure, 'own')).toEqual([
      'packages/core/src/low/a.ts: "core/low" must not import "core/beside" (packages/core/src/beside/b.ts)',
      'packages/core/src/top/c.ts: "core/top" must not import "core/low" (packages/core/src/low/a.ts)',
    ]);
  });

  it('complains about another package that is not named, is named for its types, or is reached by a path', () => {
    const files = new Map([
      ['packages/core/src/low/a.ts', "import '@inboard/other/b.js';"],
      [
        'packages/other/src/b.ts',
        "import type { A } from '@inboard/core/low/a.js';\nimport { a } from '@inboard/core/low/a.js';",
      ],
      ['packages/other/src/c.ts', "import type { A } from '../../core/src/low/a.js';"],
    ]);
    expect(findForbiddenImports(files, structure, 'own')).toEqual([
      'packages/core/src/low/a.ts: "core" must not import code of "other"',
      'packages/core/src/low/a.ts: "core/low" must not import "other" (packages/other/src/b.ts)',
      'packages/other/src/b.ts: "other" must not import code of "core"',
      'packages/other/src/c.ts: names a file of another package by its path ("../../core/src/low/a.js")',
    ]);
  });

  it('names only folders that have a file', () => {
    const folders = new Set([...readSourceFiles().keys()].map((path) => findFolder(path, STRUCTURE)));
    expect(STRUCTURE.layers.flat().filter((folder) => !folders.has(folder))).toEqual([]);
  });
});
