// A journal, in memory unless another is given, filled by hand as a worker would fill it: for the pages and commands that show a cluster.
import type { Journal } from '@inboard/cluster/journal/journal.js';
import { memoryJournal } from '@inboard/cluster/journal/memory/memory-journal.js';
import type { Fence, Json, TurnOutcome } from '@inboard/cluster/journal/records.js';

/** A journal and the workers on it. */
export class ClusterScene {
  readonly journal: Journal;
  now: number;

  constructor({
    now = Date.parse('2026-11-16T10:00:00Z'),
    journal,
  }: { now?: number; journal?: Journal } = {}) {
    this.now = now;
    this.journal = journal ?? memoryJournal({ now: () => this.now });
  }

  async send(key: string, content: Json, start: { agent?: string; tenant?: string } = {}): Promise<string> {
    const { agent = 'support', tenant } = start;
    const id = `t${(await this.journal.turns(key)).length + 1}`;
    await this.journal.enqueue({ key, id, content, start: { agent, data: null, tenant } });
    return id;
  }

  /** A worker takes a conversation up; the turn it gets is under way then. */
  async take(key: string, owner = 'w1'): Promise<{ fence: Fence; turn: string }> {
    const answer = await this.journal.lease(key, { owner, ms: 3000 });
    if (answer.state !== 'granted') throw new Error(`${key} is ${answer.state}`);
    const turn = await this.journal.next(answer.fence);
    if (!turn) throw new Error(`${key} has nothing to do`);
    return { fence: answer.fence, turn: turn.id };
  }

  /** What a CLI says. */
  async say(fence: Fence, turn: string, ...messages: object[]): Promise<void> {
    const events = messages.map((message) => ({ turn, type: 'message' as const, message: message as Json }));
    await this.journal.publish(fence, events);
  }

  async ask(
    fence: Fence,
    turn: string,
    id: string,
    input: Record<string, unknown> = { order: '7' },
  ): Promise<void> {
    await this.journal.ask(fence, turn, {
      id,
      kind: 'permission',
      attempt: 1,
      askedAt: this.now,
      toolName: 'mcp__shop__refund',
      input,
    });
  }

  async finish(fence: Fence, turn: string, outcome: Partial<TurnOutcome> = {}): Promise<void> {
    await this.journal.finish(fence, turn, {
      outcome: { ok: true, kind: 'success', text: 'Done.', turnCostUsd: 0.01, ...outcome },
    });
    await this.journal.release(fence);
  }
}

/** A message of the model. */
export function says(id: string, ...content: object[]): object {
  return {
    type: 'assistant',
    message: { id, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content },
    parent_tool_use_id: null,
    uuid: `${id}-uuid`,
  };
}

/** How the CLI ends a turn. */
export function result(text: string, turnCostUsd = 0.01): object {
  return {
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: text,
    duration_ms: 900,
    num_turns: 1,
    total_cost_usd: turnCostUsd,
    usage: { input_tokens: 20, output_tokens: 9 },
  };
}
