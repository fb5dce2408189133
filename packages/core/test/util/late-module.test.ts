import { describe, expect, it } from 'vitest';
import { LateModule } from '../../src/util/late-module.js';

describe('LateModule', () => {
  it('is not loaded before it is used, and once for all uses', async () => {
    let loads = 0;
    const late = new LateModule(async () => ({ number: ++loads }));
    expect({ loads, loaded: late.loaded }).toEqual({ loads: 0, loaded: undefined });
    const first = late.use(({ number }) => number);
    const second = late.use(({ number }) => number);
    expect([await first, await second]).toEqual([1, 1]);
    expect(late.loaded).toEqual({ number: 1 });
  });

  it('runs what waits in order, and what comes later at once', async () => {
    const late = new LateModule(async () => ({}));
    const order: string[] = [];
    const first = late.use(() => order.push('first'));
    const second = late.use(() => order.push('second'));
    expect(order).toEqual([]);
    await first;
    await second;
    expect(late.use(() => order.push('third'))).toBe(3);
    expect(order).toEqual(['first', 'second', 'third']);
  });

  it('rejects each use where it cannot be loaded, and tries again the next time', async () => {
    let tries = 0;
    const late = new LateModule(async () => {
      tries += 1;
      if (tries === 1) throw new Error('the file is gone');
      return 'there';
    });
    const use = async () => await late.use(String);
    const uses = await Promise.allSettled([use(), use()]);
    expect(uses.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await late.use(String)).toBe('there');
    expect(tries).toBe(2);
  });
});
