// What starts a CLI is loaded by the first launch; what the launch goes by is read in the tick of the call all the same.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDeferred } from '../../src/util/deferred.js';
import type { TransportRequest } from '../../src/wire/transport/transport.js';

const VARIABLE = 'INBOARD_TEST_OF_THE_TICK';
const home = process.cwd();

beforeEach(() => {
  // Each test begins with a launcher that is not loaded.
  vi.resetModules();
  process.env[VARIABLE] = 'before';
});

afterEach(() => {
  process.chdir(home);
  delete process.env[VARIABLE];
});

async function loadAnew() {
  const { query } = await import('../../src/verbs/query/query.js');
  const { createMemoryTransport } = await import('../../src/wire/transport/memory-transport.js');
  const requests: TransportRequest[] = [];
  const asked = createDeferred<TransportRequest>();
  const transport = (request: TransportRequest) => {
    requests.push(request);
    asked.resolve(request);
    return createMemoryTransport().transport;
  };
  return { query, transport, requests, asked: asked.promise };
}

describe('the first query', () => {
  it.each(['before it is loaded', 'once it is loaded'])(
    'goes by the environment and the folder of its own tick, %s',
    async (when) => {
      const { query, transport, asked } = await loadAnew();
      if (when === 'once it is loaded') await import('../../src/live/launch.js');
      const running = query({ prompt: 'go', options: { transport, closeGraceMs: 0, killGraceMs: 0 } });
      process.env[VARIABLE] = 'after';
      process.chdir(tmpdir());
      const request = await asked;
      expect(request.env[VARIABLE]).toBe('before');
      expect(request.cwd).toBe(home);
      await running.close();
    },
  );

  it('looks for a relative path from where the process was when the package was loaded', async () => {
    const { query } = await loadAnew();
    process.chdir(tmpdir());
    const running = query({ prompt: 'go', options: { pathToClaudeCodeExecutable: './no-such-cli' } });
    await expect(running.next()).rejects.toThrow(join(home, 'no-such-cli'));
  });

  it('starts nothing when it was closed or aborted while that was loaded', async () => {
    const { query, transport, requests } = await loadAnew();
    const closed = query({ prompt: 'go', options: { transport } });
    await closed.close();
    expect(await closed.next()).toEqual({ done: true, value: undefined });
    const abortController = new AbortController();
    const aborted = query({ prompt: 'go', options: { transport, abortController } });
    abortController.abort();
    await expect(aborted.next()).rejects.toMatchObject({ name: 'AbortError' });
    await import('../../src/live/launch.js');
    await new Promise(setImmediate);
    expect(requests).toEqual([]);
  });
});

describe('what starts a CLI', () => {
  it('begins to load with the first tool, and not before', async () => {
    const loading = createDeferred<void>();
    let isLoaded = false;
    vi.doMock('../../src/live/launch.js', () => {
      isLoaded = true;
      loading.resolve();
      return { launchCli: () => Promise.reject(new Error('not here')) };
    });
    try {
      await import('../../src/verbs/query/query.js');
      const { tool } = await import('../../src/answer/mcp/tool/tool.js');
      await new Promise(setImmediate);
      expect(isLoaded).toBe(false);
      tool('look', 'Looks.', {}, () => 'x');
      await loading.promise;
    } finally {
      vi.doUnmock('../../src/live/launch.js');
      // Other files of this worker would find the launcher that starts nothing.
      vi.resetModules();
    }
  });
});
