// Opens the inspector that the variable INBOARD_INSPECT asks for.
import { InspectorError } from '@inboard/core/errors.js';
import { bareHost, isLoopback } from '@inboard/core/util/loopback.js';
import { inspectTarget, type Inspector } from './inspect.js';
import type { InspectOptions } from './inspect-options.js';

/**
 * Opens the inspector for all sessions of this process. If it cannot listen on the port that the variable names, for example
 * because another process with the same variable does, it listens on a free port.
 */
export async function inspectByVariable(
  value: string,
  options: Parameters<typeof inspectTarget>[1] = {},
): Promise<Inspector> {
  const place = readInspectorVariable(value);
  try {
    return await inspectTarget(undefined, { ...options, ...place });
  } catch (error) {
    const isTaken = error instanceof InspectorError && error.code === 'INSPECTOR_NOT_LISTENING';
    if (!isTaken || place.port === undefined) throw error;
    return await inspectTarget(undefined, { ...options, ...place, port: 0 });
  }
}

/**
 * What the variable asks for: `hold`, an address and a port. `1`, `true`, `on` and `yes` ask for neither. Throws an
 * InspectorError for any other word, and for an address that is not loopback.
 */
export function readInspectorVariable(value: string): Pick<InspectOptions, 'host' | 'port' | 'hold'> {
  const [, held, address = '1'] = /^(hold)(?::(.+))?$/is.exec(value) ?? [];
  return held === undefined ? readAddress(value) : { ...readAddress(address), hold: true };
}

function readAddress(value: string): Pick<InspectOptions, 'host' | 'port'> {
  if (/^(?:1|true|on|yes)$/i.test(value)) return {};
  const [, host, port] = /^(?:(.+):)?(\d{1,5})$/.exec(value) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new InspectorError(
      'INSPECTOR_HOST_REFUSED',
      `INBOARD_INSPECT must be 1, a port, or localhost:port, or hold with any of these behind a colon, not ${JSON.stringify(value)}`,
    );
  if (host !== undefined && !isLoopback(host))
    throw new InspectorError(
      'INSPECTOR_HOST_REFUSED',
      `INBOARD_INSPECT names ${JSON.stringify(host)}, which other machines could reach. Use inspect({ host, allowedHosts }) in code for that.`,
    );
  return { port: Number(port), ...(host !== undefined && { host: bareHost(host) }) };
}
