// Where a program names the official package, and what it calls what it takes from it.
import { describe, expect, it } from 'vitest';
import { findCalls, readProgram } from '../../src/migrate/program/program.js';

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

describe('names behind a property or a promise', () => {
  it.each([
    [`const ask = (await import('${P}')).query;`, { ask: 'query' }],
    [`const ask = require('${P}').query;`, { ask: 'query' }],
    [`type O = import('${P}').Options;`, { O: 'Options' }],
    [`import('${P}').then(({ query, tool: t }) => query({}));`, { query: 'query', t: 'tool' }],
    [`const ask = await import('${P}').then((m) => m.query);`, { ask: 'query' }],
    // What is made of a name is another thing.
    [`type H = import('${P}').Options['hooks'];`, {}],
    [`type O = import('${P}').Options & { mine: string };`, {}],
    [`const messages = (await import('${P}')).query({});`, {}],
    [`const text = require('${P}').query.name;`, {}],
  ])('%j', (source, names) => {
    const { locals, namespaces } = read(source);
    expect(Object.fromEntries(locals)).toEqual(names);
    expect([...namespaces].filter((name) => name !== 'm')).toEqual([]);
  });

  it.each([
    [`import('${P}').then((m) => m.query({}));`, 'm'],
    [`import('${P}').then(async m => m.query({}));`, 'm'],
    [`const sdk = await import('${P}').catch(() => undefined);`, 'sdk'],
    [`const sdk = (await import('${P}')) as any;`, 'sdk'],
    [`const sdk = await vi.importActual<typeof import('${P}')>('${P}');`, 'sdk'],
  ])('%j names the module', (source, name) => {
    expect([...read(source).namespaces]).toEqual([name]);
  });

  it('of what a module is called by its path alone has none', () => {
    expect(read(`const path = require.resolve('${P}');`).namespaces.size).toBe(0);
  });
});

describe('calls', () => {
  const IMPORT = `import { query, tool } from '${P}';\n`;
  const count = (source: string): number => findCalls(read(IMPORT + source), 'query').length;

  it.each([
    'query({});',
    'for await (const m of query<A<B>>({})) log(m);',
    'async function* all() { yield* query({}); }',
    'const twice = 2 * query({}).length;',
    'const it = a ? query({}) : b;',
    'const it = a ? await query({}) : b;',
    'const it = a ? 2 * query({}).length : b;',
    'const it = a ? b * query({}) : c;',
    'switch (x) { case query({}): break; }',
    'const it = { ask: query({}), b };',
    'if (a) query({}); else query;',
    'const f = () => query({});',
    'class A { static first = query({}); }',
    'for await (const m of (query as any)({})) log(m);',
    '(query as unknown as Ask)({});',
  ])('%j is one', (source) => expect(count(source)).toBe(1));

  it.each([
    'class A { query(input) { return 1; } }',
    'class A { async query(input: string): Promise<void> { log(input); } }',
    'class A { a = 1; async *query(input): AsyncGenerator<{ a: 1 }> {} }',
    'class A { private override query(input: string) {} }',
    'class A { static #a() {} query<T>(input: T): void {} }',
    'class A { abstract query(input: string): void; }',
    'const mine = { query(input) { return 1; } };',
    'const mine = { a, async query(input) { return 1; } };',
    'const mine = { *query(input) {} };',
    'interface A { a: string; query(input: string): void }',
    'interface A { a: string\n query(input: string): void\n }',
    'function query(input) {}',
    'function* query(input) {}',
    'ask(query as any);',
    'const it = [query as any];',
  ])('%j is none', (source) => expect(count(source)).toBe(0));
});
