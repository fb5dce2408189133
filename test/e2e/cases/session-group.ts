// Many sessions under common limits, with CLIs that sleep and wake.
import { expect } from 'vitest';
import { createSessionGroup } from '../../../packages/core/src/verbs/fleet/session-group.js';
import { isRunning } from '../../support/is-running.js';
import { waitUntil } from '../../support/wait-until.js';
import type { CaseSet } from '../support/cases.js';
import type { Cli } from '../support/cli.js';
import { createSdkMcpServer, text, tool, toolUse } from '../support/inboard.js';
import { onStage } from '../support/stage.js';
import { spokenIn } from '../support/talk.js';

async function takeTurnsWithOneCli(cli: Cli): Promise<void> {
  let calls = 0;
  const count = tool('count', 'Counts.', {}, async () => `counted ${(calls += 1)}`);
  const server = createSdkMcpServer({ name: 'own', tools: [count] });
  const use = toolUse('mcp__own__count', {});
  const script = [use, text('A1.'), text('B1.'), use, text('A2.'), text('B2.')];
  await onStage(cli, { script }, async (stage) => {
    const options = stage.options({ mcpServers: { own: server }, allowedTools: [count] });
    await using group = createSessionGroup({ maxRunning: 1, maxOpen: 1, options });
    const [a, b] = [group.open({ key: 'a' }), group.open({ key: 'b' })];
    const turns = [a.send('A?'), a.send('A again?'), b.send('B?'), b.send('B again?')];
    expect(await Promise.all(turns.map((turn) => turn.text()))).toEqual(['A1.', 'A2.', 'B1.', 'B2.']);
    // Each remembers its own conversation, and the tool is the same object for all.
    const last = stage.model.conversation.map(spokenIn);
    expect(last.at(-2)).toEqual(['A?', 'A1.', 'A again?']);
    expect(last.at(-1)).toEqual(['B?', 'B1.', 'B again?']);
    expect(calls).toBe(2);
    expect(group.stats()).toMatchObject({ sessions: 2, open: 1, running: 0, waiting: 0 });
  });
}

async function sleepWhenIdle(cli: Cli): Promise<void> {
  await onStage(cli, { script: [text('One.'), text('Two.')] }, async (stage) => {
    await using group = createSessionGroup({ maxRunning: 2, idleTimeoutMs: 1, options: stage.options() });
    const session = group.open();
    await session.send('First?').text();
    const { pid } = session;
    await waitUntil(() => session.state === 'suspended');
    if (pid !== undefined) expect(isRunning(pid)).toBe(false);
    expect(await session.send('Second?').text()).toBe('Two.');
    expect(spokenIn(stage.lastRequest())).toEqual(['First?', 'One.', 'Second?']);
    await group.closeAll();
    expect(group.stats()).toMatchObject({ sessions: 0, open: 0 });
  });
}

export const sessionGroupCases: CaseSet = {
  'lets an idle session sleep, and wakes it': sleepWhenIdle,
};

export const sessionGroupLongCases: CaseSet = {
  'lets sessions take turns with one CLI at a time': takeTurnsWithOneCli,
};
