// The inspector's view of turns that wait without a CLI, on the real CLI: the card stays, says that nothing runs, and its answer
// lets the same turn go on.
import { expect } from 'vitest';
import { LiveScene } from '../../packages/inspector/test/support/live-scene.js';
import type { Decision } from '../../packages/inspector/src/stream/question.js';
import { Story } from '../../packages/inspector/src/model/story/story.js';
import type { CallItem } from '../../packages/inspector/src/model/story/story-item.js';
import { waitUntil } from '../support/wait-until.js';
import { forEachCli } from './support/cases.js';
import { newCli, type Cli } from './support/cli.js';
import {
  createSdkMcpServer,
  openSession,
  pending,
  text,
  tool,
  toolUse,
  type Options,
} from './support/inboard.js';
import { onStage, type Stage } from './support/stage.js';

const PAY = 'mcp__shop__pay';

function createShop(ran: string[], isPending: boolean): Options {
  const pay = tool('pay', 'Pays.', { order: 'string' }, ({ order }) => {
    ran.push(order);
    return isPending ? pending({ note: 'The bank decides.' }) : `paid ${order}`;
  });
  const shop = createSdkMcpServer({ name: 'shop', tools: [pay], alwaysLoad: true });
  const asking: Options = isPending ? { allowedTools: [PAY] } : { canUseTool: async () => null };
  return { mcpServers: { shop }, permissionMode: 'default', ...asking };
}

/** The only call, as the story shows it now. */
async function readCall(scene: LiveScene): Promise<CallItem | undefined> {
  const story = new Story();
  for (const event of await scene.events()) story.push(event);
  return story.items.find((item): item is CallItem => item.kind === 'call');
}

function lastResult(stage: Stage): string {
  return JSON.stringify(stage.lastRequest().body.messages ?? []);
}

async function answerWithoutCli(cli: Cli, isPending: boolean, decision: Decision): Promise<void> {
  await onStage(
    cli,
    { script: [toolUse(PAY, { order: '7' })], onExhausted: text('Paid.') },
    async (stage) => {
      const ran: string[] = [];
      await using scene = new LiveScene();
      await using session = openSession({
        options: stage.options(createShop(ran, isPending)),
        suspendAfterMs: 1,
      });
      scene.follow(session);
      const turn = session.send('Pay order 7.');
      await waitUntil(() => session.state === 'waiting');
      await waitUntil(() => scene.source.sessions()[0]?.isSuspended === true);
      const { id, session: shown } = await scene.question();
      expect(scene.source.sessions()[0]).toMatchObject({
        state: 'waiting',
        waiting: 1,
        waitsFor: [isPending ? 'pending' : 'person'],
        stateText: expect.stringContaining('no CLI') as string,
        errors: 0,
      });
      await waitUntil(async () => (await readCall(scene))?.state === (isPending ? 'pending' : 'asking'));
      expect(await readCall(scene)).toMatchObject({ endT: undefined });
      expect(session.pid).toBeUndefined();
      const taken = await scene.source.act({ action: 'answer', session: shown, id, decision });
      expect(taken).toEqual({ ok: true });
      expect(await turn.text()).toBe('Paid.');
      expect(ran).toEqual(['7']);
      expect(lastResult(stage)).toContain(isPending ? 'by hand' : 'paid 7');
      const [settled] = await scene.eventsOf('settled');
      expect(await readCall(scene)).toMatchObject({ state: 'done' });
      expect(scene.source.questions()).toEqual([]);
      expect(settled).toMatchObject({ by: 'inspector', outcome: isPending ? 'completed' : 'allowed' });
      await waitUntil(() => scene.source.sessions()[0]?.state !== 'working');
      expect(scene.source.sessions()[0]).toMatchObject({ state: 'idle', waiting: 0, errors: 0 });
    },
  );
}

forEachCli([newCli], {
  'a question stays on its card while there is no CLI': (cli) =>
    answerWithoutCli(cli, false, { kind: 'allow' }),
  'a pending call stays on its card while there is no CLI': (cli) =>
    answerWithoutCli(cli, true, { kind: 'complete', value: 'by hand' }),
});
