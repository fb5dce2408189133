// The webhook of docs/tools/later-results.md, as it stands there: deliveries that are signed, come twice, come late, are forged or wrong.
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import { afterAll, beforeAll, beforeEach, afterEach, expect, it } from 'vitest';
import type { CallFact, Calls } from '../../packages/inboard/src/index.js';
import type { CallsOptions } from '../../packages/inboard/src/types.js';
import { createFileCallRecords } from '../../packages/core/src/record/calls/file/file-call-records.js';
import { buildSource, type BuiltSource } from '../support/build-source.js';
import { readBlockName, readCodeBlocks } from '../package/code-blocks.js';
import { readProjectFile } from '../package/project.js';

const SECRET = 'shared';
const SESSION = '00000000-0000-4000-8000-0000000000aa';

interface Webhook {
  createWebhook(calls: Calls, secret: string): Server;
  sign(secret: string, callKey: string, body: string): string;
}

let built: BuiltSource;
let program: Webhook;
let createCalls: (options: CallsOptions) => Calls;
let folder: string;
let server: Server;

beforeAll(async () => {
  const block = readCodeBlocks(readProjectFile('docs/tools/later-results.md')).find(
    (each) => readBlockName(each) === 'webhook.ts',
  );
  built = buildSource('inboard/src/index.ts');
  const source = join(built.folder, 'webhook.ts');
  const file = join(built.folder, 'webhook.js');
  writeFileSync(
    source,
    (block?.code ?? '').replace("from 'inboard'", `from './${relative(built.folder, built.file)}'`),
  );
  await build({ input: source, platform: 'node', external: /^\.\/|^node:/, output: { file, format: 'esm' } });
  program = (await import(pathToFileURL(file).href)) as Webhook;
  ({ createCalls } = (await import(pathToFileURL(built.file).href)) as { createCalls: typeof createCalls });
}, 120_000);
afterAll(() => built.remove());

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'webhook-'));
  server = program.createWebhook(createCalls({ env: { CLAUDE_CONFIG_DIR: folder } }), SECRET);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
  rmSync(folder, { recursive: true, force: true });
});

async function add(...facts: CallFact[]): Promise<void> {
  const own = join(folder, 'projects', '-shop', SESSION);
  mkdirSync(own, { recursive: true });
  await using records = createFileCallRecords({ folder: own });
  for (const fact of facts) await records.add(fact);
}

async function addPending(callKey: string): Promise<void> {
  const schema = { type: 'object', properties: { parcel: { type: 'number' } }, required: ['parcel'] };
  await add(
    { type: 'begun', callKey, toolName: 'mcp__shop__order', input: {}, attempt: 1, owner: 'host', at: 1 },
    { type: 'pending', callKey, output: { server: 'shop', tool: 'order', schema }, at: 2 },
  );
}

async function deliver(
  callKey: string,
  value: unknown,
  { signedFor = callKey, secret = SECRET }: { signedFor?: string; secret?: string } = {},
): Promise<number> {
  const body = JSON.stringify(value);
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/webhooks/${callKey}`, {
    method: 'POST',
    headers: { 'x-signature': program.sign(secret, signedFor, body) },
    body,
  });
  await response.text();
  return response.status;
}

it('takes a delivery once; one that comes twice or late is over', async () => {
  await addPending('call_1');
  expect(await deliver('call_1', { parcel: 7 })).toBe(200);
  expect(await deliver('call_1', { parcel: 8 })).toBe(200);
  await addPending('call_2');
  await add({ type: 'withdrawn', callKey: 'call_2', at: 3 });
  expect(await deliver('call_2', { parcel: 7 })).toBe(200);
  await using records = createFileCallRecords({ folder: join(folder, 'projects', '-shop', SESSION) });
  const ended = (await records.load()).filter(({ type }) => type === 'ended');
  expect(ended).toMatchObject([
    { callKey: 'call_1', by: 'carrier', result: { structuredContent: { parcel: 7 } } },
  ]);
});

it('refuses a delivery that is not signed by the carrier, or signed for another call', async () => {
  await addPending('call_1');
  expect(await deliver('call_1', { parcel: 7 }, { secret: 'guessed' })).toBe(401);
  expect(await deliver('call_1', { parcel: 7 }, { signedFor: 'call_2' })).toBe(401);
  expect(await deliver('call_9', { parcel: 7 })).toBe(404);
  expect(await deliver('call_1', { parcel: 'many' })).toBe(422);
  expect(await deliver('call_1', 'x'.repeat(2 * 1024 * 1024))).toBe(413);
  expect(await deliver('call_1', { parcel: 7 })).toBe(200);
});

it('asks for another delivery if the handler has not returned yet', async () => {
  await add({
    type: 'begun',
    callKey: 'call_1',
    toolName: 'order',
    input: {},
    attempt: 1,
    owner: 'host',
    at: 1,
  });
  expect(await deliver('call_1', { parcel: 7 })).toBe(409);
});
