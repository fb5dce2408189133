import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { isLoneArrow } from '../../../src/answer/mcp/tool/lone-arrow.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import { openSession, textOf } from './session-harness.js';

const LONE = [
  '() => 0',
  '( ) => 0',
  'a => 0',
  '(a) => 0',
  '(a,) => 0',
  '({ a, b }) => 0',
  '({ a: b, }) => 0',
  'async () => 0',
  'async a => 0',
  'async(a)=>0',
  'async ({a}) => 0',
  'async => 0',
  '(\n  {\n    a,\n    b,\n  },\n) => 0',
  '$ => 0',
];
const OTHERS = [
  '(a, b) => 0',
  '(...all) => 0',
  '(a, ...more) => 0',
  '({ ...all }) => 0',
  '(a, b = 1) => 0',
  '(a = 1) => 0',
  '({ a = 1 }) => 0',
  '({ a = (b, c) => c }, { d }) => 0',
  '({ a: { b }, }) => 0',
  '([a] = []) => 0',
  '(a /* , b */) => 0',
  '(a /* ) => */, b) => 0',
  'function (a) { return arguments.length }',
  'async function (a) { return arguments.length }',
  'function* (a) { yield arguments.length }',
  '({ run(a) { return arguments.length } }).run',
  '({ get(a) { return arguments.length } }).get',
  '((a) => 0).bind(undefined)',
  'new Proxy((a) => 0, {})',
  'class { static run(a) { return arguments.length } }.run',
];

// Functions of a test would be rewritten on their way here.
const make = (text: string): (() => unknown) => runInThisContext(`(${text})`) as () => unknown;

describe('a handler that cannot see a second argument', () => {
  it.each(LONE)('is found: %s', (text) => {
    expect(isLoneArrow({ handler: make(text) })).toBe(true);
  });

  it.each(OTHERS)('is not claimed of %s', (text) => {
    expect(isLoneArrow({ handler: make(text) })).toBe(false);
  });

  it.each([...LONE, ...OTHERS].filter((text) => !text.startsWith('([a]')))(
    'gets what it can see: %s',
    async (text) => {
      const handler = make(text.replace(/=>\s*0/, '=> "called"'));
      const server = createSdkMcpServer({ name: 's', tools: [tool('t', '', { type: 'object' }, handler)] });
      const reply = await openSession({ s: server }).call('t', { a: { b: 1 } });
      expect(textOf(reply)).toMatch(/^(?:called|2)$/);
    },
  );
});
