// A call of an in-process tool that a hook defers: the host may die, and another takes the call up when it was reviewed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { buildSource, type BuiltSource } from '../../support/build-source.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { createSdkMcpServer, openSession, text, tool, toolUse } from '../support/inboard.js';
import type { HookCallback } from '../support/inboard.js';
import { onStage } from '../support/stage.js';

const HOST = fileURLToPath(new URL('../../fixtures/children/deferring-host.mjs', import.meta.url));

let built: BuiltSource | undefined;

/** Removes the sources that hosts were run from. */
export function removeBuiltHost(): void {
  built?.remove();
  built = undefined;
}

async function outliveTheHost(cli: Cli): Promise<void> {
  built ??= buildSource('inboard/src/index.ts');
  const { folder } = built;
  const script = [toolUse('mcp__shop__pay', { order: 'A1' }), text('All paid.')];
  await onStage(cli, { script }, async (stage) => {
    const host = spawn(process.execPath, [HOST, folder, JSON.stringify(stage.options())], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(host, 'exit');
    const [said] = (await Promise.race([once(host.stdout, 'data'), exited])) as [unknown];
    host.kill('SIGKILL');
    await exited;
    const [resume = '', reason] = String(said).trim().split(' ');
    expect(reason).toBe('tool_deferred');

    // Days later, in another process, a person has agreed.
    const paid: string[] = [];
    const shop = createSdkMcpServer({
      name: 'shop',
      tools: [
        tool('pay', 'Pays an order', { order: 'string' }, ({ order }) => {
          paid.push(order);
          return `paid ${order}`;
        }),
      ],
    });
    const agree: HookCallback = async () => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' },
    });
    const options = {
      ...stage.options(),
      resume,
      mcpServers: { shop },
      hooks: { PreToolUse: [{ hooks: [agree] }] },
    };
    await using session = openSession({ options });
    for await (const message of session.messages()) {
      if (message.type !== 'result') continue;
      expect(message).toMatchObject({ subtype: 'success', result: 'All paid.' });
      break;
    }
    expect(paid).toEqual(['A1']);
    expect(stage.lastRequest().toolResults).toMatchObject([{ text: 'paid A1', isError: false }]);
  });
}

export const deferralCases: CaseSet = {
  'a deferred call of an in-process tool outlives its host': outliveTheHost,
};
