// Plans the entries by which a resumed CLI gives the model true results of its calls. `append-completion` appends them.
// The results form a chain below the reply, newer than all other entries (docs/discoveries/crash-and-resume.md). If a call
// has a false result already, or a chain could not hold the whole reply and all its results, the reply is copied to a
// branch of its own.
import { copiedCallId } from '../../record/history/transcript/copied-call.js';
import { findPrompt } from '../../record/history/transcript/prompt-text.js';
import type { Entry } from '../../record/history/transcript/transcript-lines.js';
import type { SessionStoreEntry } from '../../wire/protocol/config/session-store.js';
import { bodyOf } from '../../wire/protocol/messages/message-content.js';
import {
  copyUuid,
  createLeafNote,
  createReplyCopy,
  createResultEntry,
  resultUuid,
  type CallResult,
} from './completion-entry.js';
import { readLastTurnOfLine, type LastTurnOfLine, type TranscriptCall } from './open-calls.js';
import { listResultsToCopy, readTrueResult } from './true-results.js';
import { findsScatteredResults, TranscriptIndex, type TranscriptNode } from './transcript-index.js';

/** The transcript, and what is known of its calls. */
export interface CompletionPlanInput {
  entries: Iterable<Entry>;
  /** The index of these entries, if the caller has one. */
  index?: TranscriptIndex | undefined;
  sessionId: string;
  /**
   * The results, by the ids that the model gave the calls. A call without a result stays open, and the CLI tells the
   * model that its outcome is unknown.
   */
  results: ReadonlyMap<string, CallResult>;
  /** The version of the CLI that will be started. If it is unknown, the plan suits all versions, or is refused. */
  cliVersion?: string | undefined;
  /** The current time, in milliseconds since 1970. */
  now: number;
}

/** Where a result is, once the planned entries are written. */
export interface PlannedResult {
  /** The uuid of the entry with the result. */
  uuid: string;
  /** The call's id in the conversation from now on. It is a new id if the reply was copied. */
  toolUseId: string;
}

/** The entries to append. There are none if the transcript has all of them already. */
export interface CompletionPlan {
  entries: SessionStoreEntry[];
  /** The results by the given ids, including those that are in the transcript already. */
  written: Map<string, PlannedResult>;
  /** Calls that have a true result from the CLI itself. The given results for them are not used. */
  alreadyEnded: string[];
}

/** Nothing may be written; `refused` says why. */
export interface RefusedCompletion {
  refused: string;
}

/** Plans the entries, in the order in which they must be appended. The same transcript and results give the same ids. */
export function planCompletion(input: CompletionPlanInput): CompletionPlan | RefusedCompletion {
  const index = input.index ?? new TranscriptIndex(input.entries);
  const turn = readLastTurnOfLine(index, input.cliVersion);
  const plan: CompletionPlan = { entries: [], written: new Map(), alreadyEnded: [] };
  if (turn.ambiguous) {
    return refuse(
      'the transcript has several ends, and CLIs of different versions would go on from different ones: name the version that is started',
    );
  }
  const pending = new Map<TranscriptCall, CallResult>();
  for (const [given, result] of input.results) {
    const call = findCall(turn.calls, given);
    if (!call) return refuse(`the call ${given} is not one of the last turn, where the CLI would go on`);
    const { toolUseId, state } = call;
    const uuid = resultUuid(input.sessionId, toolUseId);
    const isOurs = index.resultsOf(toolUseId).some((node) => node.uuid === uuid);
    if (state === 'ended' && !isOurs) {
      plan.alreadyEnded.push(given);
      continue;
    }
    plan.written.set(given, { uuid, toolUseId });
    if (state === 'ended') continue;
    if (call.hasReplyAfter) {
      return refuse(`the model has spoken after the call ${given}, and has drawn its conclusions`);
    }
    pending.set(call, result);
  }
  if (pending.size > 0 && turn.stopped) return refuse('somebody stopped the turn');
  if (plan.written.size > 0) {
    for (const [call, result] of listResultsToCopy(index, turn.calls)) {
      if (!pending.has(call)) pending.set(call, result);
    }
  }
  return new Planner({ index, turn, input, pending, plan }).run();
}

function refuse(why: string): RefusedCompletion {
  return { refused: why };
}

/** The call with this id, or its newest copy if the reply was copied. */
function findCall(calls: readonly TranscriptCall[], toolUseId: string): TranscriptCall | undefined {
  let id = toolUseId;
  // A copy may itself have been copied.
  for (let copies = 0; copies <= MAX_COPIES; copies += 1) {
    const found = calls.find((call) => call.toolUseId === id);
    if (found) return found;
    id = copiedCallId(id);
  }
  return undefined;
}

const MAX_COPIES = 16;

interface PlannerParts {
  index: TranscriptIndex;
  turn: LastTurnOfLine;
  input: CompletionPlanInput;
  /** The results to write, all for calls of the last reply. */
  pending: ReadonlyMap<TranscriptCall, CallResult>;
  plan: CompletionPlan;
}

class Planner {
  readonly #parts: PlannerParts;
  #time: number;

  constructor(parts: PlannerParts) {
    this.#parts = parts;
    // Older CLIs go on from the newest entry; of several with the same time, from the first. So each time is unique.
    this.#time = Math.max(parts.input.now, parts.index.newestTime + 1);
  }

