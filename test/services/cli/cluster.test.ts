// `inboard cluster` and `inboard inspect --journal` on a journal in a real PostgreSQL, filled as a worker would fill it.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { CLUSTER_COMMAND } from '../../../packages/cli/src/cluster/command.js';
import type { Command } from '../../../packages/cli/src/command.js';
import { INSPECT_COMMAND } from '../../../packages/cli/src/inspect/command.js';
import { StopRequest } from '../../../packages/cli/src/terminal/terminal.js';
import {
  createIsolatedEnvironment,
  type IsolatedEnvironment,
} from '../../../packages/inboard/src/testing.js';
import { createFakeTerminal, type FakeTerminal } from '../../../packages/cli/test/fake-terminal.js';
import { ClusterScene, result, says } from '../../../packages/inspector/test/support/cluster-scene.js';
import { enterByLink } from '../../../packages/inspector/test/support/visitor.js';
import { nameSchema, openJournal, runSql } from '../support/journals.js';

const schema = nameSchema('command');
let scene: ClusterScene;
let home: IsolatedEnvironment;

beforeAll(async () => {
  home = await createIsolatedEnvironment({ baseUrl: 'http://127.0.0.1:9' });
});
afterAll(() => home.remove());

const terminalOf = (isTTY = false): FakeTerminal =>
  createFakeTerminal({ isTTY, env: { ...home.env, INBOARD_JOURNAL: inject('postgresUrl') } });
const start = async (
  args: string[],
  values: Record<string, string | boolean> = {},
  terminal = terminalOf(),
  command: Command = CLUSTER_COMMAND,
) => {
  const code = await (
    await command.load()
  )({ args, values: { schema, ...values }, terminal, inOwnWords: String });
  return { code, ...terminal.written() };
};

