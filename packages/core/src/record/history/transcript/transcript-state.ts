// Reads from a transcript whether the last turn of a conversation was finished or cut off. It reads entries in the order
// in which they were written, and does not follow parents. After a resume, a call that was cut off is no longer part of
// the conversation, but it counts here, because the model made it.
import { canonicalJson } from '../../../util/canonical-json.js';
import { asString, isRecord } from '../../../util/guards.js';
import {
  bodyOf,
  blocksOf,
  isOutcomeUnknown,
  mayComeAgain,
  textOf,
} from '../../../wire/protocol/messages/message-content.js';
import { isCopyOfCall } from './copied-call.js';
import { isSentByPerson } from './prompt-text.js';
import type { Entry } from './transcript-lines.js';

/** A tool call without a known result. */
export interface OpenToolCall {
  toolUseId: string;
  /** The name of the tool, as the model knows it. */
  toolName: string;
  input: unknown;
}

/** How the last turn of a conversation ended. */
export type TranscriptState =
  /** The conversation has no turn yet. */
  | { state: 'empty' }
  /** The turn was finished. `uuid` is the id of the user's message, `text` the model's answer. */
  | { state: 'answered'; uuid: string; text: string }
  /**
   * The turn was cut off, and these calls have no known result. `stopped` tells whether somebody asked for that, by an
   * interrupt or by closing the session.
   */
  | { state: 'interrupted'; uuid: string; openCalls: OpenToolCall[]; stopped: boolean };

/** A call of the last turn. */
interface TurnCall extends OpenToolCall {
  hasEnded: boolean;
  /** Whether the model may repeat the call: it has not ended, or the model was told that it did not run. */
  mayComeAgain: boolean;
}

/** The last turn in more detail, for the code that continues it. */
export interface LastTurn {
  uuid: string;
  /** The id of the first message, if the model answered several messages together. Otherwise the same as `uuid`. */
  firstUuid: string;
  /** Whether it is the first turn of the conversation. */
  isFirst: boolean;
  calls: TurnCall[];
  /** The answer of the model; undefined if it has not answered. */
  text: string | undefined;
  stopped: boolean;
}

/**
 * The beginning of every message that asks the model to continue a turn that was cut off. Such a message does not begin
 * a turn of its own.
 */
export const CONTINUATION_START = 'The last turn was cut off before it was finished.';

const STOPPED_START = '[Request interrupted by user';
/** The CLI's text between a turn that was cut off and the next message. */
const FILLER = 'No response requested.';

/** The state of the conversation in these transcript entries, which may come from a file or a session store. */
export function transcriptState(entries: Iterable<object>): TranscriptState {
  const reader = new TranscriptReader();
  for (const entry of entries) if (isRecord(entry)) reader.read(entry);
  return describeTurn(reader.turn);
}

/** The state of a conversation with this last turn. */
export function describeTurn(turn: LastTurn | undefined): TranscriptState {
  if (!turn) return { state: 'empty' };
  const { uuid, text, stopped } = turn;
  if (text !== undefined) return { state: 'answered', uuid, text };
  return { state: 'interrupted', uuid, openCalls: listOpenCalls(turn.calls), stopped };
}

/**
 * Finds the last turn without reading the transcript from its start. It takes entries from the end, up to a prompt that a
 * reply of the model separates from the prompt of the last turn. Only a prompt after a reply surely begins a turn of its
 * own.
 */
export class LastTurnFinder {
  readonly #entries: Entry[] = [];
  /** The part that was found last on the way from the end. */
  #found: 'nothing' | 'prompt' | 'reply' = 'nothing';

