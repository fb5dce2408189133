// `inboard/remote`: the CLI on another host, the tools here.
export { connectCli } from '../remote/home/connect-cli.js';
export type { RemoteCli } from '../remote/home/connect-cli.js';
export type { ConnectCliOptions, RemoteTls } from '../remote/home/connect-options.js';
export { serveCli } from '../remote/serve/serve-cli.js';
export type { CliServer } from '../remote/serve/serve-cli.js';
export { serveLink } from '../remote/serve/serve-link.js';
export type {
  CliPlace,
  ServeCliOptions,
  ServeLinkOptions,
  ServerTls,
} from '../remote/serve/serve-options.js';
export type { RemoteServerEvent } from '../remote/serve/server-event.js';
export { RemoteError } from '../errors.js';
export type { RemoteFault } from '../errors.js';
export type { Environment } from '../wire/process/operating-system.js';
