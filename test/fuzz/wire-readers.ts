// Readers of what comes over pipes and links: lines of the CLI, frames of another host, messages of an editor and of an MCP client.
import { PassThrough } from 'node:stream';
import { createBoundedInput } from '../../packages/cli/src/serve/bounded-input.js';
import { serveAgent } from '../../packages/acp/src/serve-agent.js';
import { decodeFrame, withoutPadding } from '../../packages/core/src/wire/protocol/codec.js';
import { createLineSplitter } from '../../packages/core/src/wire/protocol/line-splitter.js';
import { InboardError } from '../../packages/core/src/errors.js';
import { createFakeCli, text } from '../../packages/inboard/src/testing.js';
import { encodeFrame, FRAME, FrameReader } from '../../packages/remote/src/wire/frame.js';
import { Link } from '../../packages/remote/src/wire/link.js';
import {
  readExit,
  readHello,
  readRefusal,
  readSignal,
  readStart,
  readWelcome,
} from '../../packages/remote/src/wire/messages.js';
import { STREAM } from '../../packages/remote/src/wire/streams.js';
import { createDuplexPair } from '../../packages/remote/test/support.js';
import { isTyped, type FuzzedReader } from './fuzzed-reader.js';

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

const request = {
  type: 'control_request',
  request_id: 'r1',
  request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' } },
};
const response = {
  type: 'control_response',
  response: { subtype: 'success', request_id: 'r2', response: {}, pending_permission_requests: [request] },
};
const cliLines = line(request) + line(response) + line({ type: 'stream_event', event: { type: 'ping' } });

export const CLI_LINES: FuzzedReader = {
  name: 'lines of the CLI',
  examples: [cliLines, `\0\0${cliLines}`],
  runs: 200,
  read: (bytes) => {
    const splitter = createLineSplitter({
      maxLineBytes: 64 * 1024,
      onLine: (text) => decodeFrame(withoutPadding(text) ?? text),
      onPiece: () => false,
      onOversized: () => {},
    });
    const half = Math.floor(bytes.length / 2);
    splitter.push(bytes.subarray(0, half));
    splitter.push(bytes.subarray(half));
    splitter.end();
  },
  grow: (count) => cliLines.repeat(count),
};

const json = (kind: (typeof FRAME)[keyof typeof FRAME], value: unknown): Buffer =>
  encodeFrame(kind, Buffer.from(JSON.stringify(value)));
const greeting = { name: 'inboard-remote', protocol: 1, token: 'a-token-of-16-letters', idleMs: 5000 };
const start = {
  args: ['--version'],
  env: { A: 'b' },
  cwd: '.',
  files: [{ kind: 'argument', path: 'a.txt', size: 2 }],
};
const frames = [
  json(FRAME.hello, greeting),
  json(FRAME.welcome, greeting),
  json(FRAME.refused, { code: 'REMOTE_REFUSED', message: 'no', retryable: false }),
  json(FRAME.start, start),
  json(FRAME.exit, { exitCode: 0, signal: null, failure: { message: 'no', retryable: true } }),
  json(FRAME.signal, { signal: 'SIGTERM' }),
  encodeFrame(FRAME.data, Buffer.of(STREAM.output), Buffer.from('text')),
  encodeFrame(FRAME.credit, Buffer.of(STREAM.input, 0, 0, 0, 1)),
  encodeFrame(FRAME.end, Buffer.of(STREAM.output)),
  encodeFrame(FRAME.ping),
];
const MESSAGES = {
  [FRAME.hello]: readHello,
  [FRAME.welcome]: readWelcome,
  [FRAME.refused]: readRefusal,
  [FRAME.start]: readStart,
  [FRAME.exit]: readExit,
  [FRAME.signal]: readSignal,
} as Partial<Record<number, (payload: Buffer) => unknown>>;

