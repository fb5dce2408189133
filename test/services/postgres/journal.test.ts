// The journal in PostgreSQL does what every journal must do: with two handles, as two processes would have, and under a role
// that may work with its tables and not change them.
import { beforeAll, describe, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { describeJournal } from '../../../packages/testing/src/conformance/journal/journal-conformance.js';
import { describeSessionStore } from '../../../packages/testing/src/conformance/session-store-conformance.js';
import { createWorkerRole, nameSchema, openJournal } from '../support/journals.js';

const schema = nameSchema('conformance');
let connectionString: string;
beforeAll(async () => {
  connectionString = (await createWorkerRole(schema)).url;
});
const open = (): ReturnType<typeof openJournal> => openJournal({ connectionString, schema, migrate: false });

describeJournal('postgresJournal', () => ({ journal: open(), open: () => Promise.resolve(open()) }), {
  describe,
  it,
});

describeSessionStore(
  'transcripts of postgresJournal',
  async () => {
    const journal = open();
    const key = randomUUID();
    await journal.enqueue({ key, id: 'first', content: 'hi', start: { agent: 'test', data: null } });
    const lease = await journal.lease(key, { owner: 'test', ms: 60_000 });
    if (lease.state !== 'granted') throw new Error(`The lease is ${lease.state}`);
    return journal.store(lease.fence);
  },
  { describe, it, methods: ['delete', 'listSessions', 'listSubkeys'] },
);
