// No engine's library is installed here: what a program is told that lacks it, too.
import { expect, it } from 'vitest';
import { createMemoryLedger } from '@inboard/durable/ledger/memory-ledger.js';
import { dbosTurns } from '../src/dbos/dbos-turns.js';
import { conversations } from '../src/restate/conversations.js';
import { loadActivityLibrary } from '../src/temporal/activity-library.js';

const options = { agents: { support: {} }, ledger: createMemoryLedger() };

it.each([
  ['DBOS', () => dbosTurns(options), 'npm install @dbos-inc/dbos-sdk'],
  ['Temporal', () => loadActivityLibrary(), 'npm install @temporalio/worker'],
  [
    'Restate',
    () => conversations(options),
    'withResolvers' in Promise ? 'npm install @restatedev/restate-sdk' : 'needs Node 22 or newer',
  ],
])('says how to install the library of %s', async (_name, load, advice) => {
  await expect(load()).rejects.toMatchObject({
    name: 'PartLoadError',
    message: expect.stringContaining(advice) as string,
  });
});
