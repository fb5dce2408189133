// The tools of a scene: their runs are written down, and each takes its time.
import { createSdkMcpServer, pending, tool } from '../../../packages/inboard/src/index.js';
import type { Kit, Seen } from './kit.js';

/** Waits in virtual time. */
export const sleep = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** The server. `readCallKey` gives the key of the call that runs. */
export function createShop(
  kit: Kit,
  seen: Seen,
  readCallKey: (extra: { callKey?: string | undefined }) => string | undefined,
) {
  const { plan } = kit;
  const chance = kit.chance('tools');
  const describe = (name: string) =>
    tool({
      name,
      description: `Does the ${name} of a message`,
      inputSchema: { k: 'string', n: 'number', call: 'number' },
      onRepeat: plan.onRepeat,
      run: async ({ k, n, call }, extra) => {
        const turn = plan.conversations.find(({ key }) => key === k)?.turns.find((each) => each.n === n);
        const run = {
          k,
          n,
          call,
          host: kit.host(),
          begunAt: kit.now(),
          endedAt: undefined as number | undefined,
          callKey: readCallKey(extra) ?? '',
        };
        seen.runs.push(run);
        kit.note(`run ${k} ${n} ${call}`);
        if (turn?.pending.includes(call)) return pending({ note: `${k} ${n} ${call}` });
        await sleep(chance.next() * 2 * (turn?.ms ?? 1));
        run.endedAt = kit.now();
        kit.note(`ran ${k} ${n} ${call}`);
        return `did ${k} ${n} ${call}`;
      },
    });
  return createSdkMcpServer({ name: 'shop', alwaysLoad: true, tools: ['work', 'pay'].map(describe) });
}

/** The text of a message. */
export function writePrompt(
  key: string,
  turn: Kit['plan']['conversations'][number]['turns'][number],
): string {
  const { n, calls, asks, together, ms } = turn;
  return `chaos ${JSON.stringify({ k: key, n, calls, ask: asks, together, ms, once: true })}`;
}
