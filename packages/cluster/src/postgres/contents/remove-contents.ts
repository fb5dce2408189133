// Removes contents that nothing refers to, a few at a time. Each statement locks the conversation. Between two statements, its
// worker can renew the lease.
import type { Database } from '../database.js';

/**
 * Looks at the given contents of a conversation. Removes those that nothing refers to, and the contents inside them. Contents
 * that were written after `before` stay.
 */
export async function removeContents(
  database: Database,
  conversation: number,
  contents: readonly number[],
  before: unknown,
): Promise<void> {
  for (let left: readonly number[] = contents; left.length > 0;) {
    const [row] = await database.query(
      `select to_json(${database.schema}.remove_contents($1, $2, $3::timestamptz))::text as left`,
      [conversation, left, before],
    );
    left = JSON.parse((row?.['left'] ?? '[]') as string) as number[];
  }
}
