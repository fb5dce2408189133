// Which server a connection means, what BullMQ is told so that every call ends, and what is said of packages that are missing.
import { describe, expect, it } from 'vitest';
import { explainClientFailure } from '../../src/bullmq/bullmq-library.js';
import { readBullmqOptions } from '../../src/bullmq/bullmq-options.js';

describe('readBullmqOptions', () => {
  it.each([
    ['redis://h:1', 'redis'],
    ['rediss://h:1', 'redis'],
    ['postgres://h:1/d', 'postgres'],
    ['postgresql://h:1/d', 'postgres'],
    [{ host: 'h' }, 'redis'],
    [{ connectionString: 'postgres://h/d' }, 'postgres'],
    [{ connect: () => {}, query: () => {}, end: () => {} }, 'postgres'],
    [{ connect: () => {}, disconnect: () => {}, duplicate: () => {} }, 'redis'],
  ])('takes %j for %s', (connection, server) => {
    expect(readBullmqOptions({ connection }).server).toBe(server);
  });

  it('takes the word of the caller where an object shows nothing', () => {
    expect(readBullmqOptions({ connection: { host: 'h' }, server: 'postgres' }).forQueue).toMatchObject({
      host: 'h',
      schema: 'inboard_wakes',
      migrate: true,
    });
  });

  it('lets no command to Redis wait for ever, except those of a worker, which BullMQ wants so', () => {
    const { forQueue, forWorker } = readBullmqOptions({ connection: 'redis://h:1' });
    expect(forQueue).toMatchObject({ url: 'redis://h:1', maxRetriesPerRequest: 1 });
    expect(forWorker).toMatchObject({ maxRetriesPerRequest: null });
    const { retryStrategy } = forWorker as { retryStrategy: (attempt: number) => number };
    expect([1, 2, 5, 1_000].map(retryStrategy)).toEqual([200, 400, 2_000, 2_000]);
  });

  it('leaves a client as it is', () => {
    const client = { connect: () => {}, disconnect: () => {}, duplicate: () => {} };
    expect(readBullmqOptions({ connection: client })).toMatchObject({ forQueue: client, forWorker: client });
  });

  it.each([
    [{ connection: undefined as never }, 'connection'],
    [{ connection: 'http://h' }, 'connection'],
    [{ connection: 'redis://h', queue: 'a:b' }, 'queue'],
    [{ connection: 'redis://h', queue: '' }, 'queue'],
    [{ connection: 'redis://h', queue: 7 as never }, 'queue'],
    [{ connection: 'redis://h', wakeTimeoutMs: Number.NaN }, 'wakeTimeoutMs'],
  ])('refuses %j, and names the option', (options, name) => {
    expect(() => readBullmqOptions(options)).toThrow(expect.objectContaining({ options: [name] }) as Error);
  });

  it('does not repeat an address, which may hold a password, where it refuses one', () => {
    const refuse = (): unknown => readBullmqOptions({ connection: 'http://me:secret@h' });
    expect(refuse).toThrow(/must be an address/);
    expect(refuse).not.toThrow(/secret/);
  });
});

describe('explainClientFailure', () => {
  it('names the package that BullMQ does not find, and how to install it', () => {
    const told = new Error("BullMQ could not load the optional 'ioredis' package. Install it somehow.");
    expect(explainClientFailure('redis', told)).toMatchObject({
      code: 'CLUSTER_LIBRARY_MISSING',
      message: expect.stringContaining('npm install bullmq@^6.7.0 ioredis@^6.0.0') as string,
      cause: told,
    });
  });

  it('leaves everything else alone', () => {
    const other = new Error('connect ECONNREFUSED');
    expect(explainClientFailure('postgres', other)).toBe(other);
  });
});