  run(): CompletionPlan | RefusedCompletion {
    const { index, turn, pending, plan } = this.#parts;
    const [first] = pending.keys();
    const messageId = first?.messageId ?? turn.calls.findLast((call) => !call.hasReplyAfter)?.messageId;
    if (messageId === undefined) return plan;
    const calls = turn.calls.filter((call) => call.messageId === messageId);
    const replyParts = index.partsOf(messageId);
    const end = this.#findEnd(replyParts);
    if (end === undefined) return plan;
    if (pending.size === 0) this.#nameAgain(calls, end);
    else if (this.#needsCopy(calls, replyParts, end)) return this.#branch(messageId, calls, replyParts);
    else this.#chain(calls, end.uuid);
    return plan;
  }

  /**
   * The last entry below the reply, where new results are appended. Hooks and other calls may have added entries after
   * the reply.
   */
  #findEnd(replyParts: readonly TranscriptNode[]): TranscriptNode | undefined {
    const { index, turn } = this.#parts;
    const path = new Set<TranscriptNode>();
    for (let node = replyParts.at(-1); node !== undefined && !path.has(node);) {
      path.add(node);
      const below = index.childrenOf(node).filter((child) => child.type !== 'assistant');
      node =
        below.findLast((child) => child.toolResults.length > 0) ??
        below.findLast((child) => turn.line.has(child)) ??
        below.at(-1);
    }
    return [...path].at(-1);
  }

  #needsCopy(
    calls: readonly TranscriptCall[],
    replyParts: readonly TranscriptNode[],
    end: TranscriptNode,
  ): boolean {
    const { index, pending, input } = this.#parts;
    // The CLI would ignore a second result under the same id.
    if ([...pending.keys()].some(({ state }) => state === 'false-result')) return true;
    // The end and its ancestors, upwards. Those before `start` are below the reply.
    const line = index.lineOf(end);
    const isSpoken = (node: TranscriptNode): boolean => node.type === 'user' && node.toolResults.length === 0;
    const [start] = replyParts;
    const below = [...line].slice(0, start && [...line].indexOf(start));
    // A part of the reply is on another branch, or a message of the user is between the reply and the end.
    if (replyParts.some((part) => !line.has(part)) || below.some(isSpoken)) return true;
    if (findsScatteredResults(input.cliVersion)) return false;
    return calls.some(({ toolUseId }) => {
      const results = index.resultsOf(toolUseId);
      return results.length > 0 && !results.some((node) => line.has(node));
    });
  }

  /** Adds the results below the reply, in the order of the calls. */
  #chain(calls: readonly TranscriptCall[], end: string): void {
    const { index, pending, plan } = this.#parts;
    let parentUuid = end;
    for (const call of calls) {
      const result = pending.get(call);
      const entry = index.nodes.get(call.entryUuid)?.location.entry;
      if (result && entry) parentUuid = this.#addResult(call.toolUseId, entry, result, parentUuid);
    }
    plan.entries.push(this.#createNote(parentUuid));
  }

  /** Copies the whole reply to a new branch beside the old one, with all true results. */
  #branch(
    messageId: string,
    calls: readonly TranscriptCall[],
    replyParts: readonly TranscriptNode[],
  ): CompletionPlan | RefusedCompletion {
    const { index, pending, plan, input } = this.#parts;
    const parent = replyParts[0]?.location.entry['parentUuid'];
    if (typeof parent !== 'string' || !index.nodes.has(parent)) {
      return refuse('what came before the reply with the calls is missing from the transcript');
    }
    const stamp = { sessionId: input.sessionId, parentUuid: parent, timestamp: this.#nextTime() };
    const copy = createReplyCopy(messageId, replyParts, stamp);
    plan.entries.push(copy);
    let parentUuid = copyUuid(input.sessionId, String(bodyOf(copy)['id']));
    for (const call of calls) {
      const toolUseId = copiedCallId(call.toolUseId);
      const result = pending.get(call) ?? readTrueResult(index, call.toolUseId);
      if (result) parentUuid = this.#addResult(toolUseId, copy, result, parentUuid);
    }
    for (const [given, { toolUseId }] of plan.written) {
      if (!calls.some((call) => call.toolUseId === toolUseId)) continue;
      const copied = copiedCallId(toolUseId);
      plan.written.set(given, { uuid: resultUuid(input.sessionId, copied), toolUseId: copied });
    }
    plan.entries.push(this.#createNote(parentUuid));
    return plan;
  }

  #addResult(toolUseId: string, entry: Entry, result: CallResult, parentUuid: string): string {
    const { input, plan, turn } = this.#parts;
    const promptId = turn.prompt?.location.entry['promptId'];
    const stamp = { sessionId: input.sessionId, parentUuid, timestamp: this.#nextTime() };
    plan.entries.push(createResultEntry({ toolUseId, entry, promptId }, result, stamp));
    return resultUuid(input.sessionId, toolUseId);
  }

  /**
   * A crash may have come after the results and before the note that names the last one as the leaf. Adds the note if the
   * CLI would go on from an entry that is not below the results.
   */
  #nameAgain(calls: readonly TranscriptCall[], end: TranscriptNode): void {
    const { index, plan } = this.#parts;
    const leaf = index.findNamedLeaf();
    const line = leaf && index.lineOf(leaf);
    const isMissed = [...plan.written.values()].some(({ uuid, toolUseId }) => {
      const node = index.nodes.get(uuid);
      const isOfReply = calls.some((call) => call.toolUseId === toolUseId);
      return isOfReply && node !== undefined && line?.has(node) === false;
    });
    if (isMissed) plan.entries.push(this.#createNote(end.uuid));
  }

  #createNote(leafUuid: string): SessionStoreEntry {
    const { index, turn, input } = this.#parts;
    const asked = turn.prompt && findPrompt(bodyOf(turn.prompt.location.entry)['content']).prompt;
    return createLeafNote(index.lastPrompt ?? asked ?? '', leafUuid, input.sessionId);
  }

  #nextTime(): string {
    const time = new Date(this.#time).toISOString();
    this.#time += 1;
    return time;
  }
}
