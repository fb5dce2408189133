// Plays turns that share budgets on a journal, in an order that a seed decides: they begin, end, are parked, handed over, killed and
// removed, and cost what they like. After every step, no budget may be exceeded by more than turns have cost above their
// reservations.
import { expect } from 'vitest';
import type { Journal } from '../../src/journal/journal.js';
import type { ConversationRecord, Fence, TurnRecord } from '../../src/journal/records.js';
import { decideBudget, type Budgets } from '../../src/limits/budgets.js';
import { createChance, type Chance } from '../../../../test/official/chance.js';

export interface ScheduleInput {
  journals: readonly [Journal, ...Journal[]];
  seed: number;
  steps: number;
  /** How many things happen at the same time. */
  atOnce?: number | undefined;
  /** Milliseconds after which a turn that waits looks again. */
  afterMs: number;
  /** Makes the lease of a worker that died run out. */
  expire: (fence: Fence) => Promise<void>;
  /** Lets time pass while nothing can be done. False if time does not help. */
  rest: () => Promise<boolean>;
}

/** A conversation, and what its worker does. */
interface Chat {
  readonly key: string;
  readonly tenant: string;
  sent: number;
  isBusy: boolean;
  running: { fence: Fence; turn: TurnRecord; reservedUsd: number } | undefined;
  /** What an attempt has cost that was killed, and that the transcript tells the next one. */
  lostUsd: number;
  question: string | undefined;
}

const TENANTS = ['ann', 'bob'] as const;
const BUDGETS: Budgets = { conversation: 1, tenant: (tenant) => (tenant === 'ann' ? 1.5 : 2), cluster: 3 };
/** Sums of fractions are never exact, and less than this is left to nobody. */
const TOLERANCE = 1e-5;

/** Plays one schedule. Rejects if a budget was exceeded, or if a turn was never woken. Resolves with what happened how often. */
export async function playBudgets(input: ScheduleInput): Promise<Record<string, number>> {
  const play = new BudgetPlay(input);
  await play.run();
  return play.counts;
}

class BudgetPlay {
  readonly counts: Record<string, number> = {};
  readonly #input: ScheduleInput;
  readonly #chance: Chance;
  readonly #budgets: Budgets;
  readonly #chats: Chat[];
  /** What turns have cost above their reservations, by tenant. */
  readonly #above = new Map<string, number>();

