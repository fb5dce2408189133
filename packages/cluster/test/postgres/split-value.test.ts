// Large values are split so that what is the same is recognized, whatever stands around it.
import { describe, expect, it } from 'vitest';
import { PART_CHARACTERS, splitValue, type StoredContent } from '../../src/postgres/contents/split-value.js';

const LONG = 'order 17, "paid" €\n'.repeat(100_000);
const ROWS = Array.from({ length: 20_000 }, (_, id) => ({ id, note: 'paid' }));
const MIXED = Array.from({ length: 40 }, (_, at) => ({ text: 'x'.repeat(at * 3000) }));

function join(contents: readonly StoredContent[]): string {
  const byDigest = new Map(contents.map((content) => [content.digest, content]));
  const write = (content: StoredContent | undefined): string =>
    content?.parts.map(({ text, inner }) => text ?? write(byDigest.get(inner ?? ''))).join('') ?? 'missing';
  return write(contents.at(-1));
}

const digestsOf = (contents: readonly StoredContent[]): string[] => contents.map(({ digest }) => digest);

describe('a large value', () => {
  it.each([
    ['a text', LONG],
    ['rows', ROWS],
    ['texts of many lengths', MIXED],
    ['the same twice', { one: LONG, two: LONG, three: [LONG] }],
    ['what is short', { a: 1 }],
  ])('that is %s is the same when it is put together', async (_name, value) => {
    const contents = await splitValue(value);
    expect(join(contents)).toBe(JSON.stringify(value));
    expect(contents.at(-1)?.characters).toBe(JSON.stringify(value).length);
    for (const { parts } of contents)
      for (const { text } of parts) expect(text?.length ?? 0).toBeLessThan(2 * PART_CHARACTERS);
    expect(new Set(digestsOf(contents)).size).toBe(contents.length);
    // Each comes after those that stand in it.
    const seen = new Set<string>();
    for (const { digest, parts } of contents) {
      for (const { inner } of parts) if (inner !== null) expect(seen).toContain(inner);
      seen.add(digest);
    }
  });

  it.each([
    ['a text', LONG],
    ['rows', ROWS],
    ['texts of many lengths', MIXED],
  ])('that is %s has the same parts in a result, a message and a transcript', async (_name, value) => {
    const result = await splitValue({ content: [], structuredContent: { value } });
    const message = await splitValue({
      type: 'user',
      uuid: 'u',
      tool_use_result: { structuredContent: { value } },
    });
    const entry = await splitValue({
      parentUuid: 'p',
      toolUseResult: { structuredContent: { value } },
      cwd: '/',
    });
    const known = new Set(digestsOf(result));
    for (const other of [message, entry]) {
      const added = other.filter(({ digest }) => !known.has(digest));
      const characters = added.flatMap(({ parts }) => parts.map(({ text }) => text?.length ?? 0));
      expect(characters.reduce((sum, count) => sum + count, 0)).toBeLessThan(200);
    }
  });

  it('has another digest when anything in it is another', async () => {
    const first = (await splitValue([LONG])).at(-1)?.digest;
    expect((await splitValue([`${LONG}x`])).at(-1)?.digest).not.toBe(first);
    expect((await splitValue({ 0: LONG })).at(-1)?.digest).not.toBe(first);
    expect((await splitValue([LONG])).at(-1)?.digest).toBe(first);
  });
});
