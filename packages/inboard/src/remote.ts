// The entry point `inboard/remote`: runs the CLI on another host, while the tools stay in this process.
export { connectCli } from '@inboard/remote/home/connect-cli.js';
export type { RemoteCli } from '@inboard/remote/home/connect-cli.js';
export type { ConnectCliOptions, RemoteTls } from '@inboard/remote/home/connect-options.js';
export { serveCli } from '@inboard/remote/serve/serve-cli.js';
export type { CliServer } from '@inboard/remote/serve/serve-cli.js';
export { serveLink } from '@inboard/remote/serve/serve-link.js';
export type {
  CliPlace,
  ServeCliOptions,
  ServeLinkOptions,
  ServerTls,
} from '@inboard/remote/serve/serve-options.js';
export type { RemoteServerEvent } from '@inboard/remote/serve/server-event.js';
export { RemoteError } from '@inboard/core/errors.js';
export type { RemoteFault } from '@inboard/core/errors.js';
export type { Environment } from '@inboard/core/wire/process/operating-system.js';
