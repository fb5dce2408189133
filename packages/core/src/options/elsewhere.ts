// What is different where the CLI runs on another machine, as the option `transport` tells.
import type { TransportFactory } from '../wire/transport/transport.js';
import type { Options } from './options.js';

/** Whether files of this machine are brought to where the CLI runs. */
export function carriesFiles({ transport }: Pick<Options, 'transport'>): boolean {
  return findFactory(transport)?.carriesFiles === true;
}

/** The project's key in the session store; undefined where it is made of the working directory. */
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
