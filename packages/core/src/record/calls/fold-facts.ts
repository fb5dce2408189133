// Folds facts into what is known of each call. Facts come in the order in which they were added. A fact that comes
// twice, as after a repeated write, counts at its first place.
import { canonicalJson } from '../../util/canonical-json.js';
import { digest } from '../../util/digest.js';
import type { PermissionResult } from '../../wire/protocol/control/permission-question.js';
import type {
  CallFact,
  PendingOutput,
  RecordedCall,
  RecordedQuestion,
  RecordedResult,
} from '../../wire/protocol/config/call-records.js';

/** The state of one call, from its facts. Times are in milliseconds since the epoch. */
export interface KnownCallState {
  readonly callKey: string;
  readonly toolUseId?: string;
  /** Undefined where neither the question nor the beginning was recorded. */
  readonly toolName?: string;
  /** The model's input of the call; undefined when `toolName` is. */
  readonly input?: Record<string, unknown>;
  /** The newest question. */
  readonly asked?: { readonly question: RecordedQuestion; readonly at: number };
  /** The first answer to the newest question. */
  readonly answered?: {
    readonly answer: PermissionResult;
    readonly by?: string;
    /** Whether the CLI that asked was gone by then, and did not get the answer. */
    readonly withoutCli?: boolean;
    readonly at: number;
  };
  /** Set when the newest question was removed, or has expired, before it was answered. */
  readonly withdrawn?: { readonly at: number };
  /** The newest attempt to run the call. */
  readonly begun?: {
    readonly owner: string;
    readonly attempt: number;
    readonly ranInput?: Record<string, unknown>;
    readonly at: number;
  };
  /**
   * Whether the handler of the newest attempt waits for a person, so that the call may be run again from the start. False
   * once the handler went on or ended.
   */
  readonly isWaiting: boolean;
  /** Whether the process of the newest attempt has cancelled its handler. */
  readonly isLeft?: true;
  /** Set when the handler of the newest attempt returned `pending()`. */
  readonly pending?: {
    readonly note?: string;
    readonly output?: PendingOutput;
    readonly at: number;
    /** When the turn was stopped before there was a result. */
    readonly withdrawnAt?: number;
  };
  /** How far the handler of the newest attempt has got, as it said last. */
  readonly progress?: {
    readonly progress: number;
    readonly total?: number;
    readonly message?: string;
    readonly at: number;
  };
  /** The first result since the newest attempt began. `by` and `completion` are those of a pending call. */
  readonly ended?: {
    readonly result: RecordedResult;
    readonly by?: string;
    readonly completion?: string;
    readonly at: number;
  };
}

/** Whether a call waits for a result that may come from any process. */
export function isOpenPending({ pending, ended }: KnownCallState): boolean {
  return pending !== undefined && pending.withdrawnAt === undefined && !ended;
}

/** Facts whose JSON is longer are compared by a digest, so that no result is in memory twice. */
const MAX_NAME = 1000;

type Changing = { -readonly [Name in keyof KnownCallState]: KnownCallState[Name] };

/** What is known of the calls of a session. */
export class KnownCalls {
  readonly #calls = new Map<string, Changing>();
  readonly #keys = new Map<string, string>();
  readonly #covering = new Set<string>();
  readonly #clis = new Set<string>();
  readonly #seen = new Set<string>();

