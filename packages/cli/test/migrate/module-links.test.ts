// Where a program names the official package, and what it calls what it takes from it.
import { describe, expect, it } from 'vitest';
import { readProgram } from '../../src/migrate/program/program.js';

const P = '@anthropic-ai/claude-agent-sdk';
const read = (source: string, name = 'a.ts') => readProgram(source, name);

describe('links', () => {
  it.each([
    [`import '${P}';`, 'import'],
    [`import { query } from '${P}';`, 'import'],
    [`import { query } from "${P}" with { type: 'x' };`, 'import'],
    [`import type { Query } from '${P}';`, 'import'],
    [`import * as sdk from '${P}';`, 'import'],
    [`import sdk, { query } from '${P}';`, 'import'],
    [`import sdk = require('${P}');`, 'call'],
    [`export * from '${P}';`, 'export'],
    [`export type { Query } from '${P}/sdk-tools';`, 'export'],
    [`export * as sdk from '${P}';`, 'export'],
    [`const sdk = require('${P}');`, 'call'],
    [`const sdk = await import('${P}');`, 'call'],
    [`const sdk = await import(\`${P}\`);`, 'call'],
    [`type Q = import('${P}').Query;`, 'call'],
    [`type S = typeof import('${P}');`, 'call'],
    [`require.resolve('${P}/core');`, 'call'],
    [`import.meta.resolve('${P}');`, 'call'],
    [`jest.mock('${P}');`, 'mock'],
    [`vi.mock('${P}', () => ({}));`, 'mock'],
    [`vi.mock(import('${P}'), () => ({}));`, 'call'],
    [`jest.requireActual<typeof Sdk>('${P}')`, 'call'],
    [`mock.module('${P}', {});`, 'mock'],
    [`declare module '${P}' { interface A {} }`, 'augmentation'],
    [`/** @type {import('${P}').Options} */`, 'comment'],
    [`/** @import { Options } from '${P}' */`, 'comment'],
    [`/// <reference types="${P}" />`, 'comment'],
  ])('%j is one', (source, kind) => {
    const { links, problem } = read(source);
    expect(problem).toBeUndefined();
    expect(links.map((link) => link.kind)).toEqual([kind]);
    const [link] = links;
    expect(source.slice(link?.start).startsWith(P)).toBe(true);
  });

  it.each([
    `const name = '${P}';`,
    `console.log('${P}');`,
    `await Promise.resolve('${P}');`,
    `text.replace('${P}', 'x');`,
    `log.require('${P}');`,
    `external: ['${P}']`,
    `import { a } from './${P}';`,
    `import { a } from '${P}-linux-x64';`,
    `// import { query } from '${P}'`,
    `const text = "import { query } from '${P}'";`,
    `log(from, '${P}');`,
    `import.meta.url + '${P}';`,
  ])('%j is none', (source) => {
    expect(read(source).links).toEqual([]);
  });
});

describe('names', () => {
  it.each([
    [`import { query } from '${P}';`, { query: 'query' }, []],
    [`import { query as ask, type Options as O } from '${P}';`, { ask: 'query', O: 'Options' }, []],
    [`import type { Options } from '${P}';`, { Options: 'Options' }, []],
    [`import { type, type as t, type type as u } from '${P}';`, { type: 'type', t: 'type', u: 'type' }, []],
    [`import type, { query } from '${P}';`, { type: 'default', query: 'query' }, []],
    [`import { "query" as q } from '${P}';`, { q: 'query' }, []],
    [`import * as sdk from '${P}';`, {}, ['sdk']],
    [`const { query, tool: t } = require('${P}');`, { query: 'query', t: 'tool' }, []],
    [`const { query } = await import('${P}');`, { query: 'query' }, []],
    [`const sdk = (await import('${P}'));`, {}, ['sdk']],
    [`export { query } from '${P}';`, {}, []],
  ])('%j', (source, locals, namespaces) => {
    const program = read(source);
    expect(Object.fromEntries(program.locals)).toEqual(locals);
    expect([...program.namespaces]).toEqual(namespaces);
  });
});

it('tries the other reading where the first makes no sense', () => {
  const flow = `import { query } from '${P}';\nconst a = <any>query;\nconst b = "it's";`;
  expect(read(flow, 'a.ts').problem).toBeUndefined();
  expect(read(flow, 'a.js').links).toHaveLength(1);
});
