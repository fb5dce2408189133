// A session whose calls were cut off, completed by one process after the other: each dies after so many steps, the last one lives. Records,
// decider and writer are the real ones; a step is anything that they have stored, read or run.
import { createSdkMcpServer } from '../../../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import type { RepeatPolicy } from '../../../../../src/answer/mcp/tool/repeat-policy.js';
import { tool } from '../../../../../src/answer/mcp/tool/tool.js';
import { FIRST_MESSAGE } from '../../../../../src/live/tooling/call-key.js';
import { CallLedger } from '../../../../../src/live/tooling/call-ledger.js';
import { WarningReporter } from '../../../../../src/options/check/warning-reporter.js';
import type { Options } from '../../../../../src/options/options.js';
import { createMemoryCallRecords } from '../../../../../src/record/calls/memory-call-records.js';
import { InMemorySessionStore } from '../../../../../src/record/history/store/in-memory-session-store.js';
import { CallCompletion } from '../../../../../src/verbs/conversation/completion/call-completion.js';
import { Patience } from '../../../../../src/verbs/conversation/completion/patience.js';
import { PermissionChanges } from '../../../../../src/verbs/conversation/completion/permission-changes.js';
import { RecordedCalls } from '../../../../../src/verbs/conversation/completion/recorded-calls.js';
import { findTranscriptPlace } from '../../../../../src/verbs/conversation/completion/transcript-place.js';
import { nameThisProcess } from '../../../../../src/wire/process/process-name.js';
import type { CallFact, CallRecords } from '../../../../../src/wire/protocol/config/call-records.js';
import type { SessionStoreEntry } from '../../../../../src/wire/protocol/config/session-store.js';
import { FALSE_RESULTS, TranscriptBuilder } from '../../../../calls/transcript/support/transcripts.js';

const SESSION = '00000000-0000-4000-8000-0000000000e1';
const PROJECT = 'model';
export const DENIAL = 'Not today.';
const TOOL = 'mcp__shop__pay';

/** What had happened to a call before it was cut off. */
export interface CallHistory {
  /** What was recorded, as far as it got. */
  known:
    | 'nothing'
    | 'asked'
    | 'allowed'
    | 'edited'
    | 'denied'
    | 'withdrawn'
    | 'begun'
    | 'waiting'
    | 'ended'
    | 'completed';
  /** Whether the CLI wrote a result that says nothing true. */
  hasFalseResult: boolean;
}

/** A session, and the processes that go on with it. */
export interface Plan {
  calls: CallHistory[];
  isCovered: boolean;
  onRepeat: RepeatPolicy | undefined;
  /** After how many steps each process dies; one more follows and lives. */
  deaths: number[];
}

/** What the harness saw, whatever the parts under test made of it. */
export interface Seen {
  /** By call: how often its handler had its effect, and with which order. */
  effects: { call: number; order: number; life: number }[];
  /** The facts that the program wanted to be stored, and that a living process was told of as stored. */
  stored: { fact: CallFact; life: number }[];
  /** Questions to the person. */
  asked: { call: number; life: number; isAnswered: boolean }[];
  entries: SessionStoreEntry[];
  /** What the last process said, and what one more found to do. */
  last: { how: string; delivered: boolean; call: number }[];
  left: number;
}

/** A part that is wrong on purpose. */
export interface Wrong {
  /** Facts that get lost on the way into the records. */
  loses?: (fact: CallFact) => boolean;
  /** What a decider believes instead of what is recorded. */
  believes?: (facts: CallFact[]) => CallFact[];
  /** What a writer makes of what it is to append. */
  writes?: (entries: SessionStoreEntry[]) => SessionStoreEntry[];
}

class Death extends Error {}

/** Plays a plan. */
export async function playLives(plan: Plan, wrong: Wrong = {}): Promise<Seen> {
  const world = new World(plan, wrong);
  await world.begin();
  for (const [index, steps] of plan.deaths.entries()) await world.live(index + 1, steps);
  const last = await world.live(plan.deaths.length + 1, Infinity);
  const again = await world.live(plan.deaths.length + 2, Infinity);
  const entries = (await world.store.load(world.key)) ?? [];
  return { ...world.seen, entries, last: last ?? [], left: again?.length ?? 0 };
}