  /** Every call with a fact, in the order of the first facts. */
  list(): KnownCallState[] {
    return [...this.#calls.values()];
  }

  /** The CLI processes that had the transcript, as the `covers` facts name them. */
  get clis(): ReadonlySet<string> {
    return this.#clis;
  }

  get(callKey: string): KnownCallState | undefined {
    return this.#calls.get(callKey);
  }

  /** Finds a call by the id that the model gave it; of two with the same id, the one that was recorded last. */
  findByToolUseId(toolUseId: string): KnownCallState | undefined {
    const callKey = this.#keys.get(toolUseId);
    return callKey === undefined ? undefined : this.#calls.get(callKey);
  }

  /** Whether every call that began in the turn of this message was recorded. A call without a fact then did not begin. */
  covers(messageUuid: string): boolean {
    return this.#covering.has(messageUuid);
  }

  /** Adds a fact. A fact whose type this version does not know is ignored. */
  add(fact: CallFact): void {
    // A handler that waits twice within a millisecond writes the same fact twice. The second is lost then, and the call
    // counts as working. That is the careful reading: the call is not run again as if it had had no effect.
    const text = canonicalJson(fact);
    const name = text.length > MAX_NAME ? digest(text) : text;
    if (this.#seen.has(name)) return;
    this.#seen.add(name);
    if (fact.type === 'covers') {
      this.#covering.add(fact.message);
      if (fact.cli !== undefined) this.#clis.add(fact.cli);
    } else if (Object.hasOwn(READERS, fact.type)) this.#apply(fact);
  }

  #apply(fact: FactOfCall): void {
    const known = this.#calls.get(fact.callKey);
    const call = known ?? { callKey: fact.callKey, isWaiting: false };
    if (!known) this.#calls.set(fact.callKey, call);
    (READERS[fact.type] as (call: Changing, fact: FactOfCall) => void)(call, fact);
    if (call.toolUseId !== undefined) this.#keys.set(call.toolUseId, call.callKey);
  }
}

/** Folds all facts. */
export function foldFacts(facts: Iterable<CallFact>): KnownCalls {
  const known = new KnownCalls();
  for (const fact of facts) known.add(fact);
  return known;
}

type FactOfCall = Exclude<CallFact, { type: 'covers' }>;

const READERS: { [Type in FactOfCall['type']]: (call: Changing, fact: FactOf<Type>) => void } = {
  asked(call, fact) {
    describe(call, fact);
    call.asked = { question: fact.question, at: fact.at };
    // A new question needs a new answer.
    delete call.answered;
    delete call.withdrawn;
  },
  answered(call, { answer, by, withoutCli, at }) {
    // A question is settled once, by its first answer or by its withdrawal.
    if (call.answered ?? call.withdrawn) return;
    call.answered = {
      answer,
      ...(by !== undefined && { by }),
      ...(withoutCli === true && { withoutCli }),
      at,
    };
  },
  withdrawn(call, { at }) {
    if (call.pending) {
      if (isOpenPending(call)) call.pending = { ...call.pending, withdrawnAt: at };
      return;
    }
    if (call.answered ?? call.withdrawn) return;
    call.withdrawn = { at };
  },
  begun(call, fact) {
    describe(call, fact);
    const { owner, attempt, ranInput, at } = fact;
    const before = call.begun?.attempt ?? attempt;
    if (attempt < before) return;
    call.begun = { owner, attempt, ...(ranInput !== undefined && { ranInput }), at };
    call.isWaiting = false;
    delete call.isLeft;
    delete call.pending;
    delete call.progress;
    // The result of the attempt before says nothing about this one, unless it was given to the call from outside.
    if (attempt > before && call.ended?.completion === undefined) delete call.ended;
  },
  waiting(call) {
    if (!call.ended) call.isWaiting = true;
  },
  working(call) {
    call.isWaiting = false;
  },
  left(call) {
    call.isLeft = true;
  },
  pending(call, { note, output, at }) {
    call.isWaiting = false;
    call.pending = { ...(note !== undefined && { note }), ...(output !== undefined && { output }), at };
    // A result that the handler returned belongs to an earlier run. One that was given to the call by its key still counts.
    if (call.ended?.completion === undefined) delete call.ended;
  },
  progress(call, { progress, total, message, at }) {
    if (call.ended) return;
    call.progress = {
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
      at,
    };
  },
  ended(call, { result, by, completion, at }) {
    call.isWaiting = false;
    // The model was told that the turn was stopped, so a later result is not taken.
    if (call.pending?.withdrawnAt !== undefined) return;
    call.ended ??= {
      result,
      ...(by !== undefined && { by }),
      ...(completion !== undefined && { completion }),
      at,
    };
  },
};

type FactOf<Type extends CallFact['type']> = Extract<CallFact, { type: Type }>;

function describe(call: Changing, { toolUseId, toolName, input }: RecordedCall): void {
  call.toolName = toolName;
  call.input = input;
  if (toolUseId !== undefined) call.toolUseId = toolUseId;
}
