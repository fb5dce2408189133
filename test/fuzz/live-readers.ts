// Readers of messages in a running query: everything that watches one gets what a CLI, or the host that runs one, might send.
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { readRecordings } from '../../scripts/support/protocol/read-recordings.mjs';
import { MessageUpdates } from '../../packages/acp/src/updates/message-updates.js';
import {
  createSdkMcpServer,
  openSession,
  query,
  tool,
  type Options,
  type SDKMessage,
} from '../../packages/inboard/src/index.js';
import { withTelemetry } from '../../packages/inboard/src/otel.js';
import { crash, createFakeCli, raw, text, trajectoryOf } from '../../packages/inboard/src/testing.js';
import { toUiStream } from '../../packages/inboard/src/ui.js';
import { isTyped, type FuzzedReader } from './fuzzed-reader.js';

/** How many recorded messages of a kind are taken as good ones. */
const OF_A_KIND = 3;
const kinds = new Map<string, string[]>();
for (const { dir, frame, kind } of readRecordings()) {
  if (dir !== 'in' || !/^(?:message|request|cancel) in/.test(kind)) continue;
  const name = `${kind} ${String((frame.event as { type?: string } | undefined)?.type)}`;
  const lines = kinds.get(name) ?? [];
  if (lines.length < OF_A_KIND) kinds.set(name, [...lines, JSON.stringify(frame)]);
}
const lines = [...kinds.values()].flat();

const tracer = new BasicTracerProvider().getTracer('fuzz');
const shop = (): ReturnType<typeof createSdkMcpServer> =>
  createSdkMcpServer({ name: 'shop', tools: [tool('pay', 'Pays', { order: 'string' }, () => 'paid')] });

async function* replay(messages: readonly SDKMessage[]): AsyncGenerator<SDKMessage> {
  yield* messages;
}

/** Hands messages to whoever shows or counts them later. */
async function show(messages: readonly SDKMessage[]): Promise<void> {
  const updates = new MessageUpdates({
    cwd: '/',
    waiting: { has: () => false } as never,
    listCosts: () => [],
  });
  const shows: (() => void | Promise<void>)[] = [
    async () => {
      for await (const chunk of toUiStream(replay(messages))) void chunk;
    },
    () => void trajectoryOf(messages),
    () => {
      for (const message of messages) updates.take(message);
    },
    () => {
      for (const message of messages) updates.replay(message);
    },
  ];
  let error: unknown;
  for (const each of shows) {
    try {
      await each();
    } catch (thrown) {
      if (!isTyped(thrown)) throw thrown;
      error ??= thrown;
    }
  }
  if (error !== undefined) throw error;
}

/** Options of a program that watches all there is. */
function watchAll(transport: NonNullable<Options['transport']>): Options {
  return withTelemetry(
    {
      transport,
      mcpServers: { shop: shop() },
      canUseTool: async (_name, input) => ({ behavior: 'allow', updatedInput: input }),
      hooks: { PreToolUse: [{ hooks: [async () => ({})] }] },
      includePartialMessages: true,
      closeGraceMs: 0,
      killGraceMs: 0,
      onWarning: () => {},
      onToolEvent: () => {},
      onElicitation: async () => ({ action: 'decline' }),
    },
    { tracer, captureContent: true },
  );
}

/** Plays the messages to a program, which gives what it got. */
async function play(
  bytes: Buffer,
  run: (options: Options, messages: SDKMessage[]) => Promise<void>,
): Promise<void> {
  // The CLI then ends, because some messages tell of work that nobody does.
  const script = [raw(`${bytes.toString()}\n`), text('Hello.'), crash({ code: 0 })];
  const fake = createFakeCli(() => script, { allowEarlyEnd: true });
  const messages: SDKMessage[] = [];
  let error: unknown;
  try {
    await run(watchAll(fake.transport), messages);
  } catch (thrown) {
    error = thrown;
  }
  await fake.close({ verify: false });
  await show(messages);
  if (error !== undefined) throw error;
}

export const LIVE_MESSAGES: FuzzedReader = {
  name: 'messages and requests of a CLI in a running query',
  examples: lines,
  runs: 100,
  read: (bytes) =>
    play(bytes, async (options, messages) => {
      await using q = query({ prompt: 'Go.', options });
      for await (const message of q) messages.push(message);
    }),
  // Many, because what a query does besides differs from one to the next.
  grow: (count) => Array.from({ length: count * 20 }, () => lines[0]).join('\n'),
};

export const SESSION_MESSAGES: FuzzedReader = {
  ...LIVE_MESSAGES,
  name: 'messages and requests of a CLI in a session',
  read: (bytes) =>
    play(bytes, async (options, messages) => {
      await using session = openSession({ options });
      const turn = session.send('Go.');
      for await (const message of turn) messages.push(message);
      await turn.outcome();
    }),
};
