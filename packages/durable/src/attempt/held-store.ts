// The transcripts and call records of a conversation, as the session of one attempt uses them. A write that fails for a moment is
// repeated. A lost fence ends the attempt. What earlier attempts recorded is read as what it is: left behind.
import { APPENDS_TOGETHER } from '@inboard/core/record/history/store/session-mirror.js';
import { BackOff } from '@inboard/core/util/back-off.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { sleep } from '@inboard/core/util/timers.js';
import type { CallFact, CallRecords } from '@inboard/core/wire/protocol/config/call-records.js';
import type { SessionKey, SessionStoreEntry } from '@inboard/core/wire/protocol/config/session-store.js';
import type { LedgerStore } from '../ledger/ledger.js';
import type { AttemptState } from './attempt-state.js';
import { HeldTranscripts } from './held-transcripts.js';

/** The project key of all conversations in a ledger, whatever folder a machine works in. */
export const LEDGER_PROJECT_KEY = 'inboard-durable';

/** How long a write is repeated while the ledger fails. After that, the attempt fails. */
const GIVE_UP_AFTER_MS = 30_000;
const RETRIES = { firstMs: 50, longestMs: 2000 };
/** Codes of errors that another try would meet again. */
const LASTING: ReadonlySet<unknown> = new Set(['INVALID_OPTIONS', 'JOURNAL_VERSION', 'CLUSTER_CLOSED']);

export interface HeldStoreInput {
  readonly store: LedgerStore;
  readonly state: AttemptState;
  /** Called with every fact before it is written. */
  readonly onFact: (fact: CallFact) => void;
}

/** One per attempt. It is the session store of the attempt's session. */
export class HeldStore implements LedgerStore {
  readonly [APPENDS_TOGETHER] = true;
  readonly #input: HeldStoreInput;
  readonly #transcripts: HeldTranscripts;
  /** Writes under way. */
  readonly #writing = new Set<Promise<unknown>>();
  /** The keys of the calls that this attempt has begun. */
  readonly #begun = new Set<string>();

  constructor(input: HeldStoreInput) {
    this.#input = input;
    this.#transcripts = new HeldTranscripts({ store: input.store, hold: (call) => this.hold(call) });
  }

  readonly append = (key: SessionKey, entries: SessionStoreEntry[]): Promise<void> =>
    this.#transcripts.append(key, entries);

  readonly load = (key: SessionKey): Promise<SessionStoreEntry[] | null> => this.#transcripts.load(key);

  readonly listSubkeys = (key: { projectKey: string; sessionId: string }): Promise<string[]> =>
    this.hold(() => this.#input.store.listSubkeys(key));

  readonly listSessions = (projectKey: string): Promise<Array<{ sessionId: string; mtime: number }>> =>
    this.hold(() => this.#input.store.listSessions(projectKey));

  readonly calls = (key: { projectKey: string; sessionId: string }): CallRecords => {
    const records = this.#input.store.calls(key);
    return {
      add: async (fact) => {
        if (fact.type === 'begun') this.#begun.add(fact.callKey);
        this.#input.onFact(fact);
        await this.hold(async () => await records.add(fact));
      },
      load: async () => this.#readFacts(await this.hold(() => records.load())),
      claim: (options) => this.hold(() => records.claim(options)),
    };
  };

  /** Loads the main transcript. */
  loadMain(sessionId: string): Promise<SessionStoreEntry[] | null> {
    return this.load({ projectKey: LEDGER_PROJECT_KEY, sessionId });
  }

  /** Forgets the loaded transcripts. They are not needed once the CLI runs. */
  forgetLoaded(): void {
    this.#transcripts.forgetLoaded();
  }

  /** Waits until an entry is saved, at most for some milliseconds. */
  whenSaved(uuid: string, ms: number): Promise<void> {
    return this.#transcripts.whenSaved(uuid, ms);
  }

  /** Resolves once no write is under way. Never rejects. */
  async settled(): Promise<void> {
    while (this.#writing.size > 0) await Promise.allSettled(this.#writing);
  }

  /** Calls the ledger under the fence, again and again while it fails for a moment. */
  hold<T>(call: () => Promise<T>): Promise<T> {
    const trying = this.#repeat(call);
    this.#writing.add(trying);
    trying.finally(() => this.#writing.delete(trying)).catch(() => {});
    return trying;
  }

  async #repeat<T>(call: () => Promise<T>): Promise<T> {
    const { state } = this.#input;
    const giveUpAt = clock.performance.now() + GIVE_UP_AFTER_MS;
    const backOff = new BackOff(RETRIES);
    for (;;) {
      state.demand();
      try {
        return await call();
      } catch (error) {
        if (isRecord(error) && error['fatal'] === true) {
          state.leave({ why: 'lost' });
          throw error;
        }
        const isLasting =
          LASTING.has((error as { code?: unknown } | null)?.code) || error instanceof TypeError;
        if (isLasting || clock.performance.now() >= giveUpAt) {
          // Without its records and its transcript, the turn could not be continued. So this attempt must not go on.
          state.leave({ why: 'failed', error });
          throw error;
        }
      }
      await sleep(backOff.next());
    }
  }

  /**
   * The facts as this attempt has to read them. No process of an earlier attempt may write any more, so none of their handlers
   * is waited for, and none of their CLIs has the transcript.
   */
  #readFacts(facts: readonly CallFact[]): CallFact[] {
    const begun = new Set(facts.flatMap((fact) => (fact.type === 'begun' ? [fact.callKey] : [])));
    const left = [...begun].filter((callKey) => !this.#begun.has(callKey));
    return [
      ...facts.map((fact): CallFact => {
        if (fact.type !== 'covers') return fact;
        const { cli: _cli, ...covers } = fact;
        return covers;
      }),
      ...left.map((callKey): CallFact => ({ type: 'left', callKey, at: 0 })),
    ];
  }
}
