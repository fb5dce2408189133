// The search in whole lines: it reads part by part, asks for the whole events that were cut, and stops when it is not wanted.
import { describe, expect, it } from 'vitest';
import type { PageSource } from '../../src/page/page-source.js';
import { searchLines } from '../../src/page/views/wire/search-lines.js';

function makeSource(count: number): { source: PageSource; reads: number[]; wholes: number[] } {
  const reads: number[] = [];
  const wholes: number[] = [];
  const lineAt = (n: number): string =>
    n % 1000 === 0
      ? `{"n":${n},"s":"s","isCut":true,"type":"frame","t":1,"dir":"in","frame":{"text":"short… (9 more characters)"}}`
      : `{"n":${n},"s":"s","type":"frame","t":1,"dir":"in","frame":{"text":"line \\"${n}\\""}}`;
  const source = {
    read: async (_session: string, after: number, limit: number) => {
      reads.push(after);
      const last = Math.min(count, after + limit);
      const lines = Array.from({ length: last - after }, (_, index) => lineAt(after + index + 1));
      return { lines, next: last < count ? last : undefined, total: count };
    },
    readWhole: async (_session: string, n: number) => {
      wholes.push(n);
      return `{"text":"short and then the NEEDLE of ${n}"}`;
    },
  } as unknown as PageSource;
  return { source, reads, wholes };
}

describe('the search of whole lines', () => {
  it('finds a text as it is written in JSON, and in what was cut', async () => {
    const { source, reads, wholes } = makeSource(5000);
    const parts: number[] = [];
    let all: number[] = [];
    const onProgress = (found: ReadonlySet<number>, part: number): void => {
      parts.push(part);
      all = [...found];
    };
    await searchLines({ source, session: 's', text: 'line "499', isOver: () => false, onProgress });
    expect(all).toEqual([499, ...Array.from({ length: 10 }, (_, index) => 4990 + index)]);
    expect(reads).toEqual([0, 2000, 4000]);
    expect(parts).toEqual([0.4, 0.8, 1]);
    await searchLines({ source, session: 's', text: 'needle', isOver: () => false, onProgress });
    expect(all).toEqual([1000, 2000, 3000, 4000, 5000]);
    expect(wholes).toEqual([1000, 2000, 3000, 4000, 5000, 1000, 2000, 3000, 4000, 5000]);
  });

  it('stops, and tells nothing more, when nobody waits', async () => {
    const { source, reads } = makeSource(5000);
    let told = 0;
    const onProgress = (): void => {
      told += 1;
    };
    await searchLines({ source, session: 's', text: 'line', isOver: () => told > 0, onProgress });
    expect(told).toBe(1);
    expect(reads).toEqual([0]);
  });

  it('fails where the source does', async () => {
    const source = { read: () => Promise.reject(new Error('gone')) } as unknown as PageSource;
    const search = searchLines({
      source,
      session: 's',
      text: 'x',
      isOver: () => false,
      onProgress: () => {},
    });
    await expect(search).rejects.toThrow('gone');
  });
});
