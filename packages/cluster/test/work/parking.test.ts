// When the CLI of a turn that waits is let go, and when it is kept. What is paid for up to then is counted once.
import { describe, expect, it } from 'vitest';
import { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '@inboard/core/answer/mcp/tool/tool.js';
import type { InboardWarning } from '@inboard/core/options/check/warning.js';
import { startTask } from '@inboard/testing/fake-cli/script/build-steps.js';
import type { FakeScriptItem } from '@inboard/testing/fake-cli/script/fake-step.js';
import { text, toolUse } from '@inboard/testing/script/reply.js';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { pendingIdOf } from '../../src/journal/journal-question.js';
import type { ConversationHistory } from '../../src/journal/records.js';
import type { WorkOptions } from '../../src/work/host/work-options.js';
import { cutOff, type Gone, type MadeCall } from './cut-off.js';
import { told, WorkerScene, type SceneWorker } from './worker-scene.js';

const CALL = toolUse('mcp__shop__pay', { order: 7 });
const SAY = ({ answer }: { answer: { text: string } }) => text(answer.text);
const SHORT = { suspendAfterMs: 10 };

function shop() {
  const pay = tool({
    name: 'pay',
    description: 'Pays',
    inputSchema: { order: 'number' },
    run: ({ order }) => `paid ${order}`,
  });
  return createSdkMcpServer({ name: 'shop', tools: [pay] });
}

const isParkedIn = (worker: SceneWorker, key: string): boolean =>
  told(worker, 'turn-parked').some((event) => event.key === key);

/** Answers the question of a conversation. */
async function allow(scene: WorkerScene, key: string): Promise<void> {
  const [question] = await scene.journal.questions({ key });
  await scene.journal.answer(question?.id ?? '', { result: { behavior: 'allow' }, answeredAt: 0 });
  await scene.dispatcher.wake(key);
}

/**
 * Two conversations ask a person, one after the other. The second one is parked. A first one whose CLI may be let go would be
 * parked before it.
 */
async function askTwice(
  scene: WorkerScene,
  options: WorkOptions = {},
): Promise<{ worker: SceneWorker; first: string; isFirstParked: boolean }> {
  const worker = await scene.work({ ...SHORT, ...options });
  const first = await scene.send('Pay', 'turn-1', 'first');
  await waitUntil(async () => (await scene.journal.questions({ key: 'first' })).length === 1);
  await scene.send('Pay', 'turn-2', 'second');
  await waitUntil(() => isParkedIn(worker, 'second'));
  return { worker, first, isFirstParked: isParkedIn(worker, 'first') };
}

describe('a turn that waits for a person', () => {
  it.each<[what: string, first: FakeScriptItem[], isParked: boolean]>([
    ['is parked', [CALL, SAY], true],
    ['keeps its CLI while a shell runs in the background', [startTask({ type: 'shell' }), CALL, SAY], false],
    ['keeps its CLI while an agent runs in the background', [startTask({ type: 'agent' }), CALL, SAY], false],
  ])('%s', async (_what, script, isParked) => {
    await using scene = new WorkerScene([script, [CALL, SAY]], { mcpServers: { shop: shop() } });
    const { first, isFirstParked } = await askTwice(scene);
    expect(isFirstParked).toBe(isParked);
    await allow(scene, 'first');
    expect((await scene.ended(first, 'first')).outcome?.text).toBe('paid 7');
  });
});

describe('stdio servers', () => {
  const FILES = { command: 'files-server' };

  async function askWith(scene: WorkerScene, suspendWithServers: boolean): Promise<boolean> {
    const { isFirstParked } = await askTwice(scene, { suspendWithServers });
    return isFirstParked;
  }

  function createScene(warnings: InboardWarning[]): WorkerScene {
    // The second conversation has none, so it is parked in any case.
    return new WorkerScene([[CALL, SAY]], ({ key }) => ({
      mcpServers: { shop: shop(), ...(key === 'first' && { files: FILES }) },
      onWarning: (warning) => warnings.push(warning),
    }));
  }

  it('keep the CLI of a turn that waits, and a warning names them once', async () => {
    const warnings: InboardWarning[] = [];
    await using scene = createScene(warnings);
    expect(await askWith(scene, false)).toBe(false);
    const kept = (): InboardWarning[] => warnings.filter(({ code }) => code === 'CLI_KEPT_WAITING');
    await waitUntil(() => kept().length > 0);
    expect(kept()).toMatchObject([
      { message: expect.stringMatching(/"first".*\("files"\).*suspendWithServers/) as string },
    ]);
    await allow(scene, 'first');
    expect((await scene.ended('turn-1', 'first')).outcome?.text).toBe('paid 7');
    expect(kept()).toHaveLength(1);
  });

  it('end with the CLI where the worker is told so', async () => {
    const warnings: InboardWarning[] = [];
    await using scene = createScene(warnings);
    expect(await askWith(scene, true)).toBe(true);
    expect(warnings.filter(({ code }) => code === 'CLI_KEPT_WAITING')).toEqual([]);
  });

  it('do not keep a worker that drains', async () => {
    await using scene = createScene([]);
    const { worker } = await scene.work({ suspendAfterMs: 60_000 });
    await scene.send('Pay', 'turn-1', 'first');
    await waitUntil(async () => (await scene.journal.questions({ key: 'first' })).length === 1);
    await worker.drain();
    expect((await scene.journal.turn('first', 'turn-1'))?.state).toBe('parked');
  });
});

describe('a parked turn that is interrupted', () => {
  const PAY: MadeCall = { id: 'toolu_1', name: 'mcp__shop__pay', input: { order: 7 } };
  const SHELL: MadeCall = { id: 'toolu_2', name: 'Bash', input: { command: 'make' } };

  async function interruptAndGoOn(
    calls: MadeCall[],
    leave: (gone: Gone, scene: WorkerScene) => Promise<void>,
    parked = calls,
  ): Promise<string> {
    await using scene = new WorkerScene([[text('Fine.')]], {
      mcpServers: { shop: shop() },
      claudeCodeVersion: '2.1.325',
    });
    const { id } = await cutOff(scene, calls, async (gone) => {
      await leave(gone, scene);
      await gone.park(...parked);
    });
    expect(await scene.journal.interrupt('chat')).toBe(true);
    expect(await scene.journal.turn('chat', id)).toMatchObject({
      state: 'ended',
      // What its CLI had cost when it was parked is counted.
      outcome: { kind: 'interrupted', turnCostUsd: 0.25 },
    });
    expect(await scene.journal.questions()).toEqual([]);
    const next = await scene.send('Then do not.');
    await scene.work();
    expect((await scene.ended(next)).outcome).toMatchObject({ ok: true, text: 'Fine.' });
    const { entries } = (await scene.journal.history('chat')) as ConversationHistory;
    return JSON.stringify(entries);
  }

  it('tells the model that its calls did not run', async () => {
    const entries = await interruptAndGoOn([PAY, SHELL], async ({ ask }) => {
      await ask(PAY);
      await ask(SHELL);
    });
    expect(entries.match(/"type":"tool_result"/g)).toHaveLength(2);
    expect(entries).toContain('This call did not run: the turn was interrupted');
    expect(entries).toContain('[Request interrupted by user');
    expect(entries).not.toMatch(/unknown/);
  });

  it('tells the model what people had decided about a call, while another one waited', async () => {
    const decide = async ({ ask, keyOf }: Gone, { journal }: WorkerScene): Promise<void> => {
      await ask(PAY);
      await ask(SHELL);
      const result = { behavior: 'deny', message: 'Not on Sundays.' } as const;
      await journal.answer(keyOf(PAY), { result, answeredAt: 0 });
    };
    const entries = await interruptAndGoOn([PAY, SHELL], decide, [SHELL]);
    expect(entries).toContain('Not on Sundays.');
    expect(entries).toContain('This call did not run: the turn was interrupted');
  });

  it('tells the model the result of a pending call that was completed while another one waited', async () => {
    const complete = async ({ pend, ask, keyOf }: Gone, { journal }: WorkerScene): Promise<void> => {
      await pend(PAY);
      await ask(SHELL);
      const ended = { content: [{ type: 'text', text: 'paid on Monday' }] };
      await journal.answer(pendingIdOf(keyOf(PAY)), {
        result: { behavior: 'allow' },
        answeredAt: 0,
        ended,
        completion: 'c',
      });
    };
    const entries = await interruptAndGoOn([PAY, SHELL], complete, [SHELL]);
    expect(entries).toContain('paid on Monday');
    expect(entries).not.toContain('its result was to come later');
  });

  it('tells the model that a pending call began', async () => {
    const entries = await interruptAndGoOn([PAY], async ({ pend }) => await pend(PAY));
    expect(entries).toContain('This call began, and its result was to come later.');
  });
});
