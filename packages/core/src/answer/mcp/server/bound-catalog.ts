// The type of a server that `createSdkMcpServer` made, with the CLI that uses it, for the files that answer requests.
import type { CliLink } from '../binding/cli-link.js';
import type { ServerCatalog, ToolPage } from './server-catalog.js';

/** A server, bound to the CLI that asks. */
export interface BoundCatalog {
  readonly link: CliLink;
  readonly catalog: ServerCatalog;
  /** The uris whose changes the CLI wants to be notified of. */
  readonly watched: Set<string>;
  /** One page of the tools, as the CLI sees them. */
  listTools(cursor?: unknown): ToolPage | undefined;
  /** Called when the CLI has its handshake. The CLI is notified of changes from then on. */
  noteHandshake(params: Record<string, unknown> | undefined): void;
}