  constructor(input: ScheduleInput) {
    this.#input = input;
    this.#chance = createChance(input.seed);
    // Some schedules reserve all that is free.
    this.#budgets = {
      ...BUDGETS,
      ...(input.seed % 4 !== 0 && { reserveUsd: 0.1 + this.#chance.next() / 2 }),
    };
    this.#chats = Array.from({ length: 7 }, (_, at) => ({
      key: `chat-${input.seed}-${at}`,
      tenant: TENANTS[at % TENANTS.length] as string,
      sent: 0,
      isBusy: false,
      running: undefined,
      lostUsd: 0,
      question: undefined,
    }));
  }

  async run(): Promise<void> {
    const { steps, atOnce = 1 } = this.#input;
    for (let step = 0; step < steps; step += 1) {
      await Promise.all(Array.from({ length: atOnce }, () => this.#with((chat) => this.#act(chat))));
      await this.#check();
    }
    await this.#settleAll();
    await this.#check();
  }

  get #journal(): Journal {
    return this.#chance.pick(this.#input.journals);
  }

  async #with(act: (chat: Chat) => Promise<void>): Promise<void> {
    const free = this.#chats.filter(({ isBusy }) => !isBusy);
    const chat = this.#chance.pick(free);
    chat.isBusy = true;
    try {
      await act(chat);
    } finally {
      chat.isBusy = false;
    }
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  async #act(chat: Chat): Promise<void> {
    const { key, tenant } = chat;
    if (chat.running) await this.#leave(chat, chat.running);
    else if (chat.question !== undefined && this.#chance.next() < 0.5) await this.#answer(chat);
    else if (this.#chance.next() < 0.5) {
      chat.sent += 1;
      const start = { agent: 'support', data: null, tenant };
      await this.#journal.enqueue({ key, id: `turn-${chat.sent}`, content: 'x', start });
    } else await this.#begin(chat);
  }

  async #answer(chat: Chat): Promise<void> {
    const { question = '' } = chat;
    chat.question = undefined;
    await this.#journal.answer(question, { result: { behavior: 'allow' }, answeredAt: 0 });
  }

  /** Whether there was a turn to begin. */
  async #begin(chat: Chat): Promise<boolean> {
    const lease = await this.#journal.lease(chat.key, { owner: 'w', ms: 600_000 });
    if (lease.state !== 'granted') return false;
    const { fence, conversation } = lease;
    const turn = await this.#journal.next(fence);
    if (!turn) await this.#journal.release(fence);
    else await this.#admit(chat, fence, turn, conversation);
    return turn !== undefined;
  }

  async #admit(chat: Chat, fence: Fence, turn: TurnRecord, conversation: ConversationRecord): Promise<void> {
    const journal = this.#journal;
    const turnCostUsd = turn.turnCostUsd + chat.lostUsd;
    // Some agents have a limit of their own, so that turns that want all that is free line up with turns that want an amount.
    const ownUsd = chat.key.endsWith('0') || chat.key.endsWith('3') ? 0.25 : undefined;
    const facts = { fence, ownUsd, ...(chat.lostUsd > 0 && { turnCostUsd }) };
    const decided = await decideBudget({ journal, budgets: this.#budgets }, turn, conversation, facts);
    chat.lostUsd = 0;
    turn.turnCostUsd = turnCostUsd;
    if (decided.admitted) {
      this.#count('begun');
      let reservedUsd = decided.maxBudgetUsd ?? Infinity;
      // An agent may have a lower limit than was known before it was asked.
      if (this.#chance.next() < 0.2) {
        const own = { fence, ownUsd: reservedUsd / 2 };
        const lowered = await decideBudget({ journal, budgets: this.#budgets }, turn, conversation, own);
        this.#count('lowered');
        expect(lowered.admitted).toBe(true);
        if (lowered.admitted) reservedUsd = lowered.maxBudgetUsd ?? Infinity;
      }
      chat.running = { fence, turn, reservedUsd };
    } else if (decided.outcome) {
      this.#count('refused');
      await journal.finish(fence, turn.id, { outcome: { ...decided.outcome, turnCostUsd } });
      await journal.release(fence);
    } else {
      this.#count('waited');
      await journal.release(fence, { turn: turn.id, turnCostUsd: 0, afterMs: this.#input.afterMs });
    }
  }

  /** What a turn costs in this lease: mostly less than it has reserved, sometimes more. */
  #cost({ tenant }: Chat, reservedUsd: number): number {
    const usd =
      reservedUsd * (this.#chance.next() < 0.2 ? 1 + this.#chance.next() / 2 : this.#chance.next() / 3);
    this.#above.set(tenant, (this.#above.get(tenant) ?? 0) + Math.max(0, usd - reservedUsd));
    return usd;
  }

  async #leave(chat: Chat, { fence, turn, reservedUsd }: NonNullable<Chat['running']>): Promise<void> {
    const journal = this.#journal;
    const turnCostUsd = this.#cost(chat, reservedUsd);
    chat.running = undefined;
    const how = this.#chance.next();
    if (how < 0.15) {
      this.#count('killed');
      chat.lostUsd = turnCostUsd;
      await this.#input.expire(fence);
    } else if (how < 0.3) {
      this.#count('parked');
      chat.question = `question-${chat.key}-${fence.epoch}`;
      const question = {
        id: chat.question,
        kind: 'permission',
        attempt: 1,
        askedAt: 0,
        toolName: 'pay',
        input: {},
      };
      await journal.ask(fence, turn.id, question as never);
      await journal.park(fence, turn.id, { questions: [chat.question], turnCostUsd });
      await journal.release(fence);
    } else if (how < 0.4) {
      this.#count('handed over');
      await journal.release(fence, { turn: turn.id, turnCostUsd, failed: this.#chance.next() < 0.5 });
    } else {
      this.#count('ended');
      const outcome = { ok: true, kind: 'ok', text: '', turnCostUsd: turn.turnCostUsd + turnCostUsd };
      await journal.finish(fence, turn.id, { outcome });
      await journal.release(fence);
    }
  }

  async #check(): Promise<void> {
    const [journal] = this.#input.journals;
    let above = 0;
    for (const tenant of TENANTS) {
      const aboveOwn = this.#above.get(tenant) ?? 0;
      above += aboveOwn;
      const limit = (BUDGETS.tenant as (tenant: string) => number)(tenant);
      expect(await journal.spent({ tenant }), tenant).toBeLessThanOrEqual(limit + aboveOwn + TOLERANCE);
    }
    expect(await journal.spent()).toBeLessThanOrEqual((BUDGETS.cluster as number) + above + TOLERANCE);
  }

  /** Lets all turns end. None of those that wait may be forgotten. */
  async #settleAll(): Promise<void> {
    const [journal] = this.#input.journals;
    for (let rounds = 0; ; rounds += 1) {
      expect(rounds, 'all turns end').toBeLessThan(2000);
      let isStill = true;
      for (const chat of this.#chats) {
        if (chat.running) await this.#leave(chat, chat.running);
        else if (chat.question !== undefined) await this.#answer(chat);
        else if (!(await this.#begin(chat))) continue;
        isStill = false;
      }
      if (!isStill) continue;
      const { turns } = await journal.stats();
      if (turns.ended === this.#chats.reduce((sum, { sent }) => sum + sent, 0)) return;
      expect(await this.#input.rest(), 'a turn that waits was woken').toBe(true);
    }
  }
}
