// What the tests of the fake CLI share: one script in memory and as an executable, queries read to their end, and a host
// that writes its lines by hand.
import { onTestFinished } from 'vitest';
import {
  createSdkMcpServer,
  query,
  tool,
  type Options,
  type Query,
  type SDKMessage,
  type SDKResultMessage,
} from '@inboard/inboard/index.js';
import {
  createFakeCli,
  type FakeCli,
  type FakeCliOptions,
  type FakeScript,
} from '@inboard/inboard/testing.js';
import type { Transport, TransportEnd } from '@inboard/core/wire/transport/transport.js';

export const STAGES = ['memory', 'executable'] as const;
export type StageKind = (typeof STAGES)[number];

/** A fake that is closed, and not verified, when the test is over. */
export function stageFake(script: FakeScript, options: FakeCliOptions = {}): FakeCli {
  const fake = createFakeCli(script, options);
  onTestFinished(() => fake.close({ verify: false }));
  return fake;
}

/** The options that lead a query to a fake. */
export async function pointTo(kind: StageKind, fake: FakeCli): Promise<Options> {
  if (kind === 'memory') return { transport: fake.transport };
  return { pathToClaudeCodeExecutable: await fake.executable(), env: { PATH: process.env['PATH'] ?? '' } };
}

export interface Played {
  readonly fake: FakeCli;
  readonly messages: SDKMessage[];
  readonly error: unknown;
}

/** Plays a script against a query and reads it to its end. */
export async function playScript(
  kind: StageKind,
  script: FakeScript,
  more: {
    options?: Options;
    fake?: FakeCliOptions;
    prompt?: Parameters<typeof query>[0]['prompt'];
    act?: (query: Query) => Promise<void>;
  } = {},
): Promise<Played> {
  const fake = stageFake(script, more.fake);
  const options = { onWarning: () => {}, ...more.options, ...(await pointTo(kind, fake)) };
  const q = query({ prompt: more.prompt ?? 'Go.', options });
  const messages: SDKMessage[] = [];
  const read = async (): Promise<unknown> => {
    try {
      for await (const message of q) messages.push(message);
      return undefined;
    } catch (error) {
      return error;
    }
  };
  const reading = read();
  await more.act?.(q);
  return { fake, messages, error: await reading };
}

export function resultsOf(messages: readonly SDKMessage[]): SDKResultMessage[] {
  return messages.filter((message) => message.type === 'result');
}

/** Type, and subtype if there is one, of each message. */
export function kindsOf(messages: readonly SDKMessage[]): string[] {
  return messages.map((message) =>
    'subtype' in message ? `${message.type}/${message.subtype}` : message.type,
  );
}

/** A server whose tools may be used without asking. */
export function openShop(): Pick<Options, 'mcpServers' | 'allowedTools'> {
  const shop = createSdkMcpServer({
    name: 'shop',
    tools: [
      tool('count', 'Counts', { article: 'string' }, ({ article }) => `7 ${article}`, {
        annotations: { readOnlyHint: true },
      }),
      tool('fail', 'Fails', {}, () => {
        throw new Error('out of stock');
      }),
    ],
  });
  return { mcpServers: { shop }, allowedTools: ['mcp__shop'] };
}

/** A host that keeps to no protocol but what the test writes. */
export class RawHost {
  readonly lines: Array<Record<string, unknown>> = [];
  readonly end: Promise<TransportEnd>;
  readonly #transport: Transport;
  #waiters: Array<() => void> = [];

  constructor(fake: FakeCli, args: readonly string[] = []) {
    const transport = fake.transport({
      args,
      env: { CLAUDE_CODE_SDK_READS_SESSION_STATE: '1' },
      cwd: '/',
    }) as Transport;
    this.#transport = transport;
    this.end = new Promise((resolve) => {
      transport.open({
        line: (text) => {
          this.lines.push(JSON.parse(text) as Record<string, unknown>);
          for (const wake of this.#waiters.splice(0)) wake();
        },
        fault: () => {},
        closed: resolve,
      });
    });
  }

  write(...lines: ReadonlyArray<object | string>): void {
    for (const line of lines) this.#transport.write(typeof line === 'string' ? line : JSON.stringify(line));
  }

  initialize(more: object = {}): void {
    this.write({ type: 'control_request', request_id: 'i', request: { subtype: 'initialize', ...more } });
  }

  prompt(text: string, more: object = {}): void {
    this.write({ type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null, ...more });
  }

  answer(id: unknown, response?: unknown): void {
    this.write({ type: 'control_response', response: { subtype: 'success', request_id: id, response } });
  }

  /** The first line that fits, past or to come. */
  async hear(fits: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.lines.find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => {
        this.#waiters.push(resolve);
      });
    }
  }

  /** The id of the fake's request of a subtype. */
  async asked(subtype: string): Promise<unknown> {
    const line = await this.hear(
      ({ type, request }) =>
        type === 'control_request' && (request as Record<string, unknown>)['subtype'] === subtype,
    );
    return line['request_id'];
  }

  result(): Promise<Record<string, unknown>> {
    return this.hear(({ type }) => type === 'result');
  }

  endInput(): Promise<TransportEnd> {
    this.#transport.endInput();
    return this.end;
  }
}
