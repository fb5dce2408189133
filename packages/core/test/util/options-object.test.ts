// What a factory says where JavaScript would let it ignore something.
import { describe, expect, it } from 'vitest';
import { bullmqDispatcher } from '@inboard/inboard/cluster-bullmq.js';
import { createCluster } from '@inboard/inboard/cluster.js';
import { grantSql, migrationSql, postgresJournal } from '@inboard/inboard/cluster-postgres.js';
import { connectCli, serveCli, serveLink } from '@inboard/inboard/remote.js';

type Call = (...given: unknown[]) => unknown;

const URL = 'postgres://nobody@127.0.0.1/none';
const token = 'a-token-for-this-test';
const agents = { support: () => ({}) };

describe('a factory', () => {
  it.each<[string, Call, unknown[], string[], RegExp]>([
    [
      'a second argument',
      postgresJournal as Call,
      [URL, { schema: 'a' }],
      ['schema'],
      /Pass everything in one object: postgresJournal\(\{ connectionString/,
    ],
    [
      'a misspelt option',
      postgresJournal as Call,
      [{ connectionstring: URL }],
      ['connectionstring'],
      /Did you mean "connectionString"/,
    ],
    [
      'a pool in place of options',
      postgresJournal as Call,
      [{ connect: () => {} }],
      ['pool'],
      /postgresJournal\(\{ pool \}\)/,
    ],
    ['null', postgresJournal as Call, [null], [], /takes an object, not null/],
    ['a name in place of options', migrationSql as Call, ['a'], [], /not a string: migrationSql\(\{ schema/],
    ['a name in place of options', grantSql as Call, ['worker'], [], /not a string: grantSql\(\{ role/],
    [
      'an address in place of options',
      bullmqDispatcher as Call,
      ['redis://x'],
      [],
      /not a string: bullmqDispatcher\(\{ connection/,
    ],
    [
      'a second argument',
      bullmqDispatcher as Call,
      ['redis://x', { queue: 'a' }],
      ['queue'],
      /Pass everything in one object/,
    ],
    [
      'a misspelt option',
      bullmqDispatcher as Call,
      [{ connection: 'redis://x', que: 'a' }],
      ['que'],
      /no option "que"/,
    ],
    [
      'a second argument',
      createCluster as Call,
      [{ agents }, { journal: {} }],
      ['journal'],
      /Pass everything in one object: createCluster\(/,
    ],
    ['a port in place of options', connectCli as Call, [7400], [], /not a number: connectCli\(\{/],
    [
      'a second argument',
      connectCli as Call,
      [{ port: 7400 }, { token }],
      ['token'],
      /Pass everything in one object/,
    ],
    [
      'a misspelt option',
      connectCli as Call,
      [{ port: 7400, tokn: token }],
      ['tokn'],
      /Did you mean "token"/,
    ],
  ])('refuses %s', (_, call, given, options, message) => {
    const make = (): unknown => call(...given);
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ name: 'InvalidOptionsError', options }));
  });

  it.each<[string, Call, unknown[], RegExp]>([
    ['a port in place of options', serveCli as Call, [7400], /not a number: serveCli\(\{ listen/],
    ['no "listen"', serveCli as Call, [{ port: 7400, token }], /serveCli\(\) has no option "port"/],
    [
      'a number for "listen"',
      serveCli as Call,
      [{ listen: 7400, token }],
      /"listen" of serveCli\(\) takes an object/,
    ],
    ['a second argument', serveCli as Call, [{ listen: {} }, { token }], /Pass everything in one object/],
    [
      'a lock that is misspelt',
      serveCli as Call,
      [{ listen: {}, token, clientCertificate: true }],
      /Did you mean "clientCertificates"/,
    ],
    ['no options', serveLink as Call, [{}], /takes an object, not undefined: serveLink\(duplex/],
  ])('that is asynchronous rejects %s', async (_, call, given, message) => {
    await expect(call(...given)).rejects.toThrow(message);
  });

  it('may be given to map, which adds a number', async () => {
    for (const journal of [URL].map(postgresJournal)) await journal.close();
  });
});
