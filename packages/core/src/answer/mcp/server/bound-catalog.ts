// A server of ours together with the CLI that uses it, as the files that answer requests see the two. Types only.
import type { CliLink } from '../binding/cli-link.js';
import type { ServerCatalog, ToolPage } from './server-catalog.js';

/** A server of ours, bound to the CLI that asks. */
export interface BoundCatalog {
  readonly link: CliLink;
  readonly catalog: ServerCatalog;
  /** The uris whose changes the CLI wants to be notified of. */
  readonly watched: Set<string>;
  /** One page of the tools, as the other side is to see them. */
  listTools(cursor?: unknown): ToolPage | undefined;
  /** From now on the CLI wants to be notified of changes. */
  noteHandshake(params: Record<string, unknown> | undefined): void;
}
