// Defines and checks the options of an approval queue. Every argument that would be ignored is refused. Otherwise a store
// that is passed in the wrong place would leave the queue in memory, where no other process can answer.
import { InvalidOptionsError } from '../../../errors.js';
import { isRecord, isThenable } from '../../../util/guards.js';
import { checkShape, inWords, notNegative } from '../../../util/option-shapes.js';
import { checkOptionsObject, nameKind, type ObjectTaker } from '../../../util/options-object.js';
import type { ApprovalStore } from './approval.js';

/** How approvals are kept. */
export interface ApprovalsOptions {
  /** The store for questions and answers. Default: in memory, for this process alone. */
  store?: ApprovalStore | undefined;
  /** Milliseconds after which an answered question is forgotten. Default: seven days. */
  keepAnsweredMs?: number | undefined;
}

const CALL: ObjectTaker = {
  of: 'createApprovals()',
  example: 'createApprovals({ store: createFileApprovalStore(folder) })',
  known: ['store', 'keepAnsweredMs'],
};

const METHODS = [
  'put',
  'answer',
  'get',
  'list',
  'remove',
  'watch',
] as const satisfies readonly (keyof ApprovalStore)[];

/** Throws an InvalidOptionsError for arguments that are not valid options. */
export function checkApprovalsOptions(options: unknown, others: readonly unknown[]): void {
  if (isRecord(options) && (isThenable(options) || typeof options['put'] === 'function'))
    throw new InvalidOptionsError(
      ['store'],
      isThenable(options)
        ? `createApprovals() got a promise. Await it, and pass what it gives: ${CALL.example}`
        : `createApprovals() takes the store in an object, not by itself: ${CALL.example}`,
    );
  checkOptionsObject(options, others, CALL);
  const { store, keepAnsweredMs } = options as Record<string, unknown>;
  if (store !== undefined) checkStore(store);
  checkShape('keepAnsweredMs', keepAnsweredMs, inWords('a number of milliseconds, 0 or more', notNegative), {
    called: '"keepAnsweredMs" of createApprovals()',
  });
}

function checkStore(store: unknown): void {
  const fail = (problem: string): never => {
    throw new InvalidOptionsError(['store'], `"store" of createApprovals() ${problem}: ${CALL.example}`);
  };
  if (!isRecord(store)) return fail(`must be a store, not ${nameKind(store)}`);
  if (isThenable(store)) return fail('is a promise. Await it, or pass a store itself');
  const missing = METHODS.filter((method) => typeof store[method] !== 'function');
  if (missing.length > 0)
    fail(
      `must be a store, but has no method ${missing.map((method) => `"${method}"`).join(', ')}. Write for instance`,
    );
}
