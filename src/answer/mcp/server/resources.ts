// The resources of a server: registered by uri or by a template of uris. Types only.
import type { ResourceContents } from '../result/tool-content.js';

/** What a resource may declare besides its name and uri. */
export interface ResourceMetadata {
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
  annotations?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

/** What reading a resource gives. */
export interface ReadResourceResult {
  contents: ResourceContents[];
  _meta?: Record<string, unknown>;
}

/** What a reader gets besides the uri. */
export interface ResourceContext {
  readonly signal: AbortSignal;
  readonly sessionId: string | undefined;
  readonly server: string;
  readonly context: unknown;
}

/** Values of the variables in a uri template. */
export type UriVariables = Record<string, string | string[]>;

/**
 * Gives the contents of a resource: text, bytes, any JSON value, or a full MCP result. The second
 * argument is the context, for a template the variables with the context after them.
 */
export type ReadResource = (uri: URL, ...more: never[]) => unknown;

/** A resource with its reader, for the `resources` of a server. A uri with `{name}` in it is a template. */
export interface ResourceDefinition extends ResourceMetadata {
  name: string;
  uri: string | UriTemplate;
  read: ReadResource;
}

/** A template object, such as the MCP SDK's `ResourceTemplate`. */
export interface UriTemplate {
  uriTemplate: { toString(): string; match(uri: string): UriVariables | null };
}

/** A resource in a server; `enabled` hides it without removing it. */
export interface RegisteredResourceEntry {
  readonly listing: { uri: string; name: string } & ResourceMetadata;
  readonly isTemplate: boolean;
  readonly match: (uri: string) => UriVariables | null;
  readonly read: ReadResource;
  enabled: boolean;
}
