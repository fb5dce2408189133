// Reads from the option `transport` how a CLI on another machine differs from one here.
import type { TransportFactory } from '../wire/transport/transport.js';
import type { Options } from './options.js';

/** Whether the transport copies files of this machine to the machine of the CLI. */
export function carriesFiles({ transport }: Pick<Options, 'transport'>): boolean {
  return findFactory(transport)?.carriesFiles === true;
}

/** The project's key in the session store; undefined if it is to be derived from the working directory. */
export function chooseProjectKey({
  projectKey,
  transport,
  cwd,
}: Pick<Options, 'projectKey' | 'transport' | 'cwd'>): string | undefined {
  const factory = findFactory(transport);
  return projectKey ?? factory?.projectKeyFor?.(cwd ?? factory.cwd);
}

function findFactory(transport: Options['transport']): TransportFactory | undefined {
  return typeof transport === 'function' ? transport : undefined;
}
