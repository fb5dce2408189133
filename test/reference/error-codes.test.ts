// Brings about the errors and warnings of docs/errors.md that no other test names by their codes.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { createUiChat } from '../../packages/inboard/src/ui.js';
import { image } from '../../packages/core/src/answer/mcp/result/content-helpers.js';
import { createSdkMcpServer } from '../../packages/core/src/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '../../packages/core/src/answer/mcp/tool/tool.js';
import { listen } from '../../packages/inspector/src/server/listen.js';
import { readPageAssets } from '../../packages/inspector/src/server/page-assets.js';
import { outcomeOf, runErrorOf } from '../../packages/core/src/live/output/outcome.js';
import { checkOptions } from '../../packages/core/src/options/check/check-options.js';
import { warnOfMisplacedOptions } from '../../packages/core/src/options/check/misplaced-options.js';
import { WarningReporter } from '../../packages/core/src/options/check/warning-reporter.js';
import { createToolHarness } from '../../packages/testing/src/agent/tool-harness.js';
import type { SDKResultMessage } from '../../packages/core/src/wire/protocol/messages/messages.js';
import { openSession } from '../../packages/core/test/answer/mcp/session-harness.js';

/** The process warnings that a piece of work emits. */
async function collectWarnings(work: () => unknown): Promise<string[]> {
  const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  try {
    await work();
    return emitted.mock.calls.map(([, options]) => (options as unknown as { code: string }).code);
  } finally {
    emitted.mockRestore();
  }
}

describe('a run that did not succeed', () => {
  it.each([
    ['aborted_streaming', 'INTERRUPTED'],
    ['max_turns', 'MAX_TURNS'],
    ['budget_exhausted', 'BUDGET'],
    ['model_error', 'API_ERROR'],
    ['structured_output_retry_exhausted', 'STRUCTURED_OUTPUT'],
    ['hook_stopped', 'STOPPED_BY_HOOK'],
    ['blocking_limit', 'BLOCKED'],
    ['turn_setup_failed', 'EXECUTION_ERROR'],
  ])('by %s has the code %s', (reason, code) => {
    const result = {
      type: 'result',
      subtype: 'error_during_execution',
      is_error: true,
      terminal_reason: reason,
    };
    expect(runErrorOf('turn', outcomeOf(result as unknown as SDKResultMessage)).code).toBe(code);
  });
});

describe('tools', () => {
  const slow = tool({
    name: 'slow',
    description: 'Waits',
    timeoutMs: 5,
    run: (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('late'))),
  });

  it('that run too long fail with TOOL_TIMEOUT', async () => {
    const { events, call } = openSession({ s: createSdkMcpServer({ name: 's', tools: [slow] }) });
    await call('slow');
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'TOOL_TIMEOUT', limitMs: 5 } });
  });

  it('that return nothing usable fail with TOOL_RESULT_UNUSABLE', () => {
    expect(() => image('', 'image/png')).toThrow(expect.objectContaining({ code: 'TOOL_RESULT_UNUSABLE' }));
  });

  it('of a server that is not there are refused with TOOL_SERVER_NOT_FOUND', () => {
    const { session } = openSession({ s: createSdkMcpServer({ name: 's', tools: [slow] }) });
    const context = { requestId: '1', signal: new AbortController().signal };
    const ask = (): unknown => session.answer({ server_name: 'other', message: {} }, context);
    expect(ask).toThrow(expect.objectContaining({ code: 'TOOL_SERVER_NOT_FOUND', server: 'other' }));
  });

  it('of a server that refuses to list them reject with MCP_REQUEST_REFUSED', async () => {
    const instance = {
      connect: async (transport: {
        onmessage?: (message: object) => void;
        start(): Promise<void>;
        send(message: object): Promise<void>;
      }) => {
        transport.onmessage = (message) =>
          void transport.send({
            jsonrpc: '2.0',
            id: (message as { id: number }).id,
            error: { code: -32_600, message: 'no' },
          });
        await transport.start();
      },
      close: async () => {},
    };
    await using harness = createToolHarness({ type: 'sdk', name: 'refusing', instance });
    await expect(harness.listTools()).rejects.toMatchObject({ code: 'MCP_REQUEST_REFUSED' });
  });
});

describe('warnings', () => {
  it('of options: OPTION_IGNORED, and OPTION_MISPLACED of the process', async () => {
    expect(checkOptions({ maxTurns: 0 })).toMatchObject([{ code: 'OPTION_IGNORED' }]);
    const misplaced = (): void => warnOfMisplacedOptions('query', { prompt: 'x', maxTurns: 7 });
    expect(await collectWarnings(misplaced)).toEqual(['OPTION_MISPLACED']);
  });

  it('of an error without a code: WARNING', () => {
    const codes: string[] = [];
    new WarningReporter({ onWarning: ({ code }) => codes.push(code) }).report(new Error('odd'));
    expect(codes).toEqual(['WARNING']);
  });

  it('of a chat whose session cannot be opened: CHAT_FAILED', async () => {
    const chat = createUiChat({
      session: () => {
        throw new Error('no session today');
      },
    });
    const body = JSON.stringify({
      id: 'c',
      messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    });
    const headers = { 'content-type': 'application/json' };
    const codes = await collectWarnings(() =>
      chat.fetch(new Request('http://localhost/api/chat', { method: 'POST', body, headers })),
    );
    await chat.close();
    expect(codes).toEqual(['CHAT_FAILED']);
  });
});

describe('the inspector', () => {
  it('on a port that is taken rejects with INSPECTOR_NOT_LISTENING', async () => {
    const first = createServer();
    const port = await listen(first, '127.0.0.1', 0);
    await expect(listen(createServer(), '127.0.0.1', port)).rejects.toMatchObject({
      code: 'INSPECTOR_NOT_LISTENING',
    });
    first.close();
    await once(first, 'close');
  });

  it('without its page throws INSPECTOR_PAGE_MISSING', () => {
    expect(() => readPageAssets('/no/such/folder')).toThrow(
      expect.objectContaining({ code: 'INSPECTOR_PAGE_MISSING' }),
    );
  });
});
