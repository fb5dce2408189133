// Secrets that are streamed: however a block is cut into pieces, no part of one is shown.
import { describe, expect, it } from 'vitest';
import { createRedactor, type RedactOptions } from '@inboard/core/record/trace/recorder/redact.js';
import { StreamVeil } from '../../src/sources/live/stream-veil.js';
import type { JoinedPieces } from '../../src/stream/inspector-event.js';

interface How {
  kind?: JoinedPieces['kind'];
  redact?: RedactOptions;
}

/** What a page has of a block after each piece of so many characters, the last after its end. */
function stream(text: string, size: number, { kind = 'text', redact = {} }: How = {}) {
  let shown = '';
  let count = 0;
  const steps: string[] = [];
  const veil = new StreamVeil(createRedactor(redact), (pieces) => {
    shown += pieces.text;
    count += pieces.count;
  });
  for (let at = 0; at < text.length; at += size) {
    const piece = text.slice(at, at + size);
    veil.add({ type: 'pieces', t: at, parent: null, index: 0, kind, text: piece, count: 1 });
    steps.push(shown);
  }
  veil.end();
  return { shown, steps, count };
}

const KEY = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
const PEM_LINES = ['MIIEowIBAAKCAQEAx7rm', 'Q2hhcmxpZSBpcyBub3Qg', 'dGhlIG9ubHkgb25lIQ=='];
const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${PEM_LINES.join('\n')}\n-----END RSA PRIVATE KEY-----`;
const SIZES = [1, 7, 1000];

describe.each(SIZES)('in pieces of %i characters', (size) => {
  it('hides a key, a private key, and a password in words', () => {
    const text = `It is ${KEY} there.\nThen:\n${PEM}\nAnd password: "two words" too.\nEnd of it.`;
    const { shown } = stream(text, size);
    for (const secret of [KEY.slice(7, 20), ...PEM_LINES, 'two', 'words'])
      expect(shown).not.toContain(secret);
    for (const open of ['It is ', ' there.', 'Then:', ' too.', 'End of it.']) expect(shown).toContain(open);
  });

  it.each([
    ['by its name', '{"url": "https://x", "token": "hunter2 hunter3"}', {}],
    ['by its place', '{"url": "https://x y", "headers": {"X-Mine": "hunter2 hunter3"}}', {}],
    ['by a name that follows', '{"a": 1, "value": "hunter2 hunter3", "name": "API_KEY"}', {}],
    ['by a name of the program', '{"a": 1, "pin": "hunter2 hunter3"}', { fields: ['pin'] }],
    ['in lines', '{\n "a": 1,\n "headers": {\n  "X-Mine": "hunter2 hunter3"\n }\n}', {}],
    ['by its value', '{"a": 1, "b": "x hunter2-hunter3 y"}', { values: ['hunter2-hunter3'] }],
  ])('hides a field of an input %s, also where it is cut off', (_how, text, redact) => {
    for (let end = 1; end <= text.length; end += 3)
      expect(stream(text.slice(0, end), size, { kind: 'input', redact }).shown).not.toMatch(/hunter[23]/);
  });

  it('leaves the rest of an input as it is', () => {
    const text = '{"file": "a b c", "token": "hunter2", "n": [1, 2]}';
    const { shown } = stream(text, size, { kind: 'input' });
    expect(shown).toContain('"n":[1,2]}');
    const plain = '{"file": "a b c ", "n": [1, 2] }';
    expect(stream(plain, size, { kind: 'input' }).shown).toBe(plain);
  });

  it('leaves what holds no secret as it is', () => {
    const text = `Plain words, ${'long'.repeat(1200)} ones, \u{1F600} and\n\nlines.\n`;
    const { shown, count } = stream(text, size);
    expect(shown).toBe(text);
    expect(count).toBe(Math.ceil(text.length / size));
  });
});

it('shows a plain text word by word, before its line ends', () => {
  expect(stream('One two three', 4).steps).toEqual(['One ', 'One two ', 'One two ', 'One two ']);
});

it('keeps the blocks of agents apart', () => {
  const told: string[] = [];
  const veil = new StreamVeil(createRedactor({}), ({ parent, text }) => told.push(`${parent}: ${text}`));
  const piece = { type: 'pieces', t: 0, index: 0, kind: 'text', count: 1 } as const;
  veil.add({ ...piece, parent: null, text: 'mine' });
  veil.add({ ...piece, parent: 'agent', text: 'its' });
  veil.end('agent');
  expect(told).toEqual(['agent: its']);
  veil.end(null);
  expect(told).toEqual(['agent: its', 'null: mine']);
});