describe('inboard cluster', () => {
  it('says what waits, for what, and which command shows it', async () => {
    const own = nameSchema('waits');
    const journal = openJournal({ schema: own });
    await journal.open();
    const status = async (): Promise<string> => (await start(['status'], { schema: own })).stdout;
    expect(await status()).toMatch(/Waiting +nothing$/m);
    const waiting = new ClusterScene({ journal });
    const take = async (key: string) => {
      await waiting.send(key, 'Pay.', { tenant: 'acme' });
      const taken = await waiting.take(key, `host-of-${key}`);
      await journal.reserve?.(taken.fence, taken.turn, {
        budgets: [{ of: 'tenant', usd: 1 }],
        waits: true,
      });
      return taken;
    };
    const [rich, poor] = [await take('rich'), await take('poor')];
    await journal.release(poor.fence, { turn: poor.turn, turnCostUsd: 0, afterMs: 600_000 });
    await waiting.send('next', 'Hello.', { tenant: 'acme' });
    const shown = await status();
    expect(shown).toMatch(
      /Waiting +1 for a free place of a worker: inboard cluster ls --waits place\n +1 for a budget that running turns have reserved:\n +inboard cluster ls --waits budget$/m,
    );
    expect(Math.max(...shown.split('\n').map((line) => line.length))).toBeLessThan(81);
    const listed = await start(['ls'], { schema: own, waits: 'budget' });
    expect(listed.stdout).toMatch(/^poor +running .* waits: budget/m);
    expect(listed.stdout).not.toContain('rich');
    expect((await start(['show', 'poor'], { schema: own })).stdout).toMatch(
      /State +running, waits for a budget that running turns have reserved/,
    );
    expect((await start(['show', 'poor'], { schema: own })).stdout).toMatch(
      /# +STATE +TRIES +LEASES .*\n *1 +running +0 +1 /,
    );
    await journal.release(rich.fence, { turn: rich.turn, turnCostUsd: 0, failed: true, afterMs: 600_000 });
    expect((await start(['ls'], { schema: own, state: 'failed' })).stdout).toMatch(/^rich +retried/m);
    expect((await start(['show', 'rich'], { schema: own })).stdout).toMatch(/Tries +1 of the turn under way/);
  });

  it('says what to do while there are no tables, and makes them', async () => {
    await expect(start(['status'])).rejects.toMatchObject({
      code: 'JOURNAL_VERSION',
      message: expect.stringContaining('inboard cluster migrate'),
    });
    expect((await start(['migrate'])).stdout).toContain('are up to date');
    expect((await start(['migrate'], { json: true })).stdout).toContain('"upToDate":true');
    expect((await start(['ls'])).stderr).toContain('No conversation matches.');
  });

  it('shows who works, what there is, and one conversation whole', async () => {
    const journal = openJournal({ schema });
    await journal.open();
    scene = new ClusterScene({ journal });
    await scene.send('ann/1', 'Pay order 7 back.\u001b[2J', { tenant: 'acme' });
    const first = await scene.take('ann/1', 'host-1-4711');
    await scene.say(first.fence, first.turn, says('m1', { type: 'text', text: 'Paid.' }), result('Paid.'));
    await scene.finish(first.fence, first.turn, { text: 'Paid.' });
    await scene.send('ann/1', 'And 8.');
    const second = await scene.take('ann/1', 'host-2-4711');
    await scene.ask(second.fence, second.turn, 'q1', { order: '8', note: '\u202eevil' });
    await scene.send('bob/1', 'Hello', { tenant: 'other' });
    await journal.reportWorker({ name: 'host-2-4711', concurrency: 4, running: 1, warm: 2, draining: false });
    await journal.reportWorker({ name: 'host-3-4711', concurrency: 4, running: 0, warm: 0, draining: true });
    await runSql(`update "${schema}".workers set seen_at = seen_at - interval '30 seconds' where name = $1`, [
      'host-3-4711',
    ]);
    await journal.pause({ tenant: 'other', ms: 60_000, reason: '429' });
    const status = (await start(['status'])).stdout;
    expect(status).toMatch(/host-2-4711 +1\/4 +2 +\d\d:\d\d:\d\dZ +works/);
    expect(status).toMatch(/host-3-4711 +0\/4 +0 +\d\d:\d\d:\d\dZ +draining, silent for 3\d s/);
    expect(status).toMatch(/Conversations +0 idle, 1 queued, 1 running, 0 parked, 0 closed/);
    expect(status).toMatch(/Questions +1 unanswered question/);
    expect(status).toMatch(/Paused +other until .*: 429/);
    expect(JSON.parse((await start(['status'], { json: true })).stdout)).toMatchObject({
      stats: { leases: 1 },
    });
    const listed = await start(['ls'], { limit: '1' });
    expect(listed.stdout).toMatch(/ann\/1 +running +2 +1 +\$0\.01\d* +host-2-4711/);
    expect(listed.stderr).toContain('--after "ann/1"');
    expect((await start(['ls'], { after: 'ann/1', tenant: 'other' })).stdout).toMatch(/bob\/1 +queued/);
    const shown = (await start(['show', 'ann/1'])).stdout;
    for (const text of [
      'support, for acme',
      'host-1-4711',
      'released',
      'valid',
      'Pay order 7 back.\\u001b[2J',
      'q1',
    ])
      expect(shown).toContain(text);
    const written = [status, listed.stdout, shown].join('\n');
    expect(written).not.toContain('\u001b');
    expect(Math.max(...written.split('\n').map((line) => line.length))).toBeLessThan(81);
    await scene.send('eve/1', 'Sell it.', { agent: 'sales' });
    const third = await scene.take('eve/1', 'host-2-4711');
    await scene.say(
      third.fence,
      third.turn,
      says('m2', { type: 'tool_use', id: 'c', name: 'sell', input: {} }),
    );
    const message = `No worker knows the agent "sales"${' of this very long sentence'.repeat(5)}.`;
    const error = { code: 'AGENT_UNKNOWN', message };
    await scene.finish(third.fence, third.turn, { ok: false, kind: 'failed', text: '', error });
    const failed = (await start(['show', 'eve/1'])).stdout;
    expect(failed).toMatch(/Failed +the last turn, \S+ \(AGENT_UNKNOWN\)/);
    expect((await start(['ls'], { state: 'failed' })).stdout).toMatch(/^eve\/1 +failed/m);
    expect((await start(['ls'], { state: 'idle' })).stderr).toContain('No conversation matches.');
    expect(failed.replaceAll(/\s+/g, ' ')).toContain(`Turn 1: AGENT_UNKNOWN: ${message}`);
    expect(failed).toContain('assistant (calls sell)');
    await expect(start(['show', 'nobody'])).rejects.toMatchObject({ code: 'CONVERSATION_UNKNOWN' });
  });

  it('shows one tenant what is its own, and treats the rest as unknown', async () => {
    const acme = (await start(['status'], { tenant: 'acme' })).stdout;
    expect(acme).toMatch(/Conversations +0 idle, 0 queued, 1 running/);
    expect(acme).not.toMatch(/WORKER|host-|429|other/);
    const other = JSON.parse((await start(['status'], { tenant: 'other', json: true })).stdout) as object;
    expect(other).toMatchObject({
      stats: { conversations: { queued: 1, running: 0 }, questions: 0, leases: 0, totalCostUsd: 0 },
      pauses: [{ tenant: 'other' }],
    });
    expect(other).not.toHaveProperty('workers');
    expect((await start(['show', 'ann/1'], { tenant: 'acme' })).stdout).toContain('support, for acme');
    await expect(start(['show', 'ann/1'], { tenant: 'other' })).rejects.toMatchObject({
      code: 'CONVERSATION_UNKNOWN',
    });
    await expect(
      start(['approvals', 'answer', 'q1'], { tenant: 'other', allow: true }),
    ).rejects.toMatchObject({ code: 'QUESTION_UNKNOWN' });
    expect((await scene.journal.questions({ id: 'q1' })).length).toBe(1);
  });

  it('is a page of one tenant', async () => {
    const terminal = terminalOf();
    const values = { journal: inject('postgresUrl'), port: '0', tenant: 'acme' };
    const serving = start([], values, terminal, INSPECT_COMMAND);
    await terminal.waitFor('The link works once');
    const visitor = await enterByLink(/http:\S+/.exec(terminal.written().stdout)?.[0] ?? '');
    const { sessions, cluster } = await visitor.state();
    expect(sessions.map(({ id }) => id)).toEqual(['ann/1']);
    expect(cluster).toMatchObject({ stats: { conversations: { queued: 0, running: 1 } }, pauses: [] });
    expect(cluster).not.toHaveProperty('workers');
    const read = await fetch(`${visitor.origin}/api/events?session=bob/1`, { headers: visitor.headers });
    expect(await read.json()).toEqual({ lines: [] });
    for (const action of [
      { action: 'send', session: 'bob/1', text: 'Hi' },
      { action: 'interrupt', session: 'bob/1' },
    ])
      expect(await visitor.act(action)).toMatchObject({ error: { code: 'CONVERSATION_UNKNOWN' } });
    expect((await scene.journal.turns('bob/1')).length).toBe(1);
    terminal.stop(new StopRequest('SIGINT'));
    expect((await serving).code).toBe(0);
  });

  it('lists what waits for a person, and answers it once', async () => {
    const { stdout } = await start(['approvals'], { tenant: 'acme' });
    expect(stdout).toMatch(/q1\n {2}in +ann\/1, for acme/);
    expect(stdout).toContain('\\u202eevil');
    const taken = await start(['approvals', 'answer', 'q1'], { deny: 'No receipt.', by: 'ann' });
    expect(taken.stdout).toContain('Denied by ann. ann/1 continues.');
    const [kept] = await scene.journal.questions({ id: 'q1', answered: true });
    expect(kept?.answer).toMatchObject({ by: 'ann', result: { behavior: 'deny', message: 'No receipt.' } });
    await expect(start(['approvals', 'answer', 'q1'], { allow: true })).rejects.toMatchObject({
      code: 'QUESTION_OVER',
    });
    await expect(start(['approvals', 'answer', 'q9'], { allow: true })).rejects.toMatchObject({
      code: 'QUESTION_UNKNOWN',
    });
  });

  it('lists pending calls, and gives each one result', async () => {
    await scene.send('pay/1', 'Pay.', { tenant: 'acme' });
    const { fence, turn } = await scene.take('pay/1', 'host-2-4711');
    for (const callKey of ['call_a_1', 'call_b_1'])
      await scene.journal.ask(fence, turn, {
        id: `pending_${callKey}`,
        kind: 'pending',
        attempt: 1,
        askedAt: 0,
        toolName: 'mcp__bank__pay',
        input: { order: 7 },
        title: 'the bank',
        pending: { callKey, note: 'the bank' },
      });
    expect((await start(['approvals'])).stderr).toContain('Nothing is waiting for an answer.');
    const { stdout } = await start(['calls'], { tenant: 'acme' });
    expect(stdout).toMatch(/call_a_1\n {2}in +pay\/1, for acme/);
    expect(stdout).toMatch(/call +mcp__bank__pay \{"order":7\}\n {2}note +the bank/);
    expect((await start(['show', 'pay/1'])).stdout).toMatch(
      /Pending calls \(2\)\ncall_a_1\n {2}the bank, since/,
    );
    expect((await start(['calls'], { tenant: 'other' })).stderr).toContain('No call is pending.');
    const answered = start(['approvals', 'answer', 'pending_call_a_1'], { allow: true });
    await expect(answered).rejects.toMatchObject({ code: 'CALL_PENDING' });
    const complete = ['calls', 'complete', 'call_a_1', '{"paid":true}'];
    await expect(start(complete, { tenant: 'other' })).rejects.toMatchObject({ code: 'CALL_UNKNOWN' });
    const taken = await start(complete, { by: 'ann' });
    expect(taken.stdout).toContain('The call has completed. Its conversation continues.');
    await expect(start(complete)).rejects.toMatchObject({ code: 'CALL_ENDED', by: 'ann' });
    const failed = await start(['calls', 'fail', 'call_b_1', 'No money'], { json: true, by: 'ann' });
    expect(JSON.parse(failed.stdout)).toMatchObject({ callKey: 'call_b_1', how: 'failed' });
    const kept = await scene.journal.questions({ key: 'pay/1', answered: true });
    expect(kept.map(({ answer }) => answer?.ended)).toMatchObject([
      { content: [{ type: 'text', text: '{"paid":true}' }] },
      { isError: true },
    ]);
    await start(['forget', 'pay/1'], { yes: true });
  });

  it('shows both inputs of a call that was edited, at 80 columns', async () => {
    const own = nameSchema('edited');
    const journal = openJournal({ schema: own });
    await journal.open();
    const edits = new ClusterScene({ journal });
    await edits.send('zoe/1', 'Pay.');
    const { fence, turn } = await edits.take('zoe/1', 'host-9');
    await edits.ask(fence, turn, 'q-edit', { order: '8', amount: 84 });
    const result = { behavior: 'allow', updatedInput: { order: '8', amount: 50 } } as const;
    await journal.answer('q-edit', { result, answeredAt: 0, by: 'zoe' });
    const table = await start(['audit'], { schema: own });
    expect(table.stdout).toMatch(
      /zoe +edited +zoe\/1 .*\n {4}asked +\{"order":"8","amount":84\}\n {4}given +\{"order":"8","amount":50\}\n/,
    );
    expect(Math.max(...table.stdout.split('\n').map((line) => line.length))).toBeLessThan(81);
  });

  it('watches until it is stopped', async () => {
    const terminal = terminalOf();
    const watching = start(['status'], { watch: true }, terminal);
    await new Promise<void>((seen) => terminal.stdout.once('data', () => seen()));
    terminal.stop(new StopRequest('SIGINT'));
    expect((await watching).code).toBe(0);
  });

  it('is a page of the same conversations', async () => {
    const terminal = terminalOf();
    const values = { journal: inject('postgresUrl'), port: '0' };
    const serving = start([], values, terminal, INSPECT_COMMAND);
    await terminal.waitFor('The link works once');
    expect(terminal.written().stdout).toMatch(
      /Inspecting postgres:\/\/\S+ at http:\/\/127\.0\.0\.1:\d+\/#key=/,
    );
    terminal.stop(new StopRequest('SIGINT'));
    expect((await serving).code).toBe(0);
  });

  it('says who did what, for all or for one tenant, as a table and as lines of JSON', async () => {
    await scene.journal.interrupt('bob/1', { by: 'nobody' });
    await scene.journal.enqueue({ key: 'bob/1', id: 'two', content: 'x' }, { by: 'bob\u001b[2J\u202e' });
    const table = await start(['audit']);
    expect(table.stdout).toMatch(/# +AT +WHO +WHAT +CONVERSATION +ABOUT/);
    expect(table.stdout).toContain(String.raw`bob\u001b[2J`);
    for (const text of ['nobody', '\u001b', '\u202e']) expect(table.stdout).not.toContain(text);
    expect(table.stderr).toContain('entries of the last 7 days.');
    const read = async (values: Record<string, string | boolean>) => {
      const { stdout } = await start(['audit'], { json: true, ...values });
      return stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    };
    const all = await read({});
    expect(all.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => Number(seq)).toSorted((a, b) => a - b));
    expect(all.at(-1)).toMatchObject({ what: 'sent', by: 'bob\u001b[2J\u202e', conversation: 'bob/1' });
    const acme = await read({ tenant: 'acme' });
    expect(acme.length).toBeGreaterThan(1);
    expect(acme.every(({ tenant }) => tenant === 'acme')).toBe(true);
    expect(await read({ tenant: 'acme', key: 'bob/1' })).toEqual([]);
    expect((await read({ key: 'bob/1' })).map(({ turn }) => turn)).toHaveLength(2);
    expect(await read({ after: String(all.at(-2)?.['seq']) })).toEqual(all.slice(-1));
    expect(await read({ limit: '1', since: '1d' })).toEqual(all.slice(0, 1));
    expect(await read({ until: '2020-01-01' })).toEqual([]);
    expect((await read({ what: 'allowed' })).every(({ by }) => typeof by === 'string')).toBe(true);
  });

  it('forgets after a yes, and nothing else', async () => {
    const asked = async (key: string, answer: string) => {
      const terminal = terminalOf(true);
      void terminal.waitFor('(yes/no)').then(() => terminal.stdin.write(`${answer}\n`));
      return await start(['forget', key], {}, terminal);
    };
    expect((await asked('ann/1', 'no')).code).toBe(1);
    expect(await scene.journal.conversation('ann/1')).toBeDefined();
    expect((await asked('ann/1', 'yes')).stdout).toContain('Removed: 1 conversation.');
    expect((await start(['forget'], { tenant: 'other', yes: true })).code).toBe(0);
    expect((await start(['forget', 'eve/1'], { yes: true })).code).toBe(0);
    expect(await scene.journal.conversations()).toEqual([]);
    const left = await start(['audit'], { what: 'forgotten', by: 'Dee' });
    expect(left.stderr).toContain('No entry');
    expect((await start(['audit'], { what: 'forgotten' })).stdout).toMatch(/forgotten +forgotten \(\d+\)/);
    expect((await start(['audit'], { json: true })).stdout).not.toContain('ann/1');
    await expect(start(['forget', 'ann/1'], { yes: true })).rejects.toMatchObject({
      code: 'CONVERSATION_UNKNOWN',
    });
  });
});
