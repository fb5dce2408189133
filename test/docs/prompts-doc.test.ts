// The page on prompts: the tests it names are there, and messages that come during a turn are read when it says.
import { describe, expect, it } from 'vitest';
import {
  createSdkMcpServer,
  openSession,
  tool,
  type SDKUserMessage,
} from '../../packages/inboard/src/index.js';
import { gate, held, startOffline, text, toolUse } from '../../packages/inboard/src/testing.js';
import { createDeferred } from '../../packages/core/src/util/deferred.js';
import { readProjectFile } from '../package/project.js';

describe('the page on prompts', () => {
  it('names tests that are there', () => {
    const rows = Array.from(
      readProjectFile('docs/prompts.md').matchAll(/ \| `(test\/[\w./-]+)`: (.+) \|$/gm),
      ([, path = '', title = '']) => [path, title] as const,
    );
    expect(rows.length).toBeGreaterThan(2);
    for (const [path, title] of rows) expect(readProjectFile(path)).toContain(title);
  });

  it('says when a message that comes during a turn is read', async () => {
    const inTool = createDeferred<void>();
    const mayEnd = createDeferred<void>();
    const wait = tool('wait', 'Waits', async () => {
      inTool.resolve();
      await mayEnd.promise;
      return 'waited';
    });
    await using offline = await startOffline([toolUse('mcp__shop__wait'), text('Both.'), text('The plums.')]);
    await using session = openSession({
      options: {
        ...offline.options,
        mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: [wait] }) },
        allowedTools: ['mcp__shop'],
      },
    });
    const say = (content: string, priority?: SDKUserMessage['priority']) =>
      session.send({
        type: 'user',
        message: { role: 'user', content },
        parent_tool_use_id: null,
        ...(priority && { priority }),
      });
    const turns = [say('apples')];
    await inTool.promise;
    turns.push(say('pears'), say('cherries', 'next'), say('plums', 'later'));
    // The CLI reads in order: once it answers, it has what was written before.
    await session.mcpServerStatus();
    mayEnd.resolve();
    await Promise.all(turns.map((turn) => turn.outcome()));
    const seen = offline.model.conversation.map(({ messages }) =>
      ['apples', 'pears', 'cherries', 'plums'].filter((word) => JSON.stringify(messages).includes(word)),
    );
    expect(seen).toEqual([
      ['apples'],
      ['apples', 'pears', 'cherries'],
      ['apples', 'pears', 'cherries', 'plums'],
    ]);
  });

  it('says what the priority "now" does', async () => {
    const door = gate();
    await using offline = await startOffline([held(text('Never said.'), door), text('At once.')]);
    await using session = openSession({ options: offline.options });
    const slow = session.send('Take your time.');
    await door.reached;
    const urgent = session.send({
      type: 'user',
      message: { role: 'user', content: 'Stop that.' },
      parent_tool_use_id: null,
      priority: 'now',
    });
    expect(await slow.outcome()).toMatchObject({ kind: 'interrupted' });
    expect(await urgent.outcome()).toMatchObject({ kind: 'ok', text: 'At once.' });
    door.open();
  });
});
