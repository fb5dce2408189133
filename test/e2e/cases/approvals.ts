// Approvals that outlive their host: one CLI asks, another process answers while there is no CLI, and the next CLI finds the answer.
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { waitUntil } from '../../support/wait-until.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import {
  allow,
  createApprovals,
  createFileApprovalStore,
  createSdkMcpServer,
  openSession,
  text,
  tool,
  toolUse,
  type Approvals,
} from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { written } from '../support/transcripts.js';

const PAY = toolUse('mcp__shop__pay', { order: 7 });
/** The call itself in a transcript, which also holds the list of tools. */
const CALLED = '"name":"mcp__shop__pay","input":';

/** Queues on one folder, as of several processes. */
async function inFolder(play: (open: () => Approvals) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'inboard-approvals-'));
  const opened: Approvals[] = [];
  try {
    await play(() => {
      const approvals = createApprovals({ store: createFileApprovalStore(folder) });
      opened.push(approvals);
      return approvals;
    });
  } finally {
    for (const approvals of opened) approvals.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function answerBetweenHosts(cli: Cli): Promise<void> {
  await inFolder(async (openApprovals) => {
    await onStage(cli, { script: [PAY, text('Paid.')] }, async (stage) => {
      const runs: number[] = [];
      /** The options of a host: its tool asks once more itself, after the CLI has asked whether it may run. */
      const hostOptions = (approvals: Approvals) => {
        const pay = tool('pay', 'Pays.', { order: 'number' }, async ({ order }, extra) => {
          const { behavior } = await approvals.ask({ title: `Pay ${order}?`, input: { order } }, extra);
          runs.push(extra.attempt);
          return behavior === 'allow' ? 'paid' : 'refused';
        });
        const shop = createSdkMcpServer({ name: 'shop', tools: [pay], alwaysLoad: true });
        return { mcpServers: { shop }, permissionMode: 'default', canUseTool: approvals.canUseTool } as const;
      };
      const first = openApprovals();
      const before = openSession({ options: stage.options(hostOptions(first)) });
      const lost = before.send('Pay order 7.').outcome();
      const answerer = openApprovals();
      const waiting = async (): Promise<string[]> => (await answerer.list()).map(({ kind }) => kind);
      await waitUntil(async () => (await waiting()).includes('permission'), 60_000);
      const [question] = await answerer.list();
      await answerer.answer(String(question?.id), allow(), { by: 'ann' });
      await waitUntil(async () => (await waiting()).includes('tool'), 60_000);
      await written(stage.home, String(before.sessionId), CALLED);
      process.kill(-(before.pid as number), 'SIGKILL');
      await expect(lost).rejects.toMatchObject({ code: 'TURN_LOST' });
      await before.close();
      first.close();

      // No host waits; the answer is stored nevertheless.
      const [left] = await answerer.list();
      expect(left).toMatchObject({ title: 'Pay 7?', input: { order: 7 }, toolName: 'mcp__shop__pay' });
      expect(await answerer.answer(String(left?.id), allow())).toBe(true);

      const options = hostOptions(openApprovals());
      await using session = openSession({
        options: stage.options({ ...options, resume: String(before.sessionId) }),
        interrupted: 'continue',
      });
      expect(await (await session.continued)?.text()).toBe('Paid.');
      expect(runs).toEqual([2]);
      expect(await answerer.list()).toEqual([]);
      expect((await answerer.list({ answered: true })).map(({ attempt }) => attempt)).toEqual([1, 2]);
    });
  });
}

export const approvalCases: CaseSet = {
  'finds what was answered while the host was away': answerBetweenHosts,
};
