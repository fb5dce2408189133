// How the first worker of a chaos run reaches its services, so that it can be cut off or slowed down: over proxies, and where the
// system lets us from a network namespace of its own, whose link is taken down.
import { openNamespace } from './namespace.mjs';
import { startProxy } from './tcp-proxy.mjs';

/** Starts them; the caller closes them. `mayMove`: the worker needs nothing of this machine but its services. */
export async function startLines({ services, mayMove }) {
  const namespace = mayMove ? await openNamespace() : undefined;
  const proxies = [];
  const reroute = async (address) => {
    if (address === undefined) return undefined;
    const url = new URL(address);
    const proxy = await startProxy(Number(url.port), namespace?.address);
    proxies.push(proxy);
    url.port = String(proxy.port);
    if (namespace) url.hostname = namespace.address;
    return url.href;
  };
  const plan = { postgres: await reroute(services.postgres), redis: await reroute(services.redis) };
  return {
    how: namespace ? 'a link between two network namespaces' : 'a proxy that carries nothing',
    /** How the worker is started. */
    start: { plan, ...(namespace && { enter: namespace.enter }) },
    setDelay: (ms) => proxies.forEach((proxy) => proxy.setDelay(ms)),
    cut: () => (namespace ? namespace.cut() : proxies.forEach((proxy) => proxy.cut())),
    heal: () => (namespace ? namespace.heal() : proxies.forEach((proxy) => proxy.heal())),
    async close() {
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await namespace?.close();
    },
  };
}
