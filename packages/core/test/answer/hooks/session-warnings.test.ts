// The warnings about hooks that a host receives, in a whole session with a scripted CLI.
import { expect, it } from 'vitest';
import { runToEnd, useScenes } from '../../../../../test/support/scene.js';
import { answered, ask, handshake, turn } from '../../../../../test/support/steps.js';

const play = useScenes();
const quiet = () => Promise.resolve({});

it('warns that the CLI registered no hooks', async () => {
  const hooks = { Stop: [{ hooks: [quiet] }] };
  const { q, warnings } = play({
    kind: 'memory',
    steps: [...handshake({ hooks_applied: false }), ...turn()],
    options: { hooks },
  });
  expect((await runToEnd(q)).error).toBeUndefined();
  expect(warnings.map(({ code }) => code)).toEqual(['HOOKS_NOT_APPLIED']);
});

it('warns of a matcher that never matches, and of a hook that fails', async () => {
  const fail = (): never => {
    throw new Error('broken at db.internal');
  };
  const hooks = { PreToolUse: [{ matcher: 'mcp__demo', hooks: [fail], failClosed: true }] };
  const request = { subtype: 'hook_callback', callback_id: 'hook_0', input: {}, tool_use_id: 't1' };
  const { q, cli, warnings } = play({
    kind: 'memory',
    steps: [...handshake(), ask('h1', request), answered('h1'), ...turn()],
    options: { hooks },
  });
  expect((await runToEnd(q)).error).toBeUndefined();
  expect(warnings.map(({ code }) => code)).toEqual(['HOOK_NEVER_MATCHES', 'HOOK_FAILED']);
  expect(warnings.at(-1)?.message).toContain('failed: broken at db.internal');
  const sent = JSON.stringify(cli.received());
  expect(sent).toContain('"permissionDecision":"deny"');
  expect(sent).toContain('The hook hooks.PreToolUse[0].hooks[0] failed"');
  expect(sent, 'the model would read it').not.toContain('db.internal');
});
