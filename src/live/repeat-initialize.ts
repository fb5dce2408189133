// The opening request of a session as it is put a second time: as it was, with the in-process servers there are now.
import type { PlannedServers } from '../options/launch/launch-plan.js';
import type { InitializeRequest } from '../wire/protocol/control/control.js';

/** The fields of the repeated request. A session that told of its servers on its command line has none to tell of. */
export function repeatInitialize(first: InitializeRequest, servers: PlannedServers): InitializeRequest {
  const fields: InitializeRequest = {
    ...first,
    sdkMcpServers: servers.names?.length ? [...servers.names] : undefined,
    sdkMcpServerConfigs: unlessEmpty(servers.configs),
    sdkMcpServerManifests: unlessEmpty(servers.manifests),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function unlessEmpty<T extends object>(entries: T | undefined): T | undefined {
  return entries && Object.keys(entries).length > 0 ? entries : undefined;
}
