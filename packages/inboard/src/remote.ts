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
export { createHealthHandler } from '@inboard/core/health/health-handler.js';
export type { HealthHandler, HealthHandlerOptions } from '@inboard/core/health/health-handler.js';
export { serveHealth } from '@inboard/core/health/serve-health.js';
export type { HealthServer, ServeHealthOptions } from '@inboard/core/health/serve-health.js';
export type {
  HealthCheck,
  HealthOptions,
  HealthReport,
  HealthSubject,
} from '@inboard/core/health/health-report.js';
export { HealthError, RemoteError } from '@inboard/core/errors.js';
export type { HealthFault, RemoteFault } from '@inboard/core/errors.js';
export type { Environment } from '@inboard/core/wire/process/operating-system.js';
