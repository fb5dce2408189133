// Many conversations that wait at the same time in one process: no CLI is alive, each takes little memory, and each message of the
// model costs one start. 300 of them in `npm test`, 1,500 at night (INBOARD_ALL_CASES=1).
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { allow, answerPermission, createSdkMcpServer, tool } from '@inboard/inboard/index.js';
import {
  createConversation,
  presentConversation,
  type Session,
} from '../../../src/verbs/conversation/open-session.js';
import type { Turn } from '../../../src/verbs/conversation/turns/turn.js';
import { waitUntil } from '../../../../../test/support/wait-until.js';
import { WaitingCast } from './waiting-cast.js';

const COUNT = process.env['INBOARD_ALL_CASES'] === '1' ? 1500 : 300;
const MOST_BYTES = 100_000;
const AT_ONCE = 100;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

async function measureHeap(): Promise<number> {
  for (let round = 0; round < 4; round += 1) {
    collect();
    await new Promise(setImmediate);
  }
  return process.memoryUsage().heapUsed;
}

it(
  `${COUNT} turns wait with no CLI and at most ${MOST_BYTES / 1000} kB each`,
  { timeout: 240_000 },
  async () => {
    let ran = 0;
    const pay = tool('pay', 'Pays.', { order: 'string' }, () => {
      ran += 1;
      return 'paid';
    });
    const shop = createSdkMcpServer({ name: 'shop', tools: [pay] });
    const call = { tool: 'mcp__shop__pay', input: { order: '7' } };
    const open = (): { session: Session; cast: WaitingCast; turn: Turn } => {
      const cast = new WaitingCast([call], 'Paid.');
      const session = presentConversation(
        createConversation({
          suspendAfterMs: 1,
          launch: cast.launch,
          options: {
            mcpServers: { shop },
            canUseTool: async () => null,
            sessionStore: cast.store,
            onWarning: () => {},
          },
        }),
      );
      return { session, cast, turn: session.send('Pay.') };
    };
    const wait = async (scenes: readonly ReturnType<typeof open>[]): Promise<void> => {
      for (const { session, cast } of scenes)
        await waitUntil(() => session.state === 'waiting' && cast.alive.size === 0, 60_000);
    };
    // What is loaded and compiled once is not counted; V8 compiles again what has run often.
    const first = Array.from({ length: AT_ONCE }, open);
    await wait(first);

    const before = await measureHeap();
    const scenes: ReturnType<typeof open>[] = [];
    while (scenes.length < COUNT) {
      const next = Array.from({ length: AT_ONCE }, open);
      await wait(next);
      scenes.push(...next);
    }
    const each = ((await measureHeap()) - before) / COUNT;
    expect(scenes.filter(({ cast }) => cast.alive.size > 0)).toHaveLength(0);
    expect(each).toBeLessThan(MOST_BYTES);
    console.log(`${Math.round(each / 1000)} kB each`);

    for (const { session } of [...first, ...scenes])
      expect(answerPermission(String(session.pendingPermissions()[0]?.requestId), allow())).toBe(true);
    for (const { turn } of scenes) expect(await turn.text()).toBe('Paid.');
    // Two messages of the model, two starts.
    expect(scenes.filter(({ cast }) => cast.starts !== 2)).toHaveLength(0);
    expect(ran).toBe(COUNT + first.length);
    await Promise.all([...first, ...scenes].map(({ session }) => session.close()));
  },
);
