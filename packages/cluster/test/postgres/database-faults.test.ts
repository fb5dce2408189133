// What errors of PostgreSQL mean that a test cannot bring about: a queue of notifications of 8 GB that is full.
import { expect, it } from 'vitest';
import { describeFault } from '../../src/postgres/database-faults.js';

// As `pg` gives it: PostgreSQL finds it at the commit.
const FULL = { code: '54000', severity: 'ERROR', routine: 'PreCommit_Notify' };

it('says what to look at when the queue of notifications is full, and that it can be tried again', () => {
  const error = describeFault(Object.assign(new Error('too many notifications in the NOTIFY queue'), FULL));
  expect(error).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', retryable: true });
  expect(error.message).toContain('pg_notification_queue_usage()');
  expect(error.message).toContain('Nothing was changed');
});

it('does not take another limit for that: it would not be gone later', () => {
  const error = describeFault(
    Object.assign(new Error('out of memory'), { ...FULL, routine: 'enlargeStringInfo' }),
  );
  expect(error).toMatchObject({ code: 'JOURNAL_UNAVAILABLE', retryable: false });
  expect(error.message).toContain('refused a statement (SQLSTATE 54000)');
});
