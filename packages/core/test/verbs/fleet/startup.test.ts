// A CLI that waits for its one prompt: who owns it when the prompt is none, or comes too late.
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { InvalidOptionsError, SessionClosedError } from '../../../src/errors.js';
import type { Options } from '../../../src/options/options.js';
import { startup, type WarmQuery } from '../../../src/verbs/fleet/startup.js';
import { createMemoryTransport } from '../../../src/wire/transport/memory-transport.js';
import { INITIALIZE_REPLY } from '../../../../../test/support/steps.js';

/** A warm query, and whether its CLI is still there. */
async function warmUp(options: Options = {}): Promise<{ warm: WarmQuery; isGone: () => boolean }> {
  const { transport, peer } = createMemoryTransport({ leavesAtEndOfInput: true });
  let isGone = false;
  void peer.inputEnded.then(() => (isGone = true));
  peer.onLine((line) => {
    const { request_id } = JSON.parse(line) as { request_id?: string };
    const response = { subtype: 'success', request_id, response: INITIALIZE_REPLY };
    if (request_id !== undefined) peer.send(JSON.stringify({ type: 'control_response', response }));
  });
  return { warm: await startup({ options: { transport, ...options } }), isGone: () => isGone };
}

describe('a warm query', () => {
  it('can still be closed when it was given what is no prompt', async () => {
    const { warm, isGone } = await warmUp();
    expect(() => warm.query(5 as never)).toThrow(InvalidOptionsError);
    expect(() => warm.query(undefined as never)).toThrow('it is missing');
    await warm.close();
    expect(isGone()).toBe(true);
  });

  it('takes no prompt while it is being closed, and is gone when it is closed again', async () => {
    const { warm, isGone } = await warmUp();
    const closing = warm.close();
    expect(() => warm.query('hi')).toThrow(SessionClosedError);
    await warm.close();
    expect(isGone()).toBe(true);
    await closing;
  });

  it.each<[string, (warm: WarmQuery, controller: AbortController) => unknown]>([
    ['closed unused', (warm) => warm.close()],
    ['used and left', (warm) => warm.query('hi').return()],
    ['used and closed', (warm) => warm.query('hi').close()],
    ['aborted', (warm, controller) => [controller.abort(), warm.close()][1]],
  ])('that is %s leaves no listener on its signal', async (_, end) => {
    const abortController = new AbortController();
    const { signal } = abortController;
    const { warm } = await warmUp({ abortController });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await end(warm, abortController);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('that never came about leaves no listener on its signal either', async () => {
    const abortController = new AbortController();
    const { transport, peer } = createMemoryTransport();
    const starting = startup({ options: { transport, abortController } });
    peer.end({ exitCode: 1 });
    await expect(starting).rejects.toThrow();
    expect(getEventListeners(abortController.signal, 'abort')).toEqual([]);
  });
});
