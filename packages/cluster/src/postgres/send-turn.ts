// Stores a message in PostgreSQL: for a caller without a tenant in any conversation, for a caller with one only in its own.
import type { Database, Row, Run } from './database.js';
import { TURN_COLUMNS } from './rows.js';

/** How often to try in all, if others create and remove the conversation between two statements. */
const MOST_TRIES = 3;

/** A message, as the database function `enqueue_by` takes it. */
export interface StoredMessage {
  key: string;
  id: string;
  uuid: string;
  content: string;
  afterMs: number;
  trace: string | undefined;
  agent: string | undefined;
  data: string | undefined;
  tenant: string | undefined;
  sessionId: string;
  by: string | null;
}

/** Stores the message, and creates the conversation with the first one. */
export async function sendToAny(database: Database, message: StoredMessage): Promise<Row | undefined> {
  const send = `select ${TURN_COLUMNS} from ${database.schema}.enqueue_by($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) t`;
  const [row] = await database.query(send, readValues(message), { key: message.key });
  return row;
}

/**
 * Stores the message if the conversation belongs to the tenant. Creates it if `start` of the message names the same tenant.
 * Undefined otherwise, with nothing stored.
 */
export async function sendToOwn(
  database: Database,
  message: StoredMessage,
  tenant: string,
): Promise<Row | undefined> {
  const { schema } = database;
  const { key } = message;
  const send = `${lockOwn(schema, 12)} select ${TURN_COLUMNS} from own
    cross join lateral ${schema}.enqueue_by(own.key, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) t`;
  const values = [...readValues(message), tenant];
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const [row] = await database.query(send, values, { key });
    if (row || message.agent === undefined || message.tenant !== tenant) return row;
    // Of two tenants that create it at the same moment, one waits here for the other.
    const create = async (run: Run): Promise<Row | undefined> =>
      (await createConversation(run, schema, message)) ? (await run(send, values))[0] : undefined;
    const created = await database.transaction('begin', create);
    if (created) return created;
    const [other] = await database.query(`select tenant from ${schema}.conversations where key = $1`, [key]);
    if (other && other['tenant'] !== tenant) return undefined;
  }
  return undefined;
}

/**
 * Selects and locks the conversation of a tenant by its key. The functions take the key from this row. So they run after the
 * row is locked, and only if it exists. Until the statement ends, nobody can remove the conversation and create it again for
 * another tenant.
 */
export function lockOwn(schema: string, tenantAt: number): string {
  return `with own as materialized (
    select c.key from ${schema}.conversations c where c.key = $1 and c.tenant = $${tenantAt} for no key update)`;
}

/** False if there is a conversation under the key. */
async function createConversation(
  run: Run,
  schema: string,
  { key, agent, data, tenant, sessionId }: StoredMessage,
): Promise<boolean> {
  const rows = await run(
    `insert into ${schema}.conversations (key, agent, data, tenant, session_id) values ($1, $2, $3, $4, $5)
    on conflict (key) do nothing returning key`,
    [key, agent, data, tenant, sessionId],
  );
  return rows.length > 0;
}

function readValues(message: StoredMessage): unknown[] {
  const { key, id, uuid, content, afterMs, trace, agent, data, tenant, sessionId, by } = message;
  return [key, id, uuid, content, afterMs, trace, agent, data, tenant, sessionId, by];
}
