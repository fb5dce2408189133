import { expect, it, vi } from 'vitest';
import { PermissionUnavailableError } from '../../../src/errors.js';
import { allow, deny } from '../../../src/answer/permissions/decisions.js';
import { replayPermissions } from '../../../src/answer/permissions/replay-permissions.js';
import type { CanUseTool } from '../../../src/wire/protocol/control/permission-question.js';

const asked = (toolUseID: string) => ({ toolUseID, requestId: 'r1', signal: new AbortController().signal });
const ls = { toolName: 'Bash', input: { command: 'ls', options: ['-l'] } };

it('answers the same call, once, and denies what nobody decided about', async () => {
  const canUseTool = replayPermissions([{ ...ls, result: allow() }]);
  expect(await canUseTool('Bash', { command: 'rm' }, asked('t1'))).toMatchObject({ behavior: 'deny' });
  expect(await canUseTool('Read', ls.input, asked('t1'))).toMatchObject({ behavior: 'deny' });
  expect(await canUseTool('Bash', { options: ['-l'], command: 'ls' }, asked('t2'))).toEqual(allow());
  expect(await canUseTool('Bash', ls.input, asked('t3'))).toMatchObject({ behavior: 'deny' });
});

it('prefers the decision about that very call, which does not stretch to another input', async () => {
  const canUseTool = replayPermissions([
    { ...ls, toolUseID: 't1', result: deny('first') },
    { ...ls, toolUseID: 't2', result: deny('second') },
    { toolName: 'Bash', input: { command: 'pwd' }, toolUseID: 't3', result: allow() },
  ]);
  expect(await canUseTool('Bash', ls.input, asked('t2'))).toEqual(deny('second'));
  expect(await canUseTool('Bash', ls.input, asked('t9'))).toEqual(deny('first'));
  expect(await canUseTool('Bash', { command: 'rm' }, asked('t3'))).toMatchObject({ behavior: 'deny' });
});

it('asks another about the rest, who may leave it open', async () => {
  const otherwise = vi.fn<CanUseTool>(() => Promise.resolve(null));
  const canUseTool = replayPermissions([{ ...ls, result: allow() }], otherwise);
  const options = asked('t1');
  expect(await canUseTool('Bash', { command: 'pwd' }, options)).toBeNull();
  expect(otherwise).toHaveBeenCalledWith('Bash', { command: 'pwd' }, options);
});

it('looks a decision up wherever it is kept, and asks another where there is none', async () => {
  const kept = new Map([['call_1', allow({ input: { order: 7 } })]]);
  const otherwise = vi.fn<CanUseTool>(() => Promise.resolve(deny('Not known.')));
  const canUseTool = replayPermissions(async ({ callKey, toolName, input, toolUseID }) => {
    expect({ toolName, input, toolUseID }).toEqual({ ...ls, toolUseID: 't1' });
    await Promise.resolve();
    return callKey === 'call_3' ? null : kept.get(String(callKey));
  }, otherwise);
  const put = (callKey: string) => canUseTool('Bash', ls.input, { ...asked('t1'), callKey });
  expect(await put('call_1')).toEqual(allow({ input: { order: 7 } }));
  expect(await put('call_2')).toEqual(deny('Not known.'));
  expect(await put('call_3')).toBeNull();
  expect(otherwise).toHaveBeenCalledTimes(1);
});

it('lets a lookup say that its answers are away', async () => {
  const canUseTool = replayPermissions(() => Promise.reject(new PermissionUnavailableError()));
  await expect(canUseTool('Bash', ls.input, asked('t1'))).rejects.toMatchObject({
    code: 'PERMISSION_UNAVAILABLE',
  });
});
