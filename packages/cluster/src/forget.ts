// Removes all that belongs to a conversation or a tenant: from the journal, then from the disk of this machine. Says what it cannot reach.
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { deleteSessionData } from '@inboard/core/lifetime/delete-session-data.js';
import type { DeletedSessionData } from '@inboard/core/lifetime/session-data.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { messageOf } from '@inboard/core/util/message-of.js';
import { sleep } from '@inboard/core/util/timers.js';
import { checkMethodOptions } from './check-options.js';
import type { ForgetChoice, ForgottenData } from './cluster.js';
import type { ClusterCore } from './cluster-core.js';
import { checkKey, checkName } from './journal/check-names.js';
import type { Journal } from './journal/journal.js';
import type { ConversationRecord } from './journal/records.js';

const PAGE = 100;
/** A worker of this machine that had a conversation ends its CLI when its lease is refused: wait for that, within these times. */
const LOCAL_TRIES = 10;
const LOCAL_PAUSE_MS = 300;
/** A tenant that goes on sending makes new conversations while the old ones go. */
const MOST_ROUNDS = 5;

/** Forgets; may be called again. `own` are the workers whose disk is that of this process. */
export async function forget(
  core: ClusterCore,
  choice: ForgetChoice,
  own: ReadonlySet<string>,
): Promise<ForgottenData> {
  const { conversation, tenant, local: places } = readChoice(choice);
  const journal = await core.journal();
  const found: Found = { conversations: [], sessionIds: [], workers: new Set(), left: [] };
  if (conversation !== undefined) {
    const record = await journal.conversation(conversation);
    if (record) await removeOne(journal, record, found);
  } else if (tenant !== undefined) {
    await removeTenant(journal, tenant, found);
    await removeName(journal, tenant, found);
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

async function removeTenant(journal: Journal, tenant: string, found: Found): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const before = found.conversations.length;
    let page: ConversationRecord[];
    let after: string | undefined;
    do {
      page = await journal.conversations({ tenant, limit: PAGE, after });
      for (const record of page) await removeOne(journal, record, found);
      after = page.at(-1)?.key;
    } while (page.length === PAGE);
    if (found.conversations.length === before) return;
  }
  found.left.push(
    `New conversations of the tenant "${tenant}" were started in the meantime. Stop that, then forget again.`,
  );
}

/** Last: until its conversations are gone, more may be spent in its name. */
async function removeName(journal: Partial<Journal>, tenant: string, found: Found): Promise<void> {
  // A journal by the user may have been written before there was this method.
  if (journal.forgetTenant) await journal.forgetTenant(tenant);
  else
    found.left.push(
      `What the tenant "${tenant}" has spent, and its pause, stay in the journal under its name: this journal has no "forgetTenant".`,
    );
}

async function removeOne(journal: Journal, record: ConversationRecord, found: Found): Promise<void> {
  const { key, sessionId, lease } = record;
  try {
    const history = await journal.history(key);
    for (const { owner } of history?.leases ?? []) found.workers.add(owner);
  } catch (error) {
    found.left.push(`The workers of the conversation "${key}" could not be determined: ${messageOf(error)}`);
  }
  if (lease) found.workers.add(lease.owner);
  if (!(await journal.remove(key))) return;
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
  const { conversation, tenant } = isRecord(choice) ? choice : {};
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
