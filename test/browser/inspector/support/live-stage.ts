// A running process for the page: the real CLI with a scripted model, tools of this process, and the inspector that serves
// the page as it is in the sources now.
import {
  createIsolatedEnvironment,
  startScriptedModel,
  type ScriptedModelOptions,
} from '../../../../packages/inboard/src/testing.js';
import {
  createSdkMcpServer,
  query,
  tool,
  type QueryOptions,
  type SDKMessage,
} from '../../../../packages/inboard/src/index.js';
import { inspectTarget } from '../../../../packages/inspector/src/inspect.js';
import type { InspectOptions } from '../../../../packages/inspector/src/inspect-options.js';
import { readPageAssets } from '../../../../packages/inspector/src/server/page-assets.js';
import { buildPageOnce } from '../../../../packages/inspector/test/support/built-page.js';

/** A query that runs by itself; its messages are read as they come. */
export interface RunningQuery {
  /** All its messages, once it is over. */
  done: Promise<SDKMessage[]>;
  close(): Promise<void>;
}

/** What a test works with. */
export interface LiveStage {
  /** A link that lets one browser in, once. */
  link(): string;
  /** Where the server listens. */
  readonly port: number;
  /** Starts a query that asks the page before its tools run. */
  start(prompt: string, options?: QueryOptions): RunningQuery;
  /** What the tool `send` was called with, in order. */
  readonly sent: Record<string, unknown>[];
}

/** Plays a test and clears up after it. */
export async function onLiveStage(
  script: ScriptedModelOptions,
  play: (stage: LiveStage) => Promise<void>,
  options: InspectOptions = {},
): Promise<void> {
  const assets = readPageAssets(await buildPageOnce());
  const model = await startScriptedModel(script);
  const home = await createIsolatedEnvironment({ baseUrl: model.url });
  const inspector = await inspectTarget(undefined, {
    askHere: true,
    title: 'shop',
    ...options,
    assets,
    port: 0,
    print: false,
  });
  const sent: Record<string, unknown>[] = [];
  const running: RunningQuery[] = [];
  const send = tool({
    name: 'send',
    description: 'Sends a letter',
    inputSchema: {
      type: 'object',
      properties: { to: { type: 'string' }, pages: { type: 'integer', minimum: 1 } },
      required: ['to'],
    },
    run: (input) => {
      sent.push(input);
      return `sent to ${input.to}`;
    },
  });
  const start = (prompt: string, more: QueryOptions = {}): RunningQuery => {
    const asked = query({
      prompt,
      options: {
        env: home.env,
        cwd: home.cwd,
        includePartialMessages: true,
        mcpServers: { shop: createSdkMcpServer({ name: 'shop', tools: [send] }) },
        ...more,
      },
    });
    const read = async (): Promise<SDKMessage[]> => {
      const messages: SDKMessage[] = [];
      for await (const message of asked) messages.push(message);
      return messages;
    };
    const done = read();
    // A test that awaits it gets the failure. A test that failed before only closes it.
    done.catch(() => {});
    const one = { done, close: () => asked.close() };
    running.push(one);
    return one;
  };
  try {
    await play({
      link: () => inspector.createLink(),
      port: Number(new URL(inspector.url).port),
      start,
      sent,
    });
  } finally {
    await Promise.all(running.map((one) => one.close()));
    await inspector.close();
    await model.close({ verify: false });
    await home.remove();
  }
}
