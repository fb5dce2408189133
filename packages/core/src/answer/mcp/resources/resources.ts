// The types of a server's resources. A resource is registered under a uri or under a template of uris.
import type { Completers, Completer } from '../prompts/completers.js';
import type { ResourceContents } from '../result/tool-content.js';
import type { McpRequestContext } from '../server/request-context.js';

/** What a resource may declare besides its name and uri. */
export interface ResourceMetadata {
  title?: string | undefined;
  description?: string | undefined;
  mimeType?: string | undefined;
  size?: number | undefined;
  annotations?: Record<string, unknown> | undefined;
  _meta?: Record<string, unknown> | undefined;
}

/** The result of reading a resource. */
export interface ReadResourceResult {
  contents: ResourceContents[];
  _meta?: Record<string, unknown> | undefined;
}

/** What a reader gets besides the uri and its variables. */
export type ResourceContext = McpRequestContext;

/** Values of the variables in a uri template. */
export type UriVariables = Record<string, string | string[]>;

/**
 * Returns the contents of a resource: text, bytes, any JSON value, or a full MCP result. For a uri that is no template, the
 * second argument is the context. For a template, the second argument has the variables, and the third is the context.
 */
export type ReadResource = (uri: URL, ...more: never[]) => unknown;

/** A resource that a template stands for. Without a name of its own, it is listed under the template's name. */
export interface ListedResource extends ResourceMetadata {
  uri: string;
  name?: string | undefined;
}

/** The fields that only a template may have. */
export interface ResourceTemplateExtras {
  /** Finds the resources that are already known, for `resources/list`. Without it, only the template is listed. */
  list?:
    | ((context: ResourceContext) => readonly ListedResource[] | Promise<readonly ListedResource[]>)
    | undefined;
  /** Suggests values for the variables, by name. */
  complete?: Completers | undefined;
}

/** A resource with its reader, for the `resources` of a server. A uri with `{name}` in it is a template. */
export interface ResourceDefinition extends ResourceMetadata, ResourceTemplateExtras {
  name: string;
  uri: string | UriTemplate;
  read: ReadResource;
}

/** A template object, such as the MCP SDK's `ResourceTemplate`. */
export interface UriTemplate {
  uriTemplate: { toString(): string; match(uri: string): UriVariables | null };
  listCallback?: ((extra: never) => unknown) | undefined;
  completeCallback?(variable: string): ((value: string, context?: never) => unknown) | undefined;
}

/** A resource in a server. With `enabled: false` it is hidden, but not removed. */
export interface RegisteredResourceEntry {
  readonly listing: { uri: string; name: string } & ResourceMetadata;
  readonly isTemplate: boolean;
  readonly match: (uri: string) => UriVariables | null;
  readonly read: ReadResource;
  readonly list: ResourceTemplateExtras['list'];
  readonly findCompleter: (variable: string) => Completer | undefined;
  enabled: boolean;
}
