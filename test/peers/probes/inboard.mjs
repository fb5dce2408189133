// Probes of what only Inboard has, and a fake CLI cannot show: they run on the real CLI, with a scripted model on loopback.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLimit } from './support/with-limit.mjs';

const LIMIT_MS = 30_000;

/** @param {{ sdk: Record<string, any>, testing: Record<string, any> }} given */
export function createOwnProbes({ sdk, testing }) {
  return {
    async approvals() {
      const folder = await mkdtemp(join(tmpdir(), 'inboard-peers-'));
      const offline = await testing.startOffline([
        testing.toolUse('mcp__shop__refund', { who: 'Ada' }),
        testing.text('went on'),
      ]);
      const ran = [];
      const refund = sdk.tool('refund', 'Pays back', { who: 'string' }, ({ who }) => {
        ran.push(who);
        return 'paid';
      });
      // What the next process has too: the code, and the folders.
      const begin = () => {
        const approvals = sdk.createApprovals({
          store: sdk.createFileApprovalStore(join(folder, 'approvals')),
        });
        const shop = sdk.createSdkMcpServer({ name: 'shop', tools: [refund] });
        const options = { ...offline.options, mcpServers: { shop }, canUseTool: approvals.canUseTool };
        return {
          approvals,
          open: ({ resume, ...rest } = {}) => sdk.openSession({ options: { ...options, resume }, ...rest }),
        };
      };
      try {
        const first = begin();
        const session = first.open();
        session
          .send('Go.')
          .outcome()
          .catch(() => {});
        const { value: question } = await first.approvals.watch()[Symbol.asyncIterator]().next();
        await session.abandon();
        first.approvals.close();
        if (ran.length > 0) return 'no';

        const second = begin();
        await second.approvals.answer(question.id, sdk.allow());
        const continued = second.open({ resume: question.sessionId, interrupted: 'continue' });
        const turn = await withLimit(continued.continued, LIMIT_MS, undefined);
        const outcome = turn && (await withLimit(turn.outcome(), LIMIT_MS, undefined));
        await continued.close();
        second.approvals.close();
        return outcome?.text === 'went on' && ran.join() === 'Ada' ? 'yes' : 'no';
      } finally {
        await offline.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
