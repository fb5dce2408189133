// The tools from outside: a plain MCP client over stdio and over HTTP, as an editor or another program has them.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { SERVE, serveHttp, useFolder } from './support.ts';

const folder = useFolder();

async function connect(transport: Parameters<Client['connect']>[0]) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  const call = async (name: string, input: Record<string, unknown> = {}): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: input });
    return content[0]?.type === 'text' ? content[0].text : '';
  };
  return { call, close: () => client.close() };
}

it('has the same notes over stdio and over HTTP', async () => {
  const http = await serveHttp({ NOTES_TOKENS: 'ada:token-of-ada-0001, bob:token-of-bob-0001' });
  const overHttp = (token: string) => {
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    return connect(new StreamableHTTPClientTransport(new URL(http.url), { requestInit }));
  };
  const pipe = await connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...SERVE, '--stdio'],
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: folder, NOTES_USER: 'ada' },
    }),
  );
  const ada = await overHttp('token-of-ada-0001');
  const bob = await overHttp('token-of-bob-0001');
  try {
    assert.equal(await pipe.call('add_note', { text: 'Over stdio.' }), '{"notes":1}');
    assert.equal(await ada.call('add_note', { text: 'Over HTTP.' }), '{"notes":2}');
    assert.equal(await pipe.call('list_notes'), '["Over stdio.","Over HTTP."]');
    assert.equal(await bob.call('list_notes'), '[]');
    const guess = { method: 'POST', headers: { authorization: 'Bearer a-guess' }, body: '{}' };
    assert.equal((await fetch(http.url, guess)).status, 401);
    assert.equal((await fetch(http.url, { method: 'POST', body: '{}' })).status, 401);
  } finally {
    await Promise.all([pipe, ada, bob].map((client) => client.close()));
    await http.close();
  }
});
