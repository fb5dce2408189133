// An answer that changes an input so that the tool would refuse it. It comes from a program that shares only the store and does not
// know the tool. The approval is not used up; the question is asked again.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSdkMcpServer } from '../../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../../src/answer/mcp/tool/tool.js';
import { askAgain } from '../../../../src/answer/permissions/approvals/changed-input.js';
import { createApprovals } from '../../../../src/answer/permissions/approvals/approvals.js';
import { createFileApprovalStore } from '@inboard/inboard/index.js';
import { createFakeCli } from '@inboard/testing/fake-cli/fake-cli.js';
import { text, toolUse } from '@inboard/testing/script/reply.js';
import { run } from '../../../../src/verbs/query/run.js';
import { waitUntil } from '../../../../../../test/support/wait-until.js';

const MANY = { behavior: 'allow', updatedInput: { amount: 'many' } } as const;
const TEN = { behavior: 'allow', updatedInput: { amount: 10 } } as const;

function ask(amount: unknown = 5) {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-changed-input-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = createFileApprovalStore(folder);
  const paid: unknown[] = [];
  const pay = tool({
    name: 'pay',
    description: 'Pays',
    inputSchema: { amount: 'number' },
    run: ({ amount }) => {
      paid.push(amount);
      return `paid ${amount}`;
    },
  });
  const host = createApprovals({ store });
  const fake = createFakeCli([toolUse('mcp__shop__pay', { amount }), ({ answer }) => text(answer.text)]);
  onTestFinished(async () => {
    host.close();
    await fake.close({ verify: false });
  });
  const outcome = run({
    prompt: 'Pay',
    options: {
      mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: [pay] }) },
      canUseTool: host.canUseTool,
      transport: fake.transport,
      onWarning: () => {},
    },
  });
  const open = async (count: number) => {
    await waitUntil(async () => (await host.list()).length === 1 && (await store.list()).length === count);
    const [question] = await host.list();
    if (!question) throw new Error('Nothing is asked');
    return question;
  };
  return { host, store, outcome, paid, open };
}

it('asks again under a new id, whatever the first id was', () => {
  const question = { kind: 'tool', attempt: 1, askedAt: 1, input: {} } as const;
  const again = (id: string): string => askAgain({ ...question, id }, 'No.').id;
  expect(again('a')).toBe('a-again-2');
  expect(again('a-again-2')).toBe('a-again-3');
  expect(again('order-again-2-of-ann')).toBe('order-again-2-of-ann-again-2');
});

it('denies at once what the tool would refuse, and asks nobody', async () => {
  const { store, outcome, paid } = ask('many');
  const asked: unknown[] = [];
  const answerAll = async (): Promise<void> => {
    for (const { id } of await store.list()) {
      asked.push(id);
      await store.answer(id, { result: TEN, answeredAt: Date.now() });
    }
  };
  const stop = store.watch(() => void answerAll());
  onTestFinished(stop);
  expect((await outcome).text).toContain('amount');
  expect(asked).toEqual([]);
  expect(paid).toEqual([]);
});

describe('a changed input that the tool would refuse', () => {
  it('is refused by any queue of the process in which the question waits', async () => {
    const { store, outcome, paid, open } = ask();
    const { id } = await open(1);
    const other = createApprovals({ store });
    for (const result of [MANY, { behavior: 'allow', updatedInput: 'x' as never } as const])
      await expect(other.answer(id, result)).rejects.toMatchObject({
        code: 'INVALID_OPTIONS',
        options: ['updatedInput'],
      });
    expect(await other.answer(id, TEN)).toBe(true);
    expect((await outcome).text).toBe('paid 10');
    expect(paid).toEqual([10]);
  });

  it.each([[MANY], [{ behavior: 'allow', updatedInput: [1] as never } as const]])(
    'is asked about again where it came from elsewhere: %j',
    async (wrong) => {
      const { host, store, outcome, paid, open } = ask();
      const first = await open(1);
      await store.answer(first.id, { result: wrong, answeredAt: Date.now() });
      const second = await open(2);
      expect(second).toMatchObject({
        id: `${first.id}-again-2`,
        input: { amount: 5 },
        toolName: first.toolName,
      });
      expect(second.decisionReason).toMatch(/asked again, because the last answer changed the input/);
      await store.answer(second.id, { result: wrong, answeredAt: Date.now() });
      const third = await open(3);
      expect(third.id).toBe(`${first.id}-again-3`);
      expect(await host.answer(third.id, TEN)).toBe(true);
      expect((await outcome).text).toBe('paid 10');
      expect(paid).toEqual([10]);
    },
  );
});
