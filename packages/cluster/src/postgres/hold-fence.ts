// Lets users write in their own transactions under the fence of a conversation.
import type { ClientBase } from 'pg';
import type { Fence } from '../journal/records.js';
import { describeFault } from './database-faults.js';
import { checkSchema, quoteName } from './journal-options.js';

/**
 * Ties your own transaction to a lease. Call it inside the transaction, on its client. Throws a LeaseLostError if the lease is
 * lost. Otherwise no other worker can take over the conversation before the transaction ends. Keep the transaction far shorter
 * than a lease: while it is open, the worker cannot renew the lease, and gives it up half a second before its end. The writes
 * of the transaction count nevertheless.
 */
export async function holdFence(
  client: Pick<ClientBase, 'query'>,
  fence: Fence,
  options: { schema?: string | undefined } = {},
): Promise<void> {
  const { schema = 'inboard' } = options;
  checkSchema(schema);
  try {
    await client.query(`select ${quoteName(schema)}.check_fence($1, $2)`, [fence.key, fence.epoch]);
  } catch (error) {
    throw describeFault(error, { fence });
  }
}
