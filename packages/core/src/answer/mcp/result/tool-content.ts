// The content of a tool's result as MCP has it. Types only.

interface ContentExtras {
  annotations?: Record<string, unknown> | undefined;
  _meta?: Record<string, unknown> | undefined;
}

/** Text for the model. */
export interface TextContent extends ContentExtras {
  type: 'text';
  text: string;
}

/** A picture the model sees; `data` is base64. */
export interface ImageContent extends ContentExtras {
  type: 'image';
  data: string;
  mimeType: string;
}

/** Sound; the CLI saves it to a file and tells the model where. `data` is base64. */
export interface AudioContent extends ContentExtras {
  type: 'audio';
  data: string;
  mimeType: string;
}

/** The contents of a resource. The CLI shows the model a `text`, and saves a `blob` (base64) to a file. */
export type ResourceContents = {
  uri: string;
  mimeType?: string | undefined;
  _meta?: Record<string, unknown> | undefined;
} & ({ text: string } | { blob: string });

/** A resource with its contents. */
export interface EmbeddedResource extends ContentExtras {
  type: 'resource';
  resource: ResourceContents;
}

/** The uri of a resource, without its contents. */
export interface ResourceLink extends ContentExtras {
  type: 'resource_link';
  uri: string;
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  mimeType?: string | undefined;
  size?: number | undefined;
}

/** One block of a tool's result. */
export type ToolContent = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink;

/** A tool's result as it goes over the wire. */
export interface CallToolResult {
  content: ToolContent[];
  /** The CLI shows the model this in place of the text in `content`. Pictures in `content` are still shown. */
  structuredContent?: Record<string, unknown> | undefined;
  isError?: boolean | undefined;
  _meta?: Record<string, unknown> | undefined;
  [key: string]: unknown;
}

/** Bytes, or a string that is base64 or a data URL. */
export type BinaryData = Uint8Array | ArrayBuffer | string;
