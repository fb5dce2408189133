// What the page keeps of a program's events, and what it answers from that when the program has ended.
import { describe, expect, it } from 'vitest';
import { keepWhatIsRead } from '../../src/page/source/keeping-source.js';
import { KeptLines } from '../../src/page/source/kept-lines.js';
import { numberLine, numberOf } from '../../src/stream/event-codec.js';
import type { PageListener } from '../../src/page/page-source.js';
import { ManualSource, UNREACHABLE } from '../support/page-store.js';

const line = (n: number): string => numberLine(n, 'a', '{"type":"warning","t":1,"code":"X","message":"x"}');
const lines = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => line(from + index));

describe('kept lines', () => {
  it('are all of a session that is not too long, each once', () => {
    const kept = new KeptLines({ events: 10, characters: 10_000 });
    kept.push('a', lines(1, 4));
    kept.push('a', lines(1, 5));
    expect(kept.of('a')).toMatchObject({ beginning: lines(1, 5), end: [], missing: 0 });
    expect(kept.of('b')).toBeUndefined();
  });

  it.each([
    ['events', { events: 10, characters: 1_000_000 }],
    ['characters', { events: 1000, characters: line(100).length * 10 }],
  ])('are the beginning and the end of a session with too many %s', (_, limits) => {
    const kept = new KeptLines(limits);
    for (let n = 100; n < 150; n += 1) kept.push('a', [line(n)]);
    const { beginning = [], end = [], missing } = kept.of('a') ?? {};
    expect([beginning, end].map((part) => part.map(numberOf))).toEqual([
      [100, 101, 102, 103, 104],
      [145, 146, 147, 148, 149],
    ]);
    expect(missing).toBe(40);
    expect(kept.after('a', 103)?.map(numberOf)).toEqual([104, 145, 146, 147, 148, 149]);
  });
});

describe('a source that keeps what is read', () => {
  const listen = (heard: string[]): PageListener =>
    new Proxy({} as PageListener, { get: (_, name) => () => heard.push(String(name)) });

  it('answers from it once the program is gone, and only then', async () => {
    const source = new ManualSource();
    source.add('a', 3);
    const keeping = keepWhatIsRead(source, () => true);
    await keeping.read('a', 0, 10);
    const heard: string[] = [];
    keeping.follow({ session: 'a', after: 3 }, listen(heard));
    source.open.listener.event(line(4));
    source.failures = [UNREACHABLE()];
    await expect(keeping.read('a', 0, 10)).rejects.toThrow('does not answer');

    source.open.listener.connection('gone');
    source.failures = [UNREACHABLE(), UNREACHABLE()];
    const { lines: read, next } = await keeping.read('a', 1, 10);
    expect([read.map(numberOf), next]).toEqual([[2, 3, 4], undefined]);
    // What was never read is not made up.
    await expect(keeping.read('b', 0, 10)).rejects.toThrow('does not answer');
    expect(heard).toEqual(['event', 'connection']);
  });

  it('keeps nothing of recordings, whose files stay', async () => {
    const source = new ManualSource();
    source.add('a', 3);
    const keeping = keepWhatIsRead(source, () => false);
    await keeping.read('a', 0, 10);
    expect(keeping.kept?.of('a')).toBeUndefined();
  });
});
