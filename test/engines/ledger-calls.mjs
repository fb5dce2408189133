// Completes pending calls in a ledger, as a process that runs no agents does.
import { createCalls } from 'inboard';
import { createPostgresLedger } from 'inboard/durable/postgres';

export function openCalls(database) {
  const ledger = createPostgresLedger(database);
  const calls = createCalls({ sessionStore: ledger.store(), projectKey: 'inboard-durable' });
  return {
    complete: (callKey, result) => calls.complete(callKey, result),
    close: () => ledger.close(),
  };
}
