// The health of a process, which probes and Prometheus ask for.
import { serveHealth, type HealthServer } from 'inboard/cluster';
import type { App } from './cluster.ts';
import { readHost, readNumber, readText } from './settings.ts';

/** With no HEALTH_PORT, processes on one machine take the next free port. */
const MOST_TRIES = 20;

/** The caller closes it last, so that it tells of the drain. */
export async function startHealth(cluster: App['cluster']): Promise<HealthServer> {
  const host = readHost();
  const first = readNumber('HEALTH_PORT', 9465);
  const isChosen = readText('HEALTH_PORT') !== undefined;
  for (let port = first; ; port += 1) {
    try {
      return await serveHealth(cluster, { host, port });
    } catch (error) {
      const { code } = ((error as Error).cause ?? {}) as { code?: string };
      if (code !== 'EADDRINUSE') throw error;
      if (isChosen || port - first >= MOST_TRIES)
        throw new Error(
          `HEALTH_PORT: port ${port} is in use, perhaps by another worker on this machine. Give each process its own, or leave it out.`,
          { cause: error },
        );
    }
  }
}
