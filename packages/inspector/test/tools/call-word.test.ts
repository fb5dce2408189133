// What the tools view says of a call is what the story says of it.
import { expect, it } from 'vitest';
import { SessionModel } from '../../src/model/session-model.js';
import { listToolEntries } from '../../src/model/tools/list-entries.js';
import { wordOfCall } from '../../src/model/tools/call-word.js';
import { EventMaker } from '../support/make-events.js';

it('says of a call that a person is asked about that it waits, and not that it runs', () => {
  const model = new SessionModel('s1');
  const maker = new EventMaker().open('conversation').prompt('Pay.').init();
  const word = (): string => {
    for (const event of maker.events) model.push(event);
    const { servers, cliTools } = model.tools.read(listToolEntries);
    const [call] = [...servers.flatMap(({ tools }) => tools), ...cliTools].flatMap(({ calls }) => calls);
    return call ? wordOfCall(model.story, call).word : 'no call';
  };
  const input = { amount: 84 };
  maker.assistant({ type: 'tool_use', id: 'c1', name: 'Bash', input });
  expect(word()).toBe('running');
  maker.asks('q', { subtype: 'can_use_tool', tool_name: 'Bash', input, tool_use_id: 'c1' });
  expect(word()).toBe('waits for an answer');
  maker.answers('q', { behavior: 'allow', updatedInput: input });
  expect(word()).toBe('running');
  maker.asked({ id: 'p', kind: 'pending', subject: 'Bash', toolUseId: 'c1', callKey: 'k' });
  expect(word()).toBe('waits for its result');
  maker.settled('p', { outcome: 'completed' }).result('c1', 'paid');
  expect(word()).toBe('done');
});

it('says of a call that was cut off what its completion found, and no more', () => {
  const model = new SessionModel('s1');
  const maker = new EventMaker().open().prompt('Pay.').init();
  maker.assistant({ type: 'tool_use', id: 'c1', name: 'Bash', input: {} }).end(null, 'SIGKILL').header();
  const content = [{ type: 'tool_result', tool_use_id: 'c1', content: 'not run', is_error: true }];
  const completed = {
    callKey: 'k',
    toolUseId: 'c1',
    toolName: 'Bash',
    input: {},
    how: 'notRun',
    delivered: true,
  };
  const frame = { type: 'user', message: { role: 'user', content }, completed };
  maker.push({ type: 'completed', t: maker.t, frame });
  for (const event of maker.events) model.push(event);
  const [call] = model.tools.read(listToolEntries).cliTools.flatMap(({ calls }) => calls);
  expect(call && wordOfCall(model.story, call)).toEqual({ word: 'did not run', state: 'cut' });
});
