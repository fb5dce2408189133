// Removes everything that belongs to a conversation or a tenant: first from the journal, then from this machine's disk. Reports
// what it cannot reach.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { deleteSessionData } from '@inboard/core/lifetime/delete-session-data.js';
import type { DeletedSessionData } from '@inboard/core/lifetime/session-data.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { sleep } from '@inboard/core/util/timers.js';
import { checkMethodOptions } from './check-options.js';
import type { ForgetChoice, ForgottenData } from './cluster.js';
import type { ClusterCore } from './cluster-core.js';
import type { Caller } from './journal/filters.js';
import { checkBy, checkKey, checkName } from './journal/check-names.js';
import type { Journal } from './journal/journal.js';
import type { ConversationRecord } from './journal/records.js';

const PAGE = 100;
/**
 * A worker on this machine that had a conversation ends its CLI when the journal refuses its lease. This is how often to look
 * whether the CLI has ended.
 */
const LOCAL_TRIES = 10;
const LOCAL_PAUSE_MS = 300;
/** The most passes over a tenant's conversations. The tenant may create new ones during each pass. */
const MOST_ROUNDS = 5;

/** Removes the data, and may be called again. `own` names the workers that use the same disk as this process. */
export async function forget(
  core: ClusterCore,
  choice: ForgetChoice,
  own: ReadonlySet<string>,
): Promise<ForgottenData> {
  const { conversation, tenant, local: places, by } = readChoice(choice);
  const journal = await core.journal();
  const caller: Caller = { by };
  const found: Found = { conversations: [], sessionIds: [], workers: new Set(), left: [] };
  if (conversation !== undefined) {
    const record = await journal.conversation(conversation);
    if (record) await removeOne(journal, record, found, caller);
    // Retention may have removed it, and left its entries in the audit.
    else if (await journal.remove(conversation, caller)) found.conversations.push(conversation);
  } else if (tenant !== undefined) {
    await removeTenant(journal, tenant, found, caller);
    await removeName(journal, tenant, found, caller);
  }
  for (const name of own) found.workers.delete(name);
  const local = await deleteLocally(found.sessionIds, places);
  const { conversations, sessionIds, left } = found;
  for (const item of local.kept) left.push(`${item.place}: ${item.message}`);
  for (const { place, message } of local.problems) left.push(`${place}: ${message}`);
  if (found.workers.size > 0) {
    left.push(
      `Workers on other machines may have files of these sessions on their disks, which this process cannot see: call deleteSessionData() with the session ids there.`,
    );
  }
  return { conversations, sessionIds, local, workers: [...found.workers], left };
}

interface Found {
  conversations: string[];
  sessionIds: string[];
  workers: Set<string>;
  left: string[];
}

async function removeTenant(journal: Journal, tenant: string, found: Found, caller: Caller): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const before = found.conversations.length;
    let page: ConversationRecord[];
    let after: string | undefined;
    do {
      page = await journal.conversations({ tenant, limit: PAGE, after });
      for (const record of page) await removeOne(journal, record, found, caller);
      after = page.at(-1)?.key;
    } while (page.length === PAGE);
    if (found.conversations.length === before) return;
  }
  found.left.push(
    `New conversations of the tenant "${tenant}" were started in the meantime. Stop that, then forget again.`,
  );
}

/** Called last, because more may be spent under the tenant's name until its conversations are gone. */
async function removeName(
  journal: Partial<Journal>,
  tenant: string,
  found: Found,
  caller: Caller,
): Promise<void> {
  // The user's own journal may be older than this method.
  if (journal.forgetTenant) await journal.forgetTenant(tenant, caller);
  else
    found.left.push(
      `What the tenant "${tenant}" has spent, and its pause, stay in the journal under its name: this journal has no "forgetTenant".`,
    );
}

async function removeOne(
  journal: Journal,
  record: ConversationRecord,
  found: Found,
  caller: Caller,
): Promise<void> {
  const { key, sessionId, lease } = record;
  try {
    const history = await journal.history(key);
    for (const { owner } of history?.leases ?? []) found.workers.add(owner);
  } catch (error) {
    found.left.push(`The workers of the conversation "${key}" could not be determined: ${messageOf(error)}`);
  }
  if (lease) found.workers.add(lease.owner);
  if (!(await journal.remove(key, caller))) return;
  found.conversations.push(key);
  found.sessionIds.push(sessionId);
}

async function deleteLocally(
  sessionIds: readonly string[],
  places: ForgetChoice['local'],
): Promise<DeletedSessionData> {
  const deleted: DeletedSessionData['deleted'] = [];
  for (let tries = 1; ; tries += 1) {
    const report = await deleteSessionData([...sessionIds], places);
    deleted.push(...report.deleted);
    const isBusy = report.kept.some(({ reason }) => reason === 'running' || reason === 'written-again');
    if (!isBusy || tries === LOCAL_TRIES) return { ...report, deleted };
    await sleep(LOCAL_PAUSE_MS);
  }
}

function readChoice(choice: unknown): ForgetChoice {
  if (isRecord(choice)) {
    checkMethodOptions('forget()', choice);
    checkMethodOptions('"local" of forget()', choice['local']);
  }
  const { conversation, tenant, by } = isRecord(choice) ? choice : {};
  checkBy(by);
  if ((conversation === undefined) === (tenant === undefined)) {
    throw new InvalidOptionsError(
      ['conversation', 'tenant'],
      'Say what to forget: { conversation: key }, or { tenant: name }',
    );
  }
  if (conversation !== undefined) checkKey(conversation);
  else checkName('tenant', tenant);
  return choice as ForgetChoice;
}
