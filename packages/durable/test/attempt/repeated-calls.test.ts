// What a call gets that an earlier attempt began.
import { expect, it, vi } from 'vitest';
import { foldFacts } from '../../../core/src/record/calls/fold-facts.js';
import type { CallFact } from '../../../core/src/wire/protocol/config/call-records.js';
import { createAroundTool, repeatCall } from '../../src/attempt/repeated-calls.js';

const begun: CallFact = {
  type: 'begun',
  callKey: 'c',
  toolName: 'pay',
  input: {},
  attempt: 1,
  owner: 'a',
  at: 1,
};
const waiting: CallFact = { type: 'waiting', callKey: 'c', at: 2 };
const ended: CallFact = { type: 'ended', callKey: 'c', result: { content: [] }, at: 3 };
const unknown = expect.objectContaining({ isError: true }) as unknown;

it.each([
  ['nothing is known', [], undefined, undefined],
  ['it was begun', [begun], undefined, unknown],
  ['it was begun', [begun], 'unknown', unknown],
  ['it was begun', [begun], 'run', undefined],
  ['it was begun', [begun], 'recorded', undefined],
  ['it waited for a person', [begun, waiting], undefined, undefined],
  ['it has ended', [begun, ended], undefined, { content: [] }],
  ['it has ended', [begun, ended], 'recorded', { content: [] }],
  ['it has ended', [begun, ended], 'run', undefined],
] as const)('if %s (%j, onRepeat %s)', (_title, facts, onRepeat, expected) => {
  expect(repeatCall(onRepeat ? { onRepeat } : {}, foldFacts(facts).get('c'))).toEqual(expected);
});

const call = { callKey: 'c', attempt: 1, server: 's', tool: 't', toolName: 'pay', requestId: 1, input: {} };

it('runs no handler once the attempt is lost, even if that happens inside the own function of the agent', async () => {
  let isLost = true;
  const demand = (): void => {
    if (isLost) throw new Error('lost');
  };
  const run = vi.fn(() => 'ran');
  const known = foldFacts([]);
  await expect(createAroundTool({ known, demand, aroundTool: undefined })(call, run)).rejects.toThrow('lost');
  isLost = false;
  const around = createAroundTool({
    known,
    demand,
    aroundTool: async (_call, next) => {
      isLost = true;
      return await next();
    },
  });
  await expect(around(call, run)).rejects.toThrow('lost');
  expect(run).not.toHaveBeenCalled();
  isLost = false;
  expect(await createAroundTool({ known, demand, aroundTool: undefined })(call, run)).toBe('ran');
});
