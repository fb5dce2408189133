// What a session cost, from its events alone: each token and each cent once.
import { describe, expect, it } from 'vitest';
import { bucket, makeScale } from '../../src/model/cost/chart-scale.js';
import { sumAgents } from '../../src/model/cost/agent-costs.js';
import { CostLedger } from '../../src/model/cost/cost-ledger.js';
import { addTokens, noTokens, promptTokens } from '../../src/model/cost/cost-types.js';
import type { NumberedEvent } from '../../src/stream/inspector-event.js';
import { EventMaker, readFixture } from '../support/make-events.js';

function read(events: readonly NumberedEvent[]): CostLedger {
  const ledger = new CostLedger();
  for (const event of events) ledger.push(event);
  return ledger;
}

const BIG = 'claude-big';
const SMALL = 'claude-small';

/** A message of a model with its counts, in one line or in several. */
function say(
  maker: EventMaker,
  {
    id,
    model = BIG,
    input = 100,
    output = 10,
    cacheRead = 0,
    cacheWrite = 0,
    parent = null as string | null,
  }: {
    id: string;
    model?: string;
    input?: number;
    output?: number;
    cacheRead?: number;
    cacheWrite?: number;
    parent?: string | null;
  },
): EventMaker {
  const usage = {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
  };
  return maker.in({
    type: 'assistant',
    parent_tool_use_id: parent,
    message: { id, model, role: 'assistant', content: [{ type: 'text', text: 'x' }], usage },
  });
}

const share = (inputTokens: number, outputTokens: number, costUSD: number, cacheReadInputTokens = 0) => ({
  inputTokens,
  outputTokens,
  cacheReadInputTokens,
  cacheCreationInputTokens: 0,
  costUSD,
  contextWindow: 200_000,
});

describe('turns', () => {
  const maker = new EventMaker().open('conversation').prompt('One').init();
  say(maker, { id: 'm1' });
  say(maker, { id: 'm1', output: 30 });
  maker.turnEnd('1', { costUsd: 0.01, fields: { modelUsage: { [BIG]: share(100, 30, 0.01) } } });
  say(maker.prompt('Two').init(), { id: 'm2', input: 50, cacheRead: 150 });
  maker.turnEnd('2', { costUsd: 0.03, fields: { modelUsage: { [BIG]: share(150, 50, 0.03, 150) } } });
  // Another CLI counts from zero.
  say(maker.header().prompt('Three').init(), { id: 'm3' });
  maker.turnEnd('3', { costUsd: 0.005, fields: { modelUsage: { [BIG]: share(100, 10, 0.005) } } });
  const ledger = read(maker.events);

  it('are what came on top of the one before, also with another CLI', () => {
    expect(
      ledger.turns.map(({ costUsd, totalUsd }) => [costUsd, totalUsd].map((usd) => usd?.toFixed(4))),
    ).toEqual([
      ['0.0100', '0.0100'],
      ['0.0200', '0.0300'],
      ['0.0050', '0.0350'],
    ]);
    expect(ledger.totalUsd).toBeCloseTo(0.035);
  });

  it('have tokens that add up to the sum, by model too', () => {
    const sum = ledger.turns.reduce((total, turn) => addTokens(total, turn.tokens), noTokens());
    expect(sum).toEqual(ledger.tokens);
    expect(sum).toEqual({ input: 250, output: 60, cacheRead: 150, cacheWrite: 0 });
    expect(ledger.models.map(({ model, tokens }) => [model, tokens])).toEqual([[BIG, sum]]);
  });

  it('that are not over have the tokens of their messages, each once, and no money', () => {
    const open = new EventMaker().open('conversation').prompt('One').init();
    open.streamed({
      type: 'message_start',
      message: { id: 'm1', model: BIG, usage: { input_tokens: 40, output_tokens: 1 } },
    });
    say(open, { id: 'm1', input: 40, output: 1 });
    open.streamed({ type: 'message_delta', usage: { output_tokens: 77 } }).streamed({ type: 'message_stop' });
    say(open, { id: 'made', model: '<synthetic>', input: 9999 });
    const [turn, ...more] = read(open.events).turns;
    expect(more).toEqual([]);
    expect(turn).toMatchObject({
      number: 1,
      requests: 1,
      costUsd: undefined,
      tokens: { input: 40, output: 77, cacheRead: 0, cacheWrite: 0 },
    });
  });

  it('whose result tells no money have none', () => {
    const silent = new EventMaker().open().prompt('One').init();
    say(silent, { id: 'm1' });
    const { turns } = read(silent.in({ type: 'result', subtype: 'success' }).events);
    expect(turns).toMatchObject([{ costUsd: undefined, tokens: { input: 100, output: 10 } }]);
  });
});

