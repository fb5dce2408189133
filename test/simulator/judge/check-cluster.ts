// What a cluster has promised, looked at from outside: by what was sent, read and told, and by the plain rows of its journal.
import { checkConversation } from '../../../scripts/support/cluster-chaos/history.mjs';
import type { ConversationHistory } from '../../../packages/cluster/src/journal/records.js';
import { BEGIN } from '../world/begin.js';
import type { Seen } from '../scenes/kit.js';

const CENT = 1e-9;

export function checkCluster(run: {
  seen: Seen;
  histories: readonly ConversationHistory[];
  spent: number;
  /** Whether calls may run again. */
  repeats: boolean;
}): string[] {
  const { seen, histories, spent, repeats } = run;
  const broken: string[] = [];
  for (const history of histories) {
    const { conversation, turns, events, leases, calls } = history;
    const { key } = conversation;
    for (const { promise, message } of checkConversation(history) as Iterable<{
      promise: string;
      message: string;
    }>)
      broken.push(`${promise} in ${key}: ${message}`);
    for (const { id, state, outcome } of turns) {
      if (state !== 'ended') broken.push(`G1 ${id} is ${state}`);
      else if (!outcome?.ok)
        broken.push(
          `G1 ${id} ended as ${outcome?.kind}: ${outcome?.error?.code} ${outcome?.text.slice(0, 300)}`,
        );
      const ends = events.filter(
        (event) => event.type === 'turn' && event.state === 'ended' && event.turn === id,
      );
      if (ends.length !== 1) broken.push(`G2 ${id} has ${ends.length} ends among its events`);
      const told = seen.outcomes.find((each) => each.id === id);
      if (told && told.text !== outcome?.text) broken.push(`G2 the sender of ${id} was told another outcome`);
    }
    // The lease is looked at once more right before a handler begins.
    for (const { host, callKey, begunAt } of seen.runs.filter(({ k }) => k === key)) {
      const at = BEGIN + Math.floor(begunAt);
      const own = leases.filter(({ owner }) => owner === host);
      if (!own.some(({ grantedAt, until }) => grantedAt <= at && at <= until))
        broken.push(
          `G4 ${host} began the call ${callKey} at ${at - BEGIN}, its leases of ${key}: ${own.map(({ epoch, grantedAt, until }) => `${epoch} from ${grantedAt - BEGIN} to ${until - BEGIN}`).join(', ')}`,
        );
    }
    // What was stored of a call before its turn went on is what the model reads.
    for (const { callKey, turn, result } of repeats ? [] : calls) {
      const outcome = turns.find(({ id }) => id === turn)?.outcome;
      const did = /did \w+ \d+ \d+/.exec(JSON.stringify(result) ?? '')?.[0];
      if (did !== undefined && outcome?.ok === true && !outcome.text.includes(did))
        broken.push(`G9 the result of ${callKey} is stored, and the model read another: ${outcome.text}`);
    }
    const said = events
      .flatMap((event) => (event.type === 'message' ? [(event.message as { uuid?: string }).uuid] : []))
      .filter(Boolean);
    if (new Set(said).size !== said.length) broken.push(`G13 a message of ${key} is there twice`);
    const cost = turns.reduce((sum, { turnCostUsd }) => sum + turnCostUsd, 0);
    if (Math.abs(cost - conversation.totalCostUsd) > CENT)
      broken.push(`C the turns of ${key} cost ${cost}, it says ${conversation.totalCostUsd}`);
    const ids = events.map(({ id }) => id);
    if (String(seen.read[key] ?? []) !== String(ids))
      broken.push(`G13 a reader of ${key} got ${String(seen.read[key])} of ${String(ids)}`);
  }
  const total = histories.reduce((sum, { conversation }) => sum + conversation.totalCostUsd, 0);
  if (Math.abs(total - spent) > CENT)
    broken.push(`C the conversations cost ${total}, the journal says ${spent}`);
  return broken;
}
