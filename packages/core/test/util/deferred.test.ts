import { describe, expect, it } from 'vitest';
import { createDeferred } from '../../src/util/deferred.js';

describe('createDeferred', () => {
  it('resolves from outside, once', async () => {
    const deferred = createDeferred<number>();
    deferred.resolve(1);
    deferred.resolve(2);
    deferred.reject(new Error('late'));
    await expect(deferred.promise).resolves.toBe(1);
  });

  it('rejects from outside', async () => {
    const deferred = createDeferred<number>();
    deferred.reject(new Error('no'));
    await expect(deferred.promise).rejects.toThrow('no');
  });
});
