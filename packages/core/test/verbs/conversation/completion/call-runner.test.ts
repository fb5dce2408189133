// A call that runs without a CLI: what its handler gets in place of one.
import { describe, expect, it } from 'vitest';
import { createSdkMcpServer, SessionClosedError, tool, type HandlerExtra } from '@inboard/inboard/index.js';
import { WarningReporter } from '../../../../src/options/check/warning-reporter.js';
import type { Options } from '../../../../src/options/options.js';
import { CallRunner, type ToolPlace } from '../../../../src/verbs/conversation/completion/call-runner.js';

async function runPay(pay: (extra: HandlerExtra) => Promise<string>): Promise<unknown> {
  const shop = createSdkMcpServer({
    name: 'shop',
    tools: [tool('pay', 'Pays', (_input, extra: HandlerExtra) => pay(extra))],
  });
  const options: Options = { mcpServers: { shop } };
  const runner = new CallRunner({
    options,
    warnings: new WarningReporter(options),
    sessionId: 's1',
    identify: () => ({ callKey: 'call_1', attempt: 2 }),
    recorder: undefined,
  });
  try {
    const { signal } = new AbortController();
    return await runner.run(runner.find('mcp__shop__pay') as ToolPlace, {
      toolUseId: 'toolu_1',
      input: {},
      signal,
    });
  } finally {
    runner.close(new Error('over'));
  }
}

it.each(['mcp__shop__pay', 'mcp__shop', 'mcp__shop__*'])(
  'finds no tool that is disallowed now: %s',
  (name) => {
    const shop = createSdkMcpServer({ name: 'shop', tools: [tool('pay', 'Pays', {}, () => 'paid')] });
    const create = (options: Options) =>
      new CallRunner({
        options,
        warnings: new WarningReporter(options),
        sessionId: 's1',
        identify: () => ({ callKey: 'call_1', attempt: 2 }),
        recorder: undefined,
      });
    const mcpServers = { shop };
    const find = (options: Options) => create(options).find('mcp__shop__pay')?.compiled !== undefined;
    expect([find({ mcpServers }), find({ mcpServers, disallowedTools: [name] })]).toEqual([true, false]);
  },
);

describe('a call without a CLI', () => {
  it('has its key, its attempt and its ids', async () => {
    const given = await runPay(async ({ callKey, attempt, toolUseId, sessionId }) =>
      [callKey, attempt, toolUseId, sessionId].join(' '),
    );
    expect(given).toEqual({ content: [{ type: 'text', text: 'call_1 2 toolu_1 s1' }] });
  });

  it('can ask no CLI anything, and is told so', async () => {
    let failure: unknown;
    await runPay(async ({ sendRequest }) => {
      failure = await sendRequest({ method: 'ping' }).catch((error: unknown) => error);
      return 'paid';
    });
    expect(failure).toBeInstanceOf(SessionClosedError);
    expect(failure).toHaveProperty('message', expect.stringContaining('runs without a CLI'));
  });

  it('may report progress, log and notify', async () => {
    const given = await runPay(async ({ progress, log, sendNotification }) => {
      progress('half');
      log('a line');
      await sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'x' } });
      return 'paid';
    });
    expect(given).toEqual({ content: [{ type: 'text', text: 'paid' }] });
  });
});