const idOf = (call: number): string => `toolu_${call}`;

class World {
  readonly store = new InMemorySessionStore();
  readonly key = { projectKey: PROJECT, sessionId: SESSION };
  readonly seen: Omit<Seen, 'entries' | 'last' | 'left'> = { effects: [], stored: [], asked: [] };
  readonly #plan: Plan;
  readonly #wrong: Wrong;
  readonly #keys = new Map<string, string>();
  #time = 0;
  readonly #kept: CallRecords = createMemoryCallRecords({ clock: () => this.#time });

  constructor(plan: Plan, wrong: Wrong) {
    this.#plan = plan;
    this.#wrong = wrong;
  }

  /** The transcript as it was cut off, and what was recorded until then. */
  async begin(): Promise<void> {
    const transcript = new TranscriptBuilder();
    const prompt = transcript.prompt('Pay.');
    for (const call of this.#plan.calls.keys()) transcript.calls(idOf(call), 'msg_1', { order: call });
    for (const [call, { hasFalseResult }] of this.#plan.calls.entries())
      if (hasFalseResult) transcript.returns(idOf(call), FALSE_RESULTS[call], { isError: true });
    const entries = JSON.parse(
      JSON.stringify(transcript.entries).replaceAll('"name":"refund"', `"name":"${TOOL}"`),
    ) as SessionStoreEntry[];
    await this.store.append(this.key, entries);
    const made = this.#plan.calls.map((_, call) => ({
      toolUseId: idOf(call),
      toolName: TOOL,
      input: { order: call },
      hasEnded: false,
    }));
    for (const [id, { callKey }] of CallLedger.identifyAll(SESSION, FIRST_MESSAGE, made))
      this.#keys.set(id, callKey);
    if (this.#plan.isCovered) this.#add({ type: 'covers', message: prompt, at: 0 }, 0);
    for (const [call, history] of this.#plan.calls.entries())
      for (const fact of this.#factsOf(call, history)) this.#add(fact, 0);
  }

  #factsOf(call: number, { known }: CallHistory): CallFact[] {
    const callKey = this.#keys.get(idOf(call)) ?? '';
    const named = { callKey, toolUseId: idOf(call), toolName: TOOL, input: { order: call } };
    const asked: CallFact = { type: 'asked', ...named, question: {}, at: 1 };
    const allowed: CallFact = { type: 'answered', callKey, answer: { behavior: 'allow' }, at: 2 };
    const begun: CallFact = { type: 'begun', ...named, attempt: 1, owner: nameDead(0), at: 3 };
    const edited: CallFact = {
      type: 'answered',
      callKey,
      answer: { behavior: 'allow', updatedInput: { order: call + 100 } },
      at: 2,
    };
    const denied: CallFact = {
      type: 'answered',
      callKey,
      answer: { behavior: 'deny', message: DENIAL },
      at: 2,
    };
    const result = { content: [{ type: 'text', text: `paid ${call}` }] };
    const facts: Record<CallHistory['known'], CallFact[]> = {
      nothing: [],
      asked: [asked],
      allowed: [asked, allowed],
      edited: [asked, edited],
      denied: [asked, denied],
      withdrawn: [asked, { type: 'withdrawn', callKey, at: 2 }],
      begun: [asked, allowed, begun],
      waiting: [asked, allowed, begun, { type: 'waiting', callKey, at: 4 }],
      ended: [asked, allowed, begun, { type: 'ended', callKey, result, at: 4 }],
      completed: [
        asked,
        allowed,
        begun,
        { type: 'pending', callKey, at: 4 },
        { type: 'ended', callKey, result, by: 'bank', completion: 'one', at: 5 },
        { type: 'ended', callKey, result: { content: [] }, by: 'late', completion: 'two', at: 6 },
      ],
    };
    return facts[known];
  }

  #add(fact: CallFact, life: number): void {
    this.seen.stored.push({ fact, life });
    if (this.#wrong.loses?.(fact) !== true) void this.#kept.add(fact);
  }

  /** One process; undefined where it died. */
  async live(life: number, deathAfter: number): Promise<Seen['last'] | undefined> {
    let steps = 0;
    let completion: CallCompletion | undefined;
    let isDead = false;
    const step = (): void => {
      steps += 1;
      if (isDead || steps > deathAfter) {
        isDead = true;
        completion?.close(new Death());
        throw new Death();
      }
    };
    // A life may die before and after each step: the step may have its effect although its caller was not told.
    const around = <T>(work: () => T): T => {
      step();
      const done = work();
      step();
      return done;
    };
    const records: CallRecords = {
      add: (fact) => around(() => this.#add(fact, life)),
      load: async () => {
        step();
        const facts = await this.#kept.load();
        return this.#wrong.believes?.(facts) ?? facts;
      },
      claim: async (options) => {
        step();
        const claim = await this.#kept.claim(options);
        step();
        if (!('release' in claim)) return claim;
        const renew = async (): Promise<boolean> => {
          step();
          return await claim.renew();
        };
        // A dead process does not release its claim.
        return { renew, release: async () => (isDead ? undefined : await claim.release()) };
      },
    };
    const store = this.#createStore(step);
    const options: Options = { ...this.#createOptions(life, step), sessionStore: store, projectKey: PROJECT };
    const owner = nameDead(life);
    // The call may have another id by now: its reply was written once more.
    const identify = ({ input }: { input: unknown }) => ({
      callKey: this.#keys.get(idOf((input as { order: number }).order % 100)) ?? '',
      attempt: life + 1,
    });
    const recorder = new RecordedCalls({ records, owner, identify, onFailure: () => {} });
    const place = findTranscriptPlace({ sessionId: SESSION, options, cliVersion: '2.1.325' });
    const warnings = new WarningReporter(options);
    completion = new CallCompletion({
      sessionId: SESSION,
      options,
      warnings,
      patience: new Patience(),
      changes: new PermissionChanges({ options, warnings, onMode: () => {} }),
      onHooksMissed: () => {},
      records,
      recorder,
      owner,
      place,
    });
    try {
      const { calls } = await completion.run();
      await completion.release();
      if (isDead) return undefined;
      return calls.map(({ how, delivered, input }) => ({
        how,
        delivered,
        call: (input as { order: number }).order,
      }));
    } catch (error) {
      if (!isDead) throw error;
      return undefined;
    } finally {
      recorder.stop(new Death());
      completion.close(new Death());
      // The claim of a dead process runs out.
      this.#time += 60_000;
    }
  }

  /** Appends part of what it is given where the process dies within. */
  #createStore(step: () => void): InMemorySessionStore {
    const { store } = this;
    const append: InMemorySessionStore['append'] = async (key, entries) => {
      const written = this.#wrong.writes?.([...entries]) ?? entries;
      for (const entry of written) {
        step();
        await store.append(key, [entry]);
      }
      step();
    };
    return new Proxy(store, {
      get: (target, name) => {
        if (name === 'append') return append;
        const value = Reflect.get(target, name, target) as unknown;
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }

  #createOptions(life: number, step: () => void): Options {
    const { onRepeat } = this.#plan;
    const pay = tool({
      name: 'pay',
      description: 'Pays',
      inputSchema: { order: 'number' },
      ...(onRepeat && { onRepeat }),
      run: ({ order }) => {
        step();
        this.seen.effects.push({ call: order % 100, order, life });
        step();
        return `paid ${order}`;
      },
    });
    return {
      mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: [pay] }) },
      canUseTool: async (_name, input, { callKey = '' }) => {
        const call = input['order'] as number;
        const isAnswered = this.seen.stored.some(
          ({ fact }) => fact.type === 'answered' && fact.callKey === callKey,
        );
        this.seen.asked.push({ call, life, isAnswered });
        return { behavior: 'allow', updatedInput: input };
      },
    };
  }
}

/** A process of this machine before it was started anew. */
function nameDead(life: number): string {
  return JSON.stringify({ ...(JSON.parse(nameThisProcess()) as object), boot: `before ${life}` });
}
