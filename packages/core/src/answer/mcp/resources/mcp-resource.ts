// `mcpResource()` makes a function a resource of a server, with typed variables of its uri.
import type { Completers } from '../prompts/completers.js';
import { compileResource } from './compile-resource.js';
import type {
  ResourceContext,
  ResourceDefinition,
  ResourceMetadata,
  ResourceTemplateExtras,
} from './resources.js';
import type { UriVariablesOf } from './uri-template.js';

/** The function that reads a resource. The reader of a template also gets the values of its variables. */
export type ReaderOf<Uri extends string> = Uri extends `${string}{${string}`
  ? (uri: URL, variables: UriVariablesOf<Uri>, extra: ResourceContext) => unknown
  : (uri: URL, extra: ResourceContext) => unknown;

/** What a resource may declare besides its name, uri and reader; `list` and `complete` are for templates only. */
export type ResourceExtras<Uri extends string> = ResourceMetadata &
  (Uri extends `${string}{${string}`
    ? Pick<ResourceTemplateExtras, 'list'> & {
        complete?: Completers<Extract<keyof UriVariablesOf<Uri>, string>>;
      }
    : object);

/** The two ways to write a resource. */
export interface DefineResource {
  /** A resource from its name, uri and reader. A uri with `{name}` in it is a template for many resources. */
  <const Uri extends string>(
    name: string,
    uri: Uri,
    read: ReaderOf<Uri>,
    extras?: ResourceExtras<Uri>,
  ): ResourceDefinition;
  /** A resource from one object. */
  <const Uri extends string>(
    resource: { name: string; uri: Uri; read: ReaderOf<Uri> } & ResourceExtras<Uri>,
  ): ResourceDefinition;
}

type Given =
  | [ResourceDefinition]
  | [name: string, uri: string, read: ResourceDefinition['read'], extras?: Partial<ResourceDefinition>];

function defineResource(...given: Given): ResourceDefinition {
  const definition = readForm(given);
  // A mistake is reported where the resource is written, not where the server is made.
  compileResource(definition);
  return definition;
}

function readForm(given: Given): ResourceDefinition {
  if (given.length === 1) return given[0];
  const [name, uri, read, extras] = given;
  return { ...extras, name, uri, read };
}

/**
 * Defines a resource that a function in this process reads; pass it to `createSdkMcpServer` as one of its `resources`. The
 * reader returns text, bytes, any JSON value, or a full MCP result. Throws an InvalidOptionsError for wrong input.
 */
export const mcpResource: DefineResource = defineResource;