describe('subagents', () => {
  function run(agentModel: string, reported: Record<string, unknown>): CostLedger {
    const maker = new EventMaker().open().prompt('Go').init();
    const input = { subagent_type: 'helper', description: 'Look it up' };
    maker.in({
      type: 'assistant',
      parent_tool_use_id: null,
      message: {
        id: 'm1',
        model: BIG,
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'Agent', input }],
        usage: { input_tokens: 100, output_tokens: 10 },
      },
    });
    say(maker, { id: 'm2', model: agentModel, input: 60, output: 6, parent: 'toolu_1' });
    return read(maker.turnEnd('ok', { costUsd: 0.02, fields: { modelUsage: reported } }).events);
  }

  it('have their tokens, and their money where nobody else asked their model', () => {
    const ledger = run(SMALL, { [BIG]: share(100, 10, 0.019), [SMALL]: share(60, 6, 0.001) });
    expect(ledger.agents(sumAgents)).toEqual([
      {
        key: 'toolu_1',
        name: 'helper: Look it up',
        n: expect.any(Number) as number,
        requests: 1,
        tokens: { input: 60, output: 6, cacheRead: 0, cacheWrite: 0 },
        costUsd: 0.001,
      },
    ]);
  });

  it('have no money where their model was asked by others, seen or not', () => {
    expect(run(BIG, { [BIG]: share(160, 16, 0.02) }).agents(sumAgents)[0]?.costUsd).toBeUndefined();
    const more = { [BIG]: share(100, 10, 0.01), [SMALL]: share(90, 9, 0.01) };
    expect(run(SMALL, more).agents(sumAgents)[0]?.costUsd).toBeUndefined();
  });
});

describe('the context window', () => {
  it('fills by what each request of the main conversation sends, with compaction marked', () => {
    const maker = new EventMaker().open().prompt('Go').init();
    say(maker, { id: 'm1', input: 10, cacheWrite: 5000 });
    say(maker, { id: 'side', input: 7, parent: 'toolu_1' });
    say(maker, { id: 'm2', input: 20, cacheRead: 5000, cacheWrite: 900 });
    maker.in({
      type: 'system',
      subtype: 'compact_boundary',
      compact_metadata: { pre_tokens: 5920, post_tokens: 300 },
    });
    say(maker, { id: 'm3', input: 310 });
    maker.turnEnd('ok', { fields: { modelUsage: { [`${BIG}[1m]`]: share(340, 30, 0.01) } } });
    const ledger = read(maker.events);
    expect(ledger.mainRequests.map(({ tokens }) => promptTokens(tokens))).toEqual([5010, 5920, 310]);
    expect(ledger.compactions).toMatchObject([{ request: 2, before: 5920, after: 300 }]);
    expect(ledger.windowOf(BIG)).toBe(200_000);
    expect(ledger.windowOf('unknown')).toBeUndefined();
  });
});

describe('a recorded session', () => {
  it('says the same as its last result', () => {
    const events = readFixture('story');
    const ledger = read(events);
    const results = events.flatMap(({ event }) =>
      event.type === 'frame' && event.frame?.['type'] === 'result' ? [event.frame] : [],
    );
    expect(ledger.totalUsd).toBeCloseTo(results.at(-1)?.['total_cost_usd'] as number, 9);
    expect(ledger.turns).toHaveLength(results.length);
  });
});

describe('scales', () => {
  it.each([
    [0.0986, 0.1, 3],
    [46_666, 60_000, 4],
    [1, 1, 3],
    [0, 1, 1],
  ])('hold %d in round steps up to %d', (largest, top, ticks) => {
    const scale = makeScale(largest);
    expect(scale.top).toBeCloseTo(top, 9);
    expect(scale.ticks.length).toBe(ticks);
    expect(scale.top).toBeGreaterThanOrEqual(largest);
  });

  it('gather many values into few columns, none lost', () => {
    const groups = bucket(
      Array.from({ length: 1000 }, (_, index) => index),
      60,
    );
    expect(groups.length).toBeLessThanOrEqual(60);
    expect(groups.flatMap(({ items }) => items)).toHaveLength(1000);
    expect(groups[0]).toMatchObject({ first: 0, last: 16 });
  });
});
