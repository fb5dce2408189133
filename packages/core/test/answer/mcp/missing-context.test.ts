import { describe, expect, it } from 'vitest';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import type { HandlerExtra } from '../../../src/answer/mcp/tool/handler-extra.js';
import { openSession, textOf } from './session-harness.js';

interface Desk {
  user: string;
}

const NOTE = 'Note: this tool read its context, but none is set.';

function serve(handle: (extra: HandlerExtra<Desk>) => unknown) {
  return createSdkMcpServer({
    name: 'desk',
    tools: [tool('who', '', (_args, extra: HandlerExtra<Desk>) => handle(extra))],
  });
}

describe('a tool that reads a context that nobody gave', () => {
  it.each([
    ['at once', ({ context }: HandlerExtra<Desk>) => context.user.toUpperCase()],
    ['by destructuring', ({ context: { user } }: HandlerExtra<Desk>) => user],
    [
      'later',
      async ({ context }: HandlerExtra<Desk>) => {
        await Promise.resolve();
        return context.user;
      },
    ],
    [
      'in a generator',
      async function* ({ context }: HandlerExtra<Desk>) {
        yield 'looking';
        yield context.user;
      },
    ],
  ])('says so, %s', async (_when, handle) => {
    const { call, warnings, events } = openSession({ demo: serve(handle) });
    const reply = await call('who');
    expect(reply.result?.isError).toBe(true);
    // What the handler threw comes first: it need not have failed over the context.
    const texts = reply.result?.content as { text: string }[] | undefined;
    expect(texts?.map(({ text }) => text)).toEqual([expect.stringContaining('undefined'), NOTE]);
    await call('who');
    expect(warnings).toEqual([
      {
        code: 'TOOL_CONTEXT_MISSING',
        message: expect.stringMatching(
          /read its context.*undefined.*If it failed because of that, set "toolContext"/,
        ) as string,
        tool: 'who',
        server: 'demo',
      },
    ]);
    const failed = events.find((event) => event.type === 'error');
    expect(failed?.type === 'error' && failed.error).toBeInstanceOf(TypeError);
  });

  it('and fails over something else keeps its own error', async () => {
    const rows = (value: unknown): number => (value as { rows: unknown[] }).rows.length;
    const { call, events } = openSession({
      demo: serve(({ context }) => {
        const locale = (context as Partial<Desk> | undefined)?.user ?? 'en';
        return rows({ locale });
      }),
    });
    expect(textOf(await call('who'))).toMatch(/^Cannot read properties of undefined \(reading 'length'\)/);
    const failed = events.find((event) => event.type === 'error');
    expect(failed?.type === 'error' && failed.error).toMatchObject({
      name: 'TypeError',
      message: expect.stringContaining("reading 'length'") as string,
    });
    // A handler that only copies the argument has not read the context.
    const copies = openSession({ demo: serve((extra) => rows({ ...extra })) });
    const reply = await copies.call('who');
    expect(reply.result?.content).toHaveLength(1);
    expect(copies.warnings).toEqual([]);
  });

  it('is left alone if it can do without, or fails over something else', async () => {
    const without = openSession({
      demo: serve(({ context }) => (context as Desk | undefined)?.user ?? 'nobody'),
    });
    expect(textOf(await without.call('who'))).toBe('nobody');
    const other = openSession({
      demo: serve(({ context }) => {
        if (!context) throw new RangeError('undefined is out of range');
      }),
    });
    expect(textOf(await other.call('who'))).toBe('undefined is out of range');
    const unread = openSession({ demo: serve(() => (undefined as unknown as Desk).user) });
    expect(textOf(await unread.call('who'))).toMatch(/^Cannot read properties of undefined/);
    expect([...without.warnings, ...other.warnings, ...unread.warnings]).toEqual([]);
  });

  it('is left alone if there is a context', async () => {
    const { call, warnings } = openSession(
      {
        demo: serve(({ context }) =>
          (context as unknown as { list: Desk[] }).list[0]?.user.length.toFixed().at(9)?.at(0),
        ),
      },
      { context: { list: [] } },
    );
    expect((await call('who')).result?.isError).toBeUndefined();
    expect(warnings).toEqual([]);
  });
});
