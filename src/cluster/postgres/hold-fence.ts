// What others write in transactions of their own, under the fence of a conversation.
import type { ClientBase } from 'pg';
import type { Fence } from '../journal/records.js';
import { describeFault } from './database-faults.js';
import { checkSchema, quoteName } from './journal-options.js';

/**
 * Makes a transaction of yours count only while a lease does: call it inside the transaction, on its client. Throws a
 * LeaseLostError when the lease is lost; else nobody can take the conversation over before the transaction ends. Keep it far
 * shorter than a lease: while it is open the worker can renew none of its leases, of other conversations neither.
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
