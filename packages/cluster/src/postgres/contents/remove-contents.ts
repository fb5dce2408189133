// Removes contents that nothing refers to, some at a time: each statement has the conversation locked, and its lease has to be renewed
// in between.
import type { Database } from '../database.js';

/**
 * Of these contents of a conversation, removes those that nothing refers to, and what stood in them. `before` is when they were
 * written at the latest.
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
