// A cluster in memory on a fake CLI, with the API in front: what the tests here share.
import type { AddressInfo } from 'node:net';
import { createCluster } from 'inboard/cluster';
import { createFakeCli } from 'inboard/testing';
import { createAgents } from '../src/agents.ts';
import { createApi } from '../src/http.ts';
import { playModel } from '../src/script.ts';
import { memoryShop } from '../src/shop.ts';

export const ANN = 'token-of-ann-0001';
/** Those of two tenants. */
export const BOB = 'token-of-bob-0001';
export const EVE = 'token-of-eve-0001';

/** Closed by the caller. `post` and `get` use Ann's token, unless they are given another. */
export async function tryCluster() {
  const shop = memoryShop();
  const cli = () => ({
    transport: createFakeCli([playModel, playModel, playModel], { allowEarlyEnd: true }).transport,
  });
  const cluster = createCluster({ agents: createAgents(shop, cli) });
  const people = new Map([
    [ANN, { name: 'Ann' }],
    [BOB, { name: 'Bob', tenant: 'acme' }],
    [EVE, { name: 'Eve', tenant: 'other' }],
  ]);
  const troubles: unknown[] = [];
  const api = createApi({ cluster, people, onTrouble: (error) => troubles.push(error) });
  await api.listen(0, '127.0.0.1');
  const url = `http://127.0.0.1:${(api.server.address() as AddressInfo).port}`;
  const headers = { authorization: `Bearer ${ANN}` };
  const json = { ...headers, 'content-type': 'application/json' };
  return {
    cluster,
    shop,
    troubles,
    url,
    get: (path: string, more: Record<string, string> = {}) =>
      fetch(url + path, { headers: { ...headers, ...more } }),
    post: (path: string, body: unknown, more: Record<string, string> = {}) =>
      fetch(url + path, {
        method: 'POST',
        headers: { ...json, ...more },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    close: async () => {
      await api.close();
      await cluster.close();
    },
  };
}
