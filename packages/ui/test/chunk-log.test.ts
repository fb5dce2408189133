// The log of an answer: readers anywhere in it get the same text, and memory does not grow with it.
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LogFolder } from '@inboard/core/wire/process/log-folder.js';
import { ChunkLog, LOG_START, type LogPlace } from '../src/chat/chunk-log.js';
import type { UiChunk } from '@inboard/inboard/ui.js';
import { propertyOptions } from '../../../test/support/seed.js';

function createLog(): ChunkLog {
  const folder = new LogFolder('chat');
  onTestFinished(() => folder.close());
  return new ChunkLog(folder, 'log', (cause) => {
    throw cause;
  });
}

/** All that follows a place, with the pieces of a part joined. */
async function readOn(log: ChunkLog, from: LogPlace): Promise<{ text: string; place: LogPlace }> {
  let place = from;
  let text = '';
  for (;;) {
    const read = await log.read(place);
    if (!read) throw new Error('lost');
    if (read.chunks.length === 0) return { text, place: read.place };
    for (const json of read.chunks) {
      const chunk = JSON.parse(json) as UiChunk;
      text += chunk.type === 'text-delta' ? chunk.delta : `<${chunk.type}>`;
    }
    place = read.place;
  }
}

describe('the log of an answer', () => {
  it('gives readers that come and go at any time the same', async () => {
    const step = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          delta: fc.string({ minLength: 1, maxLength: 3000 }),
          id: fc.constantFrom('a', 'b'),
        }),
      },
      { weight: 1, arbitrary: fc.constant('other' as const) },
      { weight: 2, arbitrary: fc.nat(2) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const folder = new LogFolder('chat');
        const log = new ChunkLog(folder, 'log', () => {});
        const readers = [0, 1, 2].map(() => ({ text: '', place: LOG_START }));
        let all = '';
        const look = async (reader: (typeof readers)[number] | undefined): Promise<void> => {
          if (!reader) return;
          const read = await readOn(log, reader.place);
          reader.text += read.text;
          reader.place = read.place;
        };
        for (const each of steps) {
          if (typeof each === 'number') await look(readers[each]);
          else if (each === 'other') {
            all += '<start-step>';
            log.append({ type: 'start-step' });
          } else {
            all += each.delta;
            log.append({ type: 'text-delta', ...each });
          }
        }
        log.end();
        for (const reader of readers) await look(reader);
        expect(readers.map(({ text }) => text)).toEqual([all, all, all]);
        log.remove();
        folder.close();
      }),
      propertyOptions(60),
    );
  });

  it('keeps little in memory of an answer that nobody reads, and all of it', async () => {
    const log = createLog();
    const piece = 'x'.repeat(1000);
    for (let count = 0; count < 20_000; count += 1) log.append({ type: 'text-delta', id: 'a', delta: piece });
    expect(log.restingCharacters).toBeLessThan(512 * 1024);
    const { text } = await readOn(log, LOG_START);
    expect(text).toHaveLength(20_000_000);
    log.remove();
  });

  it('gives pieces one by one to a reader that keeps up, and joined to one that does not', async () => {
    const log = createLog();
    const delta = (text: string): UiChunk => ({ type: 'text-delta', id: 'a', delta: text });
    log.append(delta('one '));
    const first = await log.read(LOG_START);
    log.append(delta('two '));
    const { change } = log;
    const second = await log.read(first?.place ?? LOG_START);
    expect([first?.chunks, second?.chunks].map((chunks) => chunks?.map((json) => JSON.parse(json)))).toEqual([
      [delta('one ')],
      [delta('two ')],
    ]);
    log.append({ type: 'text-end', id: 'a' });
    await change;
    const late = await log.read(LOG_START);
    expect(late?.chunks.map((json) => JSON.parse(json))).toEqual([
      delta('one two '),
      { type: 'text-end', id: 'a' },
    ]);
  });
});
