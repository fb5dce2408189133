// Finds the calls of a session's last turn, and which of them have no true result. A resumed CLI would not tell the model
// what these calls really did.
import { asString } from '../../util/guards.js';
import { copiedReplyId } from '../../record/history/transcript/copied-call.js';
import { beginsTurn, isStopMark } from '../../record/history/transcript/transcript-state.js';
import type { Entry } from '../../record/history/transcript/transcript-lines.js';
import { blocksOf, bodyOf } from '../../wire/protocol/messages/message-content.js';
import type { WireObject } from '../../wire/protocol/codec.js';
import { isFalseResult } from './false-result.js';
import { TranscriptIndex, type TranscriptNode } from './transcript-index.js';

/** A call of the last turn. */
export interface TranscriptCall {
  toolUseId: string;
  /** The tool's name as the model knows it. */
  toolName: string;
  input: unknown;
  /** The uuid of the assistant entry with the call. */
  entryUuid: string;
  /** The id of the model's reply. All entries of one reply have the same id. */
  messageId: string;
  /** `false-result`: the CLI wrote a result that says nothing true, because the host or the CLI was gone. */
  state: 'open' | 'false-result' | 'ended';
  /** Whether the model has replied after the call, and so has drawn conclusions from the result it got. */
  hasReplyAfter: boolean;
}

/** The calls of the last turn, in the order in which the model made them. */
export interface CallsToComplete {
  calls: TranscriptCall[];
  /** The entry from which the CLI goes on; undefined for a transcript without a conversation. */
  leafUuid: string | undefined;
  /** The user message that began the turn; undefined if it is not among the ancestors of the leaf. */
  turnUuid: string | undefined;
  /** Whether the turn was stopped on request. */
  stopped: boolean;
  /** Whether CLIs of different versions would find different calls, and the version that will be started is not known. */
  ambiguous: boolean;
}

/** The calls, and further facts that only planning needs. */
export interface LastTurnOfLine extends CallsToComplete {
  /** The entry of the user's message. */
  prompt: TranscriptNode | undefined;
  /** The leaf and its ancestors, upwards. */
  line: ReadonlySet<TranscriptNode>;
}

/**
 * Finds the calls of the last turn in the entries of a transcript. Only the entry from which the CLI goes on and its
 * ancestors count, back to the last compaction. `cliVersion` is the version of the CLI that will be started, if it is
 * known.
 */
export function findCallsToComplete(
  entries: Iterable<Entry>,
  { cliVersion }: { cliVersion?: string | undefined } = {},
): CallsToComplete {
  const { prompt: _, line: __, ...found } = readLastTurnOfLine(new TranscriptIndex(entries), cliVersion);
  return found;
}

/** Like `findCallsToComplete`, from an index that exists already, and with the facts for planning. */
export function readLastTurnOfLine(index: TranscriptIndex, cliVersion: string | undefined): LastTurnOfLine {
  const found = index.leavesFor(cliVersion).map((leaf) => readLine(index, leaf));
  const [first, second] = found;
  if (!first) {
    const none = { leafUuid: undefined, turnUuid: undefined, prompt: undefined };
    return { ...none, calls: [], stopped: false, ambiguous: false, line: new Set() };
  }
  const isSame = (other: LastTurnOfLine): boolean => describe(other) === describe(first);
  return { ...first, ambiguous: second !== undefined && !isSame(second) };
}

function describe({ turnUuid, stopped, calls }: LastTurnOfLine): string {
  return JSON.stringify([turnUuid, stopped, calls]);
}

function readLine(index: TranscriptIndex, leaf: TranscriptNode): LastTurnOfLine {
  const line = index.lineOf(leaf);
  const upwards = [...line];
  const end = upwards.findIndex((node) => node.type === 'user' && beginsTurn(node.location.entry));
  const turn = upwards.slice(0, end < 0 ? undefined : end).toReversed();
  // Entries that a compaction kept were written before it. Their calls have ended.
  const boundary = upwards.find(isBoundary)?.location.position ?? 0;
  const prompt = end < 0 ? undefined : upwards[end];
  let replies = listReplies(turn.filter(({ location }) => location.position > boundary));
  // A crash may have left a copy of the last reply that is not an ancestor of the leaf. The copy counts, not its original.
  const last = replies.at(-1);
  if (last !== undefined) replies = [...replies.slice(0, -1), findCopy(index, last)];
  const calls = replies.flatMap((messageId, at) =>
    listCalls(index, messageId).map((call) => ({ ...call, hasReplyAfter: at < replies.length - 1 })),
  );
  const stopped = turn.some((node) => node.type === 'user' && isStopMark(node.location.entry));
  return { calls, leafUuid: leaf.uuid, turnUuid: prompt?.uuid, stopped, ambiguous: false, prompt, line };
}

function isBoundary({ type, location }: TranscriptNode): boolean {
  return type === 'system' && location.entry['subtype'] === 'compact_boundary';
}

/**
 * The ids of the model's replies, in order. A text that the CLI writes in the model's place, for instance about an API
 * error, is not a reply.
 */
function listReplies(nodes: readonly TranscriptNode[]): string[] {
  const spoken = nodes.filter(({ location }) => bodyOf(location.entry)['model'] !== '<synthetic>');
  return [...new Set(spoken.flatMap(({ messageId }) => messageId ?? []))];
}

function findCopy(index: TranscriptIndex, messageId: string): string {
  const copy = copiedReplyId(messageId);
  return index.partsOf(copy).length === 0 ? messageId : findCopy(index, copy);
}

function callBlocksOf({ location }: TranscriptNode): WireObject[] {
  return blocksOf(location.entry).filter((block) => block['type'] === 'tool_use');
}

/** The results of a call, with their entries, in the order of the transcript. */
export function listResults(
  index: TranscriptIndex,
  toolUseId: string,
): { node: TranscriptNode; block: WireObject }[] {
  return index.resultsOf(toolUseId).flatMap((node) =>
    blocksOf(node.location.entry)
      .filter((block) => block['type'] === 'tool_result' && block['tool_use_id'] === toolUseId)
      .map((block) => ({ node, block })),
  );
}

function listCalls(index: TranscriptIndex, messageId: string): Omit<TranscriptCall, 'hasReplyAfter'>[] {
  return index.partsOf(messageId).flatMap((part) =>
    callBlocksOf(part)
      // An object in the place of an id may have no text at all.
      .filter(({ id }) => typeof id !== 'object')
      .map(({ id, name, input }) => ({
        toolUseId: String(id),
        toolName: asString(name) ?? '',
        input,
        entryUuid: part.uuid,
        messageId,
        state: readState(index, String(id)),
      })),
  );
}

function readState(index: TranscriptIndex, toolUseId: string): TranscriptCall['state'] {
  const results = listResults(index, toolUseId);
  if (results.length === 0) return 'open';
  // Which of several results the model gets depends on the CLI. So a call with one false result counts as `false-result`.
  return results.some(({ block }) => isFalseResult(block)) ? 'false-result' : 'ended';
}
