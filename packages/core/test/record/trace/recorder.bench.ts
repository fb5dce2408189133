// What recording costs, as a ratio: exchanges with and without it, in memory, with nothing else to wait for.
// Run: npx vitest bench test/trace/recorder.bench.ts
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, bench, describe } from 'vitest';
import { Channel } from '../../../src/wire/channel/channel.js';
import { traceTransport } from '../../../src/record/trace/recorder/trace-option.js';
import { createMemoryTransport } from '../../../src/wire/transport/memory-transport.js';

const folder = mkdtempSync(join(tmpdir(), 'trace-bench-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MESSAGE = JSON.stringify({
  type: 'assistant',
  message: {
    role: 'assistant',
    content: [{ type: 'text', text: 'It is a fine day, and the shop has seven apples. '.repeat(12) }],
    usage: { input_tokens: 12, output_tokens: 7 },
  },
  parent_tool_use_id: null,
  session_id: '00000000-0000-0000-0000-000000000000',
});
const QUESTION = (id: number): string =>
  JSON.stringify({
    type: 'control_request',
    request_id: `r${id}`,
    request: {
      subtype: 'mcp_message',
      server_name: 'shop',
      message: {
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'count', arguments: { article: 'apples' } },
      },
    },
  });

/** A thousand messages and a thousand questions with their answers, through a channel, as in a session. */
async function exchange(option: string | undefined): Promise<void> {
  const { transport, peer } = createMemoryTransport({ leavesAtEndOfInput: true });
  const used = traceTransport({
    transport,
    option,
    env: {},
    hostEnv: {},
    claudeCodeVersion: '2.1.325',
    cwd: '/',
    onWarning: (error) => {
      throw error;
    },
  });
  const channel = new Channel({
    write: (line) => used.write(line),
    answerers: { mcp_message: () => ({ mcp_response: { jsonrpc: '2.0', id: 1, result: { content: [] } } }) },
    onMessage: () => {},
    onWarning: () => {},
  });
  await new Promise<void>((resolve) => {
    used.open({ line: (line) => channel.receiveLine(line), fault: () => {}, closed: () => resolve() });
    queueMicrotask(() => {
      for (let id = 0; id < 1000; id += 1) {
        peer.send(MESSAGE);
        peer.send(QUESTION(id));
      }
      used.endInput();
    });
  });
}

describe('3000 frames', () => {
  bench('unrecorded', () => exchange(undefined));
  bench('recorded', () => exchange(join(folder, 'run.jsonl')));
});
