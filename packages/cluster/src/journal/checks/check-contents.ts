// The rules about transcripts and calls: a transcript has no duplicates. No call runs twice, unless its tool allows it.
import { isRecord } from '@inboard/core/util/guards.js';
import { canonicalJson } from '@inboard/core/util/canonical-json.js';
import type { HistoryRule } from './history-rule.js';
import type { Json } from '../records.js';

/**
 * G8: no message and no result of a call is in the transcript twice. Messages are in the order of turns, and all entries belong
 * to one session. The message of each turn that ended well is there.
 */
export const checkTranscript: HistoryRule = function* (
  { conversation, turns, entries },
  { transcripts = true },
) {
  const prompts = entries.flatMap(({ entry }) => (isPrompt(entry) ? [entry] : []));
  const places = new Map(turns.map((turn) => [turn.uuid, turn.place]));
  const wanted = countBy(turns.map((turn) => textOf(turn.content)));
  const there = countBy(prompts.map(promptText));
  for (const [text, count] of there) {
    const sent = wanted.get(text);
    if (sent === undefined || count <= sent) continue;
    const rows = prompts.filter((prompt) => promptText(prompt) === text);
    yield {
      promise: 'G8',
      what: `A message that was sent ${sent} times is in the transcript ${count} times.`,
      rows,
    };
  }
  const uuids = countBy(prompts.map(uuidOf));
  let last = 0;
  for (const prompt of prompts) {
    const place = places.get(uuidOf(prompt));
    if (place === undefined) continue;
    if ((uuids.get(uuidOf(prompt)) ?? 0) > 1 || place < last) {
      yield {
        promise: 'G8',
        what: `The message of turn ${place} is in the transcript again, or too late.`,
        rows: [prompt],
      };
    }
    last = Math.max(last, place);
  }
  for (const { entry } of entries) {
    const sessionId = isRecord(entry) ? entry['sessionId'] : undefined;
    if (typeof sessionId === 'string' && sessionId !== conversation.sessionId) {
      yield {
        promise: 'G8',
        what: `An entry belongs to the session ${sessionId}: the conversation was started over.`,
        rows: [entry],
      };
    }
  }
  for (const [call, count] of countBy(entries.flatMap(({ entry }) => resultIdsOf(entry)))) {
    if (count <= 1) continue;
    yield {
      promise: 'G8',
      what: `The call "${call}" has ${count} results in the transcript.`,
      rows: entries.filter(({ entry }) => resultIdsOf(entry).includes(call)),
    };
  }
  if (!transcripts) return;
  for (const turn of turns) {
    if (turn.outcome?.ok !== true || uuids.has(turn.uuid)) continue;
    yield {
      promise: 'G8',
      what: `The turn "${turn.id}" ended well, but its message is not in the transcript.`,
      rows: [turn],
    };
  }
};

/**
 * G9: a call that has a result gets no other result in a later lease, unless its tool may be repeated. G10: each run of a
 * handler was written down before it began.
 */
export const checkCalls: HistoryRule = function* (
  { conversation, calls, turns },
  { repeatable = [], runs = [] },
) {
  const mayRepeat = new Set(repeatable);
  const known = new Map<string, (typeof calls)[number]>();
  for (const call of calls) {
    const { callKey, begun, ended, toolName } = call;
    if (known.has(callKey))
      yield {
        promise: 'G9',
        what: `The call "${callKey}" is recorded twice.`,
        rows: [call, known.get(callKey)],
      };
    known.set(callKey, call);
    if (begun < 1) yield { promise: 'G10', what: `The call "${callKey}" was never begun.`, rows: [call] };
    if (ended > 1 && !mayRepeat.has(toolName))
      yield {
        promise: 'G9',
        what: `The call "${callKey}" was given a result in ${ended} leases.`,
        rows: [call],
      };
    if (ended > 0 !== (call.result !== undefined))
      yield {
        promise: 'G9',
        what: `The call "${callKey}" ended ${ended} times, but its result is ${call.result === undefined ? 'lost' : 'known'}.`,
        rows: [call],
      };
    if (!turns.some(({ id }) => id === call.turn))
      yield {
        promise: 'G9',
        what: `The call "${callKey}" belongs to the turn "${call.turn}", which is missing.`,
        rows: [call],
      };
  }
  const own = runs.filter(({ key }) => key === conversation.key);
  for (const [callKey, count] of countBy(own.map((run) => run.callKey))) {
    const call = known.get(callKey);
    if (!call)
      yield {
        promise: 'G10',
        what: `The handler of "${callKey}" ran, but the call was not recorded.`,
        rows: own.filter((run) => run.callKey === callKey),
      };
    else if (count > call.begun && !mayRepeat.has(call.toolName))
      yield {
        promise: 'G9',
        what: `The handler of "${callKey}" ran ${count} times, but the call was begun ${call.begun} times.`,
        rows: [call],
      };
  }
};

type Entry = Readonly<Record<string, unknown>>;

/** Whether an entry is a message of the user, and not a tool result, a note of the CLI, or a message of a subagent. */
function isPrompt(entry: unknown): entry is Entry {
  if (
    !isRecord(entry) ||
    entry['type'] !== 'user' ||
    entry['isMeta'] === true ||
    entry['isSidechain'] === true
  )
    return false;
  const content = contentOf(entry);
  return (
    !Array.isArray(content) ||
    !content.some((block: unknown) => isRecord(block) && block['type'] === 'tool_result')
  );
}

/** The ids of the calls whose results an entry contains. */
function resultIdsOf(entry: unknown): string[] {
  const content = isRecord(entry) && entry['isSidechain'] !== true ? contentOf(entry) : undefined;
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) =>
    isRecord(block) && block['type'] === 'tool_result' && typeof block['tool_use_id'] === 'string'
      ? [block['tool_use_id']]
      : [],
  );
}

function uuidOf({ uuid }: Entry): string {
  return typeof uuid === 'string' ? uuid : '';
}

function contentOf(entry: Entry): unknown {
  return isRecord(entry['message']) ? entry['message']['content'] : undefined;
}

function promptText(entry: Entry): string {
  return textOf(contentOf(entry) as Json);
}

/** The text of a message as JSON. A string and a single text block give the same text, because the CLI treats both alike. */
function textOf(content: Json | undefined): string {
  const [first, ...more] = Array.isArray(content) ? (content as readonly unknown[]) : [];
  if (isRecord(first) && more.length === 0 && first['type'] === 'text') return canonicalJson(first['text']);
  return canonicalJson(content);
}

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
