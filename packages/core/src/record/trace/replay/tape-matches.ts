// Matches the frames of this run with the frames of the tape. It finds where they differ, and translates the ids of
// requests and messages between the tape and this run.
import { stringifyDeep } from '../../../util/deep-json.js';
import { asString, isRecord } from '../../../util/guards.js';
import type { WireObject } from '../../../wire/protocol/codec.js';
import { encodeFailure, encodeSuccess } from '../../../wire/protocol/encode-frame.js';
import type { JsonChange } from './json-diff.js';
import type { ReplayDifference, ReplayItem } from './replay-report.js';
import { isReadOnly, itemOf, type ExpectedFrame, type TapeScript } from './tape-script.js';
import {
  readWireAnswer,
  readMcpAnswer,
  readWireQuestion,
  type WireQuestion,
} from '../timeline/wire-question.js';
import { withoutUndefined } from '../../../util/without-undefined.js';

/** For each kind of question, whether this run answers it (`live`) or the tape does (`taped`). */
export interface TapeModes {
  tools: 'live' | 'taped';
  permissions: 'live' | 'taped';
  hooks: 'live' | 'taped';
  dialogs: 'live' | 'taped';
}

export interface TapeMatchesOptions {
  script: TapeScript;
  modes: TapeModes;
  compare: (taped: unknown, live: unknown, item: ReplayItem) => JsonChange[];
  /** The tape's answers to read-only requests of the host, by subtype. */
  tapedReplies: ReadonlyMap<string, WireObject>;
}

const MODE_OF = {
  tool: 'tools',
  server: 'tools',
  permission: 'permissions',
  hook: 'hooks',
  dialog: 'dialogs',
} as const;

/** Fields of a user message that differ in every run. */
const OWN_FIELDS = ['uuid', 'session_id', 'timestamp'];

/** The state of one replay. */
export class TapeMatches {
  readonly script: TapeScript;
  readonly users: readonly ExpectedFrame[];
  readonly differences: ReplayDifference[] = [];
  readonly unexpected: ReplayItem[] = [];
  compared = 0;
  readonly #options: TapeMatchesOptions;
  readonly #matched = new Set<number>();
  readonly #put = new Set<string>();
  /** Maps from ids of the tape to ids of this run, for control requests, JSON-RPC requests and messages. */
  readonly #requestIds = new Map<string, string>();
  readonly #rpcIds = new Map<unknown, unknown>();
  readonly #uuids = new Map<string, string>();

  constructor(options: TapeMatchesOptions) {
    this.#options = options;
    this.script = options.script;
    this.users = [...options.script.expected.values()].filter(({ item }) => item.kind === 'prompt');
  }

  isMatched(index: number): boolean {
    return this.#matched.has(index);
  }

  /** Whether a question of the CLI was asked in this run. */
  isPut(requestId: string): boolean {
    return this.#put.has(requestId);
  }

  /** Whether the tape gives this answer, so that the program is not asked. */
  isTaped({ answers }: ExpectedFrame): boolean {
    return answers !== undefined && this.#isTapedQuestion(answers);
  }

  /** Takes a frame of this run. Returns the line that answers it, if it must be answered at once. */
  take(frame: WireObject, t: number): string | undefined {
    const question = readWireQuestion(frame);
    if (question) return this.#takeRequest(question, t);
    const answer = readWireAnswer(frame);
    if (answer) this.#takeAnswer(answer.requestId, answer.value);
    else if (frame['type'] === 'user') this.#takeMessage(frame, t);
    return undefined;
  }