export const REMOTE_FRAMES: FuzzedReader = {
  name: 'frames of a link',
  examples: [...frames, Buffer.concat(frames), Buffer.concat([...frames, encodeFrame(FRAME.bye)])],
  runs: 200,
  read: (bytes) => {
    let error: unknown;
    const reader = new FrameReader({
      frame(kind, payload) {
        try {
          MESSAGES[kind]?.(payload);
        } catch (thrown) {
          if (!isTyped(thrown)) throw thrown;
          error ??= thrown;
        }
      },
      fault: (thrown) => {
        error ??= thrown;
      },
    });
    reader.trust();
    for (let at = 0; at < bytes.length; at += 4099) reader.push(bytes.subarray(at, at + 4099));
    if (error !== undefined) throw error;
  },
  grow: (count) => Buffer.concat(Array.from({ length: count * 20 }, () => frames).flat()),
};

export const REMOTE_MESSAGES: FuzzedReader = {
  name: 'messages of a link',
  examples: [greeting, start, { exitCode: 0, signal: null, failure: { message: 'no', retryable: true } }].map(
    (message) => JSON.stringify(message),
  ),
  runs: 300,
  read: (bytes) => {
    for (const read of Object.values(MESSAGES)) {
      try {
        read?.(bytes);
      } catch (error) {
        if (!(error instanceof InboardError)) throw error;
      }
    }
  },
  grow: (count) => JSON.stringify({ ...start, args: Array(count * 50).fill('--version') }),
};

export const LINKS: FuzzedReader = {
  name: 'a link with streams',
  examples: [Buffer.concat(frames), Buffer.concat([...frames, encodeFrame(FRAME.bye)])],
  read: async (bytes) => {
    const { home, there } = createDuplexPair();
    const link = new Link(home, { peer: 'there', idleMs: 60_000 });
    link.trust({ idleMs: 60_000, theirIdleMs: 60_000 });
    link.openIncoming(STREAM.output).resume();
    link.openOutgoing(STREAM.input);
    there.on('error', () => {});
    there.write(bytes);
    there.end();
    const error = await link.ended;
    if (error !== undefined && !(error instanceof InboardError)) throw error;
  },
  grow: (count) => Buffer.concat(Array<Buffer>(count * 20).fill(frames[6] as Buffer)),
};

const rpc = (id: number, method: string, params: unknown): string =>
  line({ jsonrpc: '2.0', id, method, params });
const initialize = rpc(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} });
const editorLines =
  initialize +
  rpc(2, 'session/new', { cwd: '/', mcpServers: [] }) +
  rpc(3, 'session/prompt', { sessionId: 'none', prompt: [{ type: 'text', text: 'Hello' }] }) +
  rpc(4, 'session/load', { sessionId: 'none', cwd: '/', mcpServers: [] }) +
  line({ jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 'none' } });

export const EDITOR_MESSAGES: FuzzedReader = {
  name: 'messages of an editor (ACP)',
  examples: [editorLines],
  runs: 25,
  read: async (bytes) => {
    const fake = createFakeCli(() => [text('Hello.')], { allowEarlyEnd: true });
    const input = new PassThrough();
    const output = new PassThrough();
    output.resume();
    const over = serveAgent({
      input,
      output,
      onNote: () => {},
      options: { transport: fake.transport, closeGraceMs: 0, killGraceMs: 0 },
    });
    input.write(bytes);
    input.end();
    await over;
    await fake.close({ verify: false });
  },
  grow: (count) =>
    initialize + rpc(2, 'session/prompt', { sessionId: 'none', prompt: [] }).repeat(count * 10),
};

const callTool = rpc(1, 'tools/call', { name: 'add', arguments: { a: 1 } });

export const MCP_LINES: FuzzedReader = {
  name: 'lines of an MCP client (serve)',
  examples: [callTool + line({ jsonrpc: '2.0', method: 'notifications/initialized' })],
  read: async (bytes) => {
    const input = createBoundedInput(
      () => {},
      () => {},
    );
    input.resume();
    input.end(bytes);
    await new Promise((resolve) => {
      input.on('close', resolve);
    });
  },
  grow: (count) => callTool.repeat(count * 10),
};
