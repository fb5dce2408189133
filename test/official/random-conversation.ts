// Trees of entries by chance, for the conversation in them. They may be untidy, but have no cycles: those no CLI
// writes, and there we do not follow the official functions.
import {
  boundary,
  idOf,
  SESSION,
  type Line,
} from '../../packages/core/test/record/history/support/entries.js';
import type { Chance } from './chance.js';

/**
 * The entries of a transcript; `isPlain` for one without the progress and the subagents that older CLIs put inside,
 * and without replies in several parts.
 */
export function createRandomConversation(chance: Chance, { isPlain = false } = {}): Line[] {
  const entries: Line[] = [];
  const count = 2 + chance.below(8);
  for (let number = 10; number < 10 + count; number++) {
    if (entries.length > 2 && chance.next() < 0.1) {
      entries.push(...createCompaction(chance, entries, number));
      number += 1;
    } else if (entries.length > 0 && chance.next() < 0.03) {
      entries.push({ ...chance.pick(entries) });
    } else {
      const entry = createRandomEntry(chance, entries, number);
      if (isPlain) makePlain(entry);
      entries.push(entry);
    }
  }
  return entries;
}

function createRandomEntry(chance: Chance, before: readonly Line[], number: number): Line {
  const { pick, maybe, next } = chance;
  const type = pick(['user', 'user', 'assistant', 'assistant', 'system', 'attachment', 'progress']);
  const entry: Line = {
    type,
    uuid: maybe(0.97, idOf(number)),
    parentUuid: chooseParent(chance, before),
    sessionId: SESSION,
    timestamp: maybe(0.9, `2025-01-01T00:00:${String(chance.below(60)).padStart(2, '0')}.000Z`),
    isMeta: maybe(0.1, true),
    isSidechain: maybe(0.1, true),
    teamName: maybe(0.06, 't'),
    isCompactSummary: maybe(0.06, true),
    isVisibleInTranscriptOnly: maybe(0.06, true),
    message: { role: type, content: `entry ${number}` },
  };
  if (type === 'assistant') {
    const content = next() < 0.8 ? [{ type: 'tool_use', id: `t${number}` }] : [{ type: 'text', text: 'x' }];
    entry['message'] = { id: pick(['m1', 'm2', undefined]), content };
  } else if (type === 'user' && next() < 0.5) {
    const calls = before.filter((each) => each['type'] === 'assistant');
    const call = calls.length > 0 ? pick(calls) : undefined;
    const tool = `t${Number(String(call?.['uuid']).slice(-4))}`;
    entry['message'] = { content: [{ type: 'tool_result', tool_use_id: tool }] };
    if (call && next() < 0.7) entry['parentUuid'] = call['uuid'] ?? null;
  }
  return entry;
}

function makePlain(entry: Line): void {
  entry['isSidechain'] = false;
  if (entry['type'] === 'progress') entry['type'] = 'user';
  delete (entry['message'] as Line)['id'];
}

function chooseParent(chance: Chance, before: readonly Line[]): unknown {
  const luck = chance.next();
  if (before.length === 0 || luck > 0.95) return luck > 0.98 ? idOf(99) : null;
  return (luck < 0.65 ? before.at(-1) : chance.pick(before))?.['uuid'] ?? null;
}

// A compaction that kept the end of the branch spoken last, behind itself or behind its summary.
function createCompaction(chance: Chance, before: readonly Line[], number: number): Line[] {
  const byId = new Map(before.map((entry) => [entry['uuid'], entry]));
  const branch: string[] = [];
  for (let entry = before.at(-1); typeof entry?.['uuid'] === 'string' && branch.length < 5;) {
    branch.unshift(entry['uuid']);
    entry = byId.get(entry['parentUuid']);
  }
  const kept = branch.slice(chance.below(branch.length));
  const summary = { type: 'user', uuid: idOf(number + 1), parentUuid: idOf(number), isCompactSummary: true };
  if (kept.length === 0) return [boundary(number), summary];
  const anchorUuid = chance.pick([idOf(number), idOf(number + 1)]);
  const preservedSegment = { headUuid: kept[0], anchorUuid, tailUuid: kept.at(-1) };
  const uuids = chance.pick([
    kept,
    kept.filter((_, index) => index === kept.length - 1 || chance.next() < 0.6),
  ]);
  const preservedMessages = { anchorUuid, uuids, allUuids: kept };
  const metadata = chance.pick<Line>([
    { preservedSegment },
    { preservedMessages },
    { preservedSegment, preservedMessages },
  ]);
  return [boundary(number, metadata), summary];
}