  /** A question of the tape, as this run gets it. Undefined if the question is not asked in this run. */
  put(question: WireQuestion, frame: WireObject): WireObject | undefined {
    if (this.#isTapedQuestion(question)) return undefined;
    const message = question.mcp?.message;
    // This is an answer to a question of one of the host's servers. It gets the id that the server knows.
    if (message && message['method'] === undefined && message['id'] !== undefined) {
      if (!this.#rpcIds.has(message['id'])) return undefined;
      this.#put.add(question.requestId);
      const request = { ...question.request, message: { ...message, id: this.#rpcIds.get(message['id']) } };
      return { ...frame, request };
    }
    this.#put.add(question.requestId);
    return frame;
  }

  /**
   * The tape's answer to a request of this run, under the id of this run. Undefined when this run did not send the
   * request.
   */
  adaptAnswer(frame: WireObject): WireObject | undefined {
    const response = frame['response'];
    if (!isRecord(response)) return undefined;
    const id = asString(response['request_id']) ?? '';
    const live = this.#requestIds.get(id);
    if (live === undefined || this.script.requests.get(id)?.question?.mcp) return undefined;
    return { ...frame, response: { ...this.#withoutTaped(response), request_id: live } };
  }

  /** A line of the tape, with the ids of messages replaced by those of this run. */
  adaptText(line: string): string {
    let text = line;
    for (const [taped, live] of this.#uuids) text = text.replaceAll(taped, live);
    return text;
  }

  /** The frames of the tape before `limit` that did not occur in this run. */
  listMissing(limit: number): ReplayItem[] {
    const missing: ReplayItem[] = [];
    for (const { question, t, index } of this.script.questions.values()) {
      if (index < limit && !this.#put.has(question.requestId) && !this.#isTapedQuestion(question)) {
        // An answer to a question that the host's server did not ask in this run is not missing.
        if (question.mcp?.message['method'] !== undefined || !question.mcp) missing.push(itemOf(question, t));
      }
    }
    for (const expected of this.script.expected.values()) {
      const { index, item, isRequired, answers } = expected;
      if (index >= limit || !isRequired || this.#matched.has(index) || this.isTaped(expected)) continue;
      if (!answers || this.#put.has(answers.requestId)) missing.push(item);
    }
    return missing.sort((one, other) => one.t - other.t);
  }

  #isTapedQuestion({ kind }: WireQuestion): boolean {
    return kind !== 'other' && this.#options.modes[MODE_OF[kind]] === 'taped';
  }

  /** Removes from a reply the pending questions that the tape answers. */
  #withoutTaped(response: WireObject): WireObject {
    const entries = Object.entries(response).map(([name, value]) => {
      if (!name.startsWith('pending_') || !Array.isArray(value)) return [name, value] as const;
      const live = value.filter((frame) => {
        const question = isRecord(frame) ? readWireQuestion(frame) : undefined;
        if (!question || this.#isTapedQuestion(question)) return false;
        this.#put.add(question.requestId);
        return true;
      });
      return [name, live] as const;
    });
    return Object.fromEntries(entries);
  }

  #takeMessage(frame: WireObject, t: number): void {
    const expected = this.users.find(({ index }) => !this.#matched.has(index));
    if (!expected) {
      this.unexpected.push({ kind: 'prompt', name: 'user', t });
      return;
    }
    this.#matched.add(expected.index);
    const { uuid: taped } = expected.frame;
    const { uuid: live } = frame;
    if (typeof taped === 'string' && typeof live === 'string' && taped !== live) this.#uuids.set(taped, live);
    this.#compare(expected.item, { taped: withoutOwn(expected.frame), live: withoutOwn(frame) });
  }

  #takeRequest(question: WireQuestion, t: number): string | undefined {
    const expected = this.#findRequest(question);
    if (expected?.question) {
      this.#matched.add(expected.index);
      this.#requestIds.set(expected.question.requestId, question.requestId);
      const { message } = expected.question.mcp ?? {};
      if (message?.['id'] !== undefined) this.#rpcIds.set(message['id'], question.mcp?.message['id']);
      // The handshake is not compared. It says what the program offers, and that may have changed. Its consequences are
      // compared. Messages of a server are not compared either.
      else if (question.subtype !== 'initialize' && !question.mcp)
        this.#compare(expected.item, { taped: expected.question.request, live: question.request });
    }
    // A message that a server sends by itself is acknowledged at once. The acknowledgement has no content.
    if (question.mcp) {
      if (!expected && question.mcp.message['id'] !== undefined)
        this.unexpected.push({ kind: 'request', name: question.name, t });
      return encodeSuccess(question.requestId, undefined);
    }
    if (expected) return undefined;
    const reply = isReadOnly(question.subtype) ? this.#options.tapedReplies.get(question.subtype) : undefined;
    if (reply) return stringifyDeep(withRequestId(reply, question.requestId));
    this.unexpected.push({ kind: 'request', name: question.subtype, t });
    return encodeFailure(
      question.requestId,
      `The tape has no answer to the control request "${question.subtype}"`,
    );
  }

  #findRequest({ subtype, request, mcp }: WireQuestion): ExpectedFrame | undefined {
    const open = [...this.script.expected.values()].filter(
      ({ index, question }) =>
        question?.subtype === subtype &&
        !this.#matched.has(index) &&
        question.mcp?.server === mcp?.server &&
        question.mcp?.message['method'] === mcp?.message['method'],
    );
    const wanted = stringifyDeep(request);
    return open.find(({ question }) => stringifyDeep(question?.request) === wanted) ?? open[0];
  }

  #takeAnswer(requestId: string, live: unknown): void {
    for (const { index, answers, frame, item } of this.script.expected.values()) {
      if (answers?.requestId !== requestId || this.#matched.has(index)) continue;
      this.#matched.add(index);
      const question = answers.mcp
        ? answers.mcp.message['params']
        : (answers.request['input'] ?? answers.request);
      this.#compare(item, { question, taped: bodyOf(readWireAnswer(frame)?.value), live: bodyOf(live) });
      return;
    }
  }

  #compare(
    item: ReplayItem,
    { question, taped, live }: { question?: unknown; taped: unknown; live: unknown },
  ): void {
    this.compared += 1;
    const changes = this.#findChanges(item, taped, live);
    if (changes.length === 0) return;
    this.differences.push({ ...item, ...withoutUndefined({ question }), taped, live, changes });
  }

  #findChanges(item: ReplayItem, taped: unknown, live: unknown): JsonChange[] {
    try {
      return this.#options.compare(taped, live, item);
    } catch {
      // It is not known whether the values are equal, so they count as different.
      return [{ path: '', taped, live }];
    }
  }
}

/** An answer without its envelope, which has the id of the question. */
function bodyOf(value: unknown): unknown {
  const answer = readMcpAnswer(value);
  if (!isRecord(answer) || answer['jsonrpc'] === undefined) return answer;
  const { jsonrpc: _, id: __, ...body } = answer;
  return body;
}

function withoutOwn(frame: WireObject): WireObject {
  return Object.fromEntries(Object.entries(frame).filter(([name]) => !OWN_FIELDS.includes(name)));
}

function withRequestId(frame: WireObject, requestId: string): WireObject {
  return { ...frame, response: { ...(frame['response'] as WireObject), request_id: requestId } };
}
