import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSdkMcpServer } from '../../../src/answer/mcp/server/create-sdk-mcp-server.js';
import type { McpTransport } from '../../../src/answer/mcp/server/connect-transport.js';
import { tool } from '../../../src/answer/mcp/tool/tool.js';
import { openSession } from './session-harness.js';

/** A server, and what its inner server reports. */
function listening() {
  const server = createSdkMcpServer({ name: 'demo', tools: [tool('now', '', () => 'noon')] });
  const heard: string[] = [];
  Object.assign(server.instance.server, {
    oninitialized: () => void heard.push('initialized'),
    onclose: () => void heard.push('closed'),
    onerror: (error: Error) => void heard.push(`failed: ${error.message}`),
  });
  return { server, heard };
}

function createTransport(): McpTransport & { sent: object[] } {
  const sent: object[] = [];
  return {
    sent,
    start: async () => {},
    send: async (message) => void sent.push(message),
    async close() {
      this.onclose?.();
    },
  };
}

describe('the inner server of a server', () => {
  it('is told when a client is initialized, and once when its session is over', async () => {
    const { server, heard } = listening();
    const { session, put } = openSession({ demo: server });
    await put({ method: 'notifications/initialized', jsonrpc: '2.0' });
    await put({ method: 'notifications/other', jsonrpc: '2.0' });
    expect(heard).toEqual(['initialized']);
    session.close(new Error('over'));
    session.close(new Error('over again'));
    expect(heard).toEqual(['initialized', 'closed']);
  });

  it('is told of each of its connections', async () => {
    const { server, heard } = listening();
    const one = openSession({ demo: server });
    const other = openSession({ demo: server });
    one.session.close(new Error('over'));
    expect(heard).toEqual(['closed']);
    other.session.close(new Error('over'));
    expect(heard).toEqual(['closed', 'closed']);
  });

  it('is told when it is replaced', () => {
    const { server, heard } = listening();
    const { session } = openSession({ demo: server });
    session.replace({}).commit();
    expect(heard).toEqual(['closed']);
    session.close(new Error('over'));
    expect(heard).toEqual(['closed']);
  });

  it('is told of the end and of the errors of a transport', async () => {
    const { server, heard } = listening();
    const transport = createTransport();
    await server.instance.connect(transport);
    transport.onmessage?.('no message' as never);
    await vi.waitFor(() => expect(heard).toHaveLength(1));
    expect(heard[0]).toContain('failed: An mcp_message must carry a JSON-RPC object');
    transport.onerror?.(new Error('the pipe broke'));
    expect(heard[1]).toBe('failed: the pipe broke');
    await server.instance.close();
    expect(heard[2]).toBe('closed');
  });

  it('does not suffer from a callback that throws', () => {
    const { server } = listening();
    const warnings: string[] = [];
    const warn = vi
      .spyOn(process, 'emitWarning')
      .mockImplementation((warning) => void warnings.push(String(warning)));
    onTestFinished(() => warn.mockRestore());
    server.instance.server.onclose = () => {
      throw new Error('mine');
    };
    const { session } = openSession({ demo: server });
    session.close(new Error('over'));
    expect(warnings.join()).toContain('The callback "server.onclose" failed');
  });
});
