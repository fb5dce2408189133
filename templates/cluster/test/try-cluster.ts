// A cluster in memory on a fake CLI, with the API in front: what the tests here share.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createCluster } from 'inboard/cluster';
import { createFakeCli } from 'inboard/testing';
import { createAgents } from '../src/agents.ts';
import { createApi } from '../src/http.ts';
import { playModel } from '../src/script.ts';
import { memoryShop } from '../src/shop.ts';

export const ANN = 'token-of-ann-0001';

/** Closed by the caller. `post` and `get` use Ann's token. */
export async function tryCluster() {
  const shop = memoryShop();
  const cli = () => ({
    transport: createFakeCli([playModel, playModel, playModel], { allowEarlyEnd: true }).transport,
  });
  const cluster = createCluster({ agents: createAgents(shop, cli) });
  const api = createApi({ cluster, people: new Map([[ANN, 'Ann']]) });
  api.server.listen(0, '127.0.0.1');
  await once(api.server, 'listening');
  const url = `http://127.0.0.1:${(api.server.address() as AddressInfo).port}`;
  const headers = { authorization: `Bearer ${ANN}` };
  const json = { ...headers, 'content-type': 'application/json' };
  return {
    cluster,
    shop,
    url,
    get: (path: string, more: Record<string, string> = {}) =>
      fetch(url + path, { headers: { ...headers, ...more } }),
    post: (path: string, body: unknown) =>
      fetch(url + path, {
        method: 'POST',
        headers: json,
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    close: async () => {
      await api.close();
      await cluster.close();
    },
  };
}
