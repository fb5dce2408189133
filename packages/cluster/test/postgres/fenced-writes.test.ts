// Writes of one lease: together in one statement, in order, and each with its own error.
import { describe, expect, it } from 'vitest';
import { setImmediate as nextLoop } from 'node:timers/promises';
import type { Database, Row } from '../../src/postgres/database.js';
import { FencedWrites, writeStatement } from '../../src/postgres/fenced-writes.js';
import { ClusterError, LeaseLostError } from '@inboard/core/errors.js';

const FENCE = { key: 'chat', epoch: 7, owner: 'w' };

/** A database that notes what it is asked, and answers when it is told to. */
function start(answer: (text: string) => Promise<Row> = async () => ({})) {
  const asked: string[] = [];
  const database = {
    schema: 's',
    query: async (text: string): Promise<Row[]> => {
      asked.push([...text.matchAll(/s\.(\w+)\(/g)].map(([, name]) => name).join(' '));
      return [await answer(text)];
    },
  } as unknown as Database;
  const writes = new FencedWrites(database);
  const write = (name: string, values: readonly unknown[] = []): Promise<Row> =>
    writes.write(FENCE, { name, values: [FENCE.key, FENCE.epoch, ...values] });
  return { asked, writes, write };
}

/** Until all that is gathered is sent. */
async function settle(): Promise<void> {
  for (let loops = 0; loops < 4; loops += 1) await nextLoop();
}

describe('the statement', () => {
  it('makes each write depend on the one before, and gives the columns of each', () => {
    const { text, values } = writeStatement('"x"', [
      { name: 'publish', values: ['k', 1, ['a']] },
      { name: 'begin', values: ['k', 1], columns: ['begun', 'result'] },
    ]);
    expect(text).toBe(
      'with w0 as materialized (select "x".publish($1, $2, $3) as r), ' +
        'w1 as materialized (select "x".begin($4, $5) as r from w0) ' +
        'select w0.r as w0_given, (w1.r).begun as w1_begun, (w1.r).result as w1_result from w0, w1',
    );
    expect(values).toEqual(['k', 1, ['a'], 'k', 1]);
  });
});

describe('writes of one lease', () => {
  it('that come together are one statement, also from the turn of the event loop behind', async () => {
    const { asked, write } = start(async () => ({ w0_given: 1, w1_given: 2, w2_given: 3 }));
    const first = [write('append'), write('begin')];
    const third = nextLoop().then(() => write('publish'));
    expect(await Promise.all([...first, third])).toEqual([{ given: 1 }, { given: 2 }, { given: 3 }]);
    expect(asked).toEqual(['append begin publish']);
  });

  it('that come while one is on its way go together behind it', async () => {
    const release: Array<() => void> = [];
    const { asked, write } = start(async () => {
      await new Promise<void>((resolve) => release.push(resolve));
      return {};
    });
    const one = write('one');
    await settle();
    const rest = [write('two'), write('three')];
    await settle();
    expect(asked).toEqual(['one']);
    release.shift()?.();
    await one;
    const four = write('four');
    await settle();
    expect(asked).toEqual(['one', 'two three four']);
    release.shift()?.();
    await Promise.all([...rest, four]);
  });

  it('do not wait for one that hangs', async () => {
    let isFirst = true;
    const { asked, write } = start(() => {
      const hangs = isFirst;
      isFirst = false;
      return hangs ? new Promise<Row>(() => {}) : Promise.resolve({});
    });
    void write('hangs');
    await settle();
    await write('goes_on');
    expect(asked).toEqual(['hangs', 'goes_on']);
  });

  it('of other leases are not theirs', async () => {
    const { asked, writes, write } = start();
    const other = { ...FENCE, epoch: 8 };
    await Promise.all([write('one'), writes.write(other, { name: 'two', values: [] })]);
    expect(asked).toEqual(['one', 'two']);
  });

  it('are no more than half a million characters in one statement, and come in order', async () => {
    const { asked, write } = start();
    const large = 'x'.repeat(300 * 1024);
    await Promise.all([write('a', [large]), write('b', [[large]]), write('c'), write('d', [large])]);
    expect(asked).toEqual(['a', 'b c', 'd']);
  });
});

describe('a refused write', () => {
  it('among others is refused alone', async () => {
    const unknown = new ClusterError('TURN_UNKNOWN', 'no such turn');
    const { asked, write } = start(async (text) => {
      if (text.includes('bad')) throw unknown;
      return {};
    });
    const settled = await Promise.allSettled([write('good'), write('bad'), write('fine')]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(settled[1]).toMatchObject({ reason: unknown });
    expect(asked).toEqual(['good bad fine', 'good', 'bad', 'fine']);
  });

  it.each([
    ['a lost lease', new LeaseLostError(FENCE, { reason: 'taken' })],
    ['a database that is away', new ClusterError('JOURNAL_UNAVAILABLE', 'away', { retryable: true })],
    ['a closed journal', new ClusterError('CLUSTER_CLOSED', 'closed')],
  ])('because of %s refuses all of them, and nothing is sent again', async (_, error) => {
    const { asked, write } = start(() => Promise.reject(error));
    const settled = await Promise.allSettled([write('one'), write('two')]);
    expect(settled).toMatchObject([{ reason: error }, { reason: error }]);
    expect(asked).toEqual(['one two']);
  });
});
