// The beginning and the end of an agent in an editor: what it is given, what it must not write, and that nothing is left.
import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { AcpError, serveAcp, type ServeAcpInput } from '@inboard/inboard/acp.js';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { loadAcpLibrary } from '../src/acp-library.js';
import { tool } from '@inboard/inboard/index.js';
import { stall } from '@inboard/inboard/testing.js';
import { say } from '@inboard/testing/fake-cli/script/build-steps.js';
import { claimOutput } from '@inboard/core/util/claim-output.js';
import { createDeferred } from '@inboard/core/util/deferred.js';
import { methods, openEditor, refusal } from './open-editor.js';

const count = tool({ name: 'count', description: 'Counts', inputSchema: {}, run: () => '7' });

describe('serveAcp', () => {
  it.each([
    [{ prompt: 'x' }, ['prompt'], /go into "options"/],
    [{ options: { cwd: '/' } }, ['cwd'], /decided by the editor/],
    [{ options: { canUseTool: () => null } }, ['canUseTool'], /decided by the editor/],
    [{ options: 7 }, ['options'], /must be an object/],
    [{ tools: count }, ['tools'], /list/],
    [{ servers: [] }, ['servers'], /by name/],
    [{ suspendAfterMs: -1 }, ['suspendAfterMs'], /milliseconds/],
    [{ tools: [count], servers: { inboard: {} } }, ['tools', 'servers'], /another "name"/],
  ])('refuses %j', async (input, names, words) => {
    const error: unknown = await serveAcp({
      input: new PassThrough(),
      output: new PassThrough(),
      ...input,
    } as unknown as ServeAcpInput).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidOptionsError);
    expect(error).toMatchObject({ options: names, message: expect.stringMatching(words) as string });
  });

  it('refuses what is no object', async () => {
    await expect(serveAcp('tools' as never)).rejects.toThrow(InvalidOptionsError);
  });

  it('goes on after lines that are no messages', async () => {
    const editor = await openEditor({ script: [say('Here.')] });
    // The library reports what it cannot read on the console, which is the standard error.
    const silenced = vi.spyOn(console, 'error').mockImplementation(() => {});
    editor.stdin.write('this is no JSON\n{"jsonrpc":"2.0","id":90,"method":"no/such"}\n[]\n\n7\n');
    const { sessionId } = await editor.open();
    await expect(editor.prompt(sessionId, 'Hi.')).resolves.toEqual({ stopReason: 'end_turn' });
    silenced.mockRestore();
    const unknown = editor
      .written()
      .split('\n')
      .filter((line) => line.includes('"id":90'));
    expect(unknown.map((line) => (JSON.parse(line) as { error: { code: number } }).error.code)).toEqual([
      -32601,
    ]);
    const wrong = editor.agent.request(methods.agent.session.new, { cwd: 7 } as never);
    expect(await refusal(wrong)).toMatchObject({ code: -32602 });
  });

  it('writes nothing but messages, one a line', async () => {
    const editor = await openEditor({ script: [say('One\nline.')] });
    const { sessionId } = await editor.open();
    await editor.prompt(sessionId, 'Hi.');
    const lines = editor.written().split('\n');
    expect(lines.pop()).toBe('');
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });

  it('ends with its input, in the middle of a turn, and leaves no CLI', async () => {
    const begun = createDeferred<void>();
    const editor = await openEditor({
      script: [say('Well, '), stall()],
      onUpdate: ({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk' && begun.resolve(),
    });
    const [one] = await Promise.all([editor.open(), editor.open()]);
    // No client is there to read an answer.
    editor.prompt(one.sessionId, 'Hi.').catch(() => {});
    await begun.promise;
    editor.leave();
    await editor.over;
    expect(editor.fake.sessions.map(({ isOver }) => isOver)).toEqual([true, true]);
  });

  it('ends with its input while a session is being opened', async () => {
    const editor = await openEditor({ script: [say('Here.')] });
    editor.open().catch(() => {});
    editor.leave();
    await editor.over;
    expect(editor.fake.sessions.every(({ isOver }) => isOver)).toBe(true);
  });

  it('ends when its signal aborts', async () => {
    const stop = new AbortController();
    const editor = await openEditor({ script: [say('Here.')], service: { signal: stop.signal } });
    await editor.open();
    stop.abort();
    await editor.over;
    expect(editor.fake.sessions.map(({ isOver }) => isOver)).toEqual([true]);
  });

  it('goes on when the listener for notes fails, which is a warning', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error): void => void warnings.push(warning);
    process.on('warning', listen);
    const { askPermission } = await import('@inboard/inboard/testing.js');
    const editor = await openEditor({
      script: [askPermission('Bash', { command: 'ls' }), say('Here.')],
      onPermission: () => ({ outcome: { outcome: 'selected', optionId: 'nothing' } }),
      service: {
        onNote: () => {
          throw new Error('mine');
        },
      },
    });
    const { sessionId } = await editor.open();
    await expect(editor.prompt(sessionId, 'Hi.')).resolves.toEqual({ stopReason: 'end_turn' });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listen);
    expect(warnings.filter(({ message }) => message.includes('"onNote"')).length).toBe(1);
  });
});

describe('the library', () => {
  it('is found from a file of a project, else beside this package', async () => {
    const here = await loadAcpLibrary(import.meta.filename);
    const own = await loadAcpLibrary('/nowhere/tools.ts');
    expect(here.PROTOCOL_VERSION).toBe(1);
    expect(own.agent).toBe(here.agent);
  });

  it('has an error of its own', () => {
    expect(new AcpError('ACP_LIBRARY_MISSING', 'x')).toMatchObject({
      code: 'ACP_LIBRARY_MISSING',
      name: 'AcpError',
    });
  });
});

describe('a claimed output', () => {
  it('is for its owner alone until it is given back', async () => {
    const texts = { out: '', other: '' };
    const collect = (name: keyof typeof texts): Writable =>
      new Writable({
        write: (chunk, _encoding, done) => {
          texts[name] += String(chunk);
          done();
        },
      });
    const out = collect('out');
    const onStray = vi.fn();
    const { output, restore } = claimOutput(out, collect('other'), onStray);
    output.write('protocol\n');
    out.write('stray\n');
    out.write('again\n');
    await new Promise((resolve) => setImmediate(resolve));
    restore();
    out.write('back\n');
    expect(texts).toEqual({ out: 'protocol\nback\n', other: 'stray\nagain\n' });
    expect(onStray).toHaveBeenCalledTimes(1);
  });
});
