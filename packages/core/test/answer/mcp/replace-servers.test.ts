import { describe, expect, it } from 'vitest';
import { SessionClosedError } from '../../../src/errors.js';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import { EVERY_KIND, FOREIGN, type Workshop } from './foreign-servers.js';
import { openSession, settle, textOf } from './session-harness.js';

const saying = (text: string) => createSdkMcpServer({ name: text, tools: [tool('say', '', {}, () => text)] });
const say = { name: 'say', arguments: {} };

async function turn() {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('replacing servers', () => {
  it('serves the new ones before the CLI has agreed, and the old ones still', async () => {
    const { session, ask } = openSession({ a: saying('old a'), b: saying('old b') });
    const swap = session.replace({ b: saying('new b'), c: saying('new c') });
    expect(session.names).toEqual(['b', 'c']);
    const texts = async () =>
      Promise.all(
        ['a', 'b', 'c'].map(async (name) =>
          textOf(await ask('tools/call', say, name).catch(() => ({}) as never)),
        ),
      );
    expect(await texts()).toEqual(['old a', 'new b', 'new c']);
    swap.commit();
    expect(await texts()).toEqual(['', 'new b', 'new c']);
    expect(session.names).toEqual(['b', 'c']);
  });

  it('takes everything back when the CLI refuses', async () => {
    const { session, ask } = openSession({ a: saying('old a') });
    const swap = session.replace({ a: saying('new a'), b: saying('new b') });
    swap.rollback();
    swap.commit();
    expect(session.names).toEqual(['a']);
    expect(textOf(await ask('tools/call', say, 'a'))).toBe('old a');
    await expect(ask('tools/call', say, 'b')).rejects.toThrow('named "b"');
  });

  it('throws for a bad server and changes nothing', () => {
    const { session } = openSession({ a: saying('a') });
    expect(() => session.replace({ b: { type: 'sdk', name: 'b', instance: {} as never } })).toThrow(/"b"/);
    expect(session.names).toEqual(['a']);
  });

  it('knows what to do when two changes overlap', async () => {
    const { session, ask } = openSession({ a: saying('first') });
    const second = session.replace({ a: saying('second') });
    const third = session.replace({ a: saying('third') });
    third.commit();
    second.rollback();
    expect(textOf(await ask('tools/call', say, 'a'))).toBe('third');
    const fourth = session.replace({ a: saying('fourth') });
    const fifth = session.replace({ a: saying('fifth') });
    fourth.commit();
    fifth.rollback();
    expect(textOf(await ask('tools/call', say, 'a'))).toBe('fourth');
  });

  it.each(EVERY_KIND)(
    'lets running calls finish ($kind), on a server that stays and on one that goes',
    async ({ create }) => {
      const workshop: Workshop = { held: new Map() };
      const [stays, goes] = [create(workshop), create(workshop)];
      const { session, ask, events } = openSession({ stays, goes });
      const replies = ['stays', 'goes'].map((name) =>
        ask('tools/call', { name: 'hold', arguments: { nonce: name } }, name),
      );
      while (workshop.held.size < 2) await turn();
      session.replace({ stays }).commit();
      for (const { release } of workshop.held.values()) release();
      expect((await Promise.all(replies)).map(textOf)).toEqual(['held stays', 'held goes']);
      expect(events.map(({ type }) => type)).toEqual(['start', 'start', 'end', 'end']);
      session.close(new SessionClosedError());
    },
  );

  it('aborts what still runs in a replaced server when the session ends', async () => {
    const workshop: Workshop = { held: new Map() };
    const [old] = EVERY_KIND.map(({ create }) => create(workshop));
    const { session, call } = openSession({ s: old as never });
    const reply = call('hold', { nonce: 'x' });
    await settle();
    session.replace({}).commit();
    session.close(new SessionClosedError('the end'));
    expect(textOf(await reply)).toContain('the end');
    expect(workshop.held.get('x')?.signal.aborted).toBe(true);
  });

  it('goes on hearing of the lists of a server that stays', async () => {
    const stays = saying('stays');
    const { session, sent } = openSession({ stays });
    void session.manifests('2.1.325');
    session.replace({ stays }).commit();
    session.replace({ stays, other: saying('other') }).rollback();
    stays.instance.registerTool('late', {}, () => '');
    await settle();
    expect(sent.map(({ message }) => message.method)).toEqual(['notifications/tools/list_changed']);
  });

  it('hears no more of the lists of a server that is gone', async () => {
    const gone = saying('gone');
    const { session, sent } = openSession({ gone });
    void session.manifests('2.1.325');
    session.replace({}).commit();
    gone.instance.registerTool('late', {}, () => '');
    await settle();
    expect(sent).toEqual([]);
    expect(gone.instance.isConnected()).toBe(false);
  });

  it.each(FOREIGN)('hangs up on a foreign server ($kind) that is gone', async ({ create }) => {
    const server = create({ held: new Map() });
    const { session, ask } = openSession({ f: server });
    await ask('ping');
    session.replace({}).commit();
    await turn();
    expect((server.instance as unknown as { isConnected(): boolean }).isConnected()).toBe(false);
  });

  it('reports servers whose names the model cannot tell apart', () => {
    const { warnings, session } = openSession({ 'a.b': saying('1') });
    session.replace({ 'a.b': saying('1'), 'a b': saying('2') }).commit();
    expect(warnings.map(({ code }) => code)).toEqual(['TOOL_NAME_COLLISION']);
  });
});