  /** Takes the next entry on the way from the end. Returns true when no more entries are needed. */
  take(entry: Entry): boolean {
    if (isAside(entry)) return false;
    this.#entries.push(entry);
    if (entry['type'] === 'assistant') {
      if (this.#found === 'prompt' && !isFiller(entry)) this.#found = 'reply';
      return false;
    }
    if (entry['type'] !== 'user' || !isNewPrompt(entry)) return false;
    if (this.#found === 'reply') return true;
    // Whether a message that asks to go on begins a turn of its own depends on the entries before it.
    this.#found = isContinuation(textOf(bodyOf(entry)['content'])) ? 'nothing' : 'prompt';
    return false;
  }

  /** The last turn, as a `TranscriptReader` would find it from all entries. */
  get turn(): LastTurn | undefined {
    const reader = new TranscriptReader();
    for (const entry of this.#entries.toReversed()) reader.read(entry);
    return reader.turn;
  }
}

/** Follows the entries of a transcript in order. Keeps only the facts of the last turn. */
export class TranscriptReader {
  #turn: LastTurn | undefined;
  #hasReply = false;
  /** The id of the last reply, because one reply may be several entries. */
  #replyId: string | undefined;
  /** The structured output of the last reply, once the CLI has taken it: the model is not asked again then. */
  #output: string | undefined;

  get turn(): LastTurn | undefined {
    return this.#turn;
  }

  read(entry: Entry): void {
    if (isAside(entry)) return;
    if (entry['type'] === 'assistant') this.#readReply(entry);
    else if (entry['type'] === 'user') this.#readUser(entry);
  }

  #readReply(entry: Entry): void {
    const turn = this.#turn;
    const { id, stop_reason: stopReason, content } = bodyOf(entry);
    if (!turn || isFiller(entry)) return;
    const text = textOf(content);
    this.#hasReply = true;
    turn.stopped = false;
    this.#output = undefined;
    const calls = blocksOf(entry).filter((block) => block['type'] === 'tool_use');
    for (const { id: toolUseId, name, input } of calls) {
      const call = {
        toolUseId: asString(toolUseId) ?? '',
        toolName: asString(name) ?? '',
        input,
        hasEnded: false,
        mayComeAgain: true,
      };
      // A copy replaces its original, because it is not a second call.
      const original = turn.calls.findIndex((earlier) => isCopyOfCall(call.toolUseId, earlier.toolUseId));
      turn.calls.splice(original < 0 ? turn.calls.length : original, 1, call);
    }
    const isLast = calls.length === 0 && (text !== '' || stopReason === 'end_turn');
    const isFinal = isLast && stopReason !== 'tool_use' && stopReason !== 'pause_turn';
    const isSameReply = id !== undefined && id === this.#replyId && turn.text !== undefined;
    turn.text = isFinal ? (isSameReply ? `${turn.text}\n${text}` : text) : undefined;
    this.#replyId = asString(id);
  }

  #readUser(entry: Entry): void {
    const { content } = bodyOf(entry);
    const results = blocksOf(entry).filter((block) => block['type'] === 'tool_result');
    const turn = this.#turn;
    if (turn && results.length > 0) {
      for (const block of results) {
        const call = turn.calls.find(({ toolUseId }) => toolUseId === block['tool_use_id']);
        if (!call) continue;
        call.hasEnded = !isOutcomeUnknown(block);
        call.mayComeAgain = !call.hasEnded || mayComeAgain(block);
        if (entry['toolEndsTurn'] === true) this.#output = JSON.stringify(call.input);
      }
      turn.text = listOpenCalls(turn.calls).length === 0 ? this.#output : undefined;
      return;
    }
    if (turn && isStopMark(entry)) {
      turn.stopped = true;
      turn.text = undefined;
    } else if (isPrompt(entry, content)) this.#readPrompt(entry, textOf(content));
  }

  #readPrompt(entry: Entry, text: string): void {
    const uuid = asString(entry['uuid']);
    const before = this.#turn;
    if (uuid === undefined) return;
    if (before && before.text === undefined && isContinuation(text)) {
      before.stopped = false;
      return;
    }
    const isTogether = before !== undefined && !this.#hasReply && !before.stopped;
    this.#turn = {
      uuid,
      firstUuid: isTogether ? before.firstUuid : uuid,
      isFirst: before === undefined || (isTogether && before.isFirst),
      calls: [],
      text: undefined,
      stopped: false,
    };
    this.#hasReply = false;
  }
}

/** Whether an entry is from a subagent or a teammate. */
function isAside(entry: Entry): boolean {
  return Boolean(entry['isSidechain']) || Boolean(entry['teamName']);
}

function isFiller(entry: Entry): boolean {
  const { model, content } = bodyOf(entry);
  return model === '<synthetic>' && textOf(content) === FILLER;
}

function isNewPrompt(entry: Entry): boolean {
  return (
    asString(entry['uuid']) !== undefined && !isStopMark(entry) && isPrompt(entry, bodyOf(entry)['content'])
  );
}

/** The calls without a known result, except calls that the model has repeated since. */
function listOpenCalls(calls: readonly TurnCall[]): OpenToolCall[] {
  const open = new Set<TurnCall>();
  for (const call of calls) {
    const wording = canonicalJson([call.toolName, call.input]);
    const earlier = [...open].find(({ toolName, input }) => canonicalJson([toolName, input]) === wording);
    if (earlier) open.delete(earlier);
    if (!call.hasEnded) open.add(call);
  }
  return [...open].map(({ toolUseId, toolName, input }) => ({ toolUseId, toolName, input }));
}

/** Whether a user entry only notes that the turn was stopped. */
export function isStopMark(entry: Entry): boolean {
  return textOf(bodyOf(entry)['content']).startsWith(STOPPED_START);
}

/**
 * Whether a user entry begins a turn. It does if it is a prompt, and does not just ask the model to continue a turn that
 * was cut off.
 */
export function beginsTurn(entry: Entry): boolean {
  const { content } = bodyOf(entry);
  return !isStopMark(entry) && isPrompt(entry, content) && !isContinuation(textOf(content));
}

function isContinuation(text: string): boolean {
  return text.startsWith(CONTINUATION_START);
}

function isPrompt(entry: Entry, content: unknown): boolean {
  const { isMeta, isCompactSummary, isVisibleInTranscriptOnly, origin } = entry;
  if (isMeta === true || isCompactSummary === true || isVisibleInTranscriptOnly === true) return false;
  // In a conversation that a program runs, the CLI marks the messages that a person sent. Older CLIs mark none.
  return isSentByPerson(content, { isHuman: isRecord(origin) && origin['kind'] === 'human' });
}
