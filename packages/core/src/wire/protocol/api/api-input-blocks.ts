// The blocks of a user message: text, images, documents, tool results. Our types and those of the API's client library
// (outside its beta part) are assignable to each other.
import type { ApiDetail } from './api-blocks.js';

/** Asks the API to cache the prompt up to and including this block. */
export type CacheControl = { type: 'ephemeral'; ttl?: '5m' | '1h' };

/** Text from the user. */
export type TextBlockParam = {
  type: 'text';
  text: string;
  citations?: ApiDetail[] | null;
  cache_control?: CacheControl | null;
};

/** The image formats that the model reads. */
export type ImageMediaType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

/** Where the bytes of an image come from. */
export type ImageSource =
  | { type: 'base64'; media_type: ImageMediaType; data: string }
  | { type: 'url'; url: string }
  | { type: 'file'; file_id: string };

/** An image from the user, or inside a tool result. */
export type ImageBlockParam = {
  type: 'image';
  source: ImageSource;
  cache_control?: CacheControl | null;
  transformations?: ApiDetail;
};

/** Where the content of a document comes from. */
export type DocumentSource =
  | { type: 'base64'; media_type: 'application/pdf'; data: string }
  | { type: 'text'; media_type: 'text/plain'; data: string }
  | { type: 'content'; content: string | Array<TextBlockParam | ImageBlockParam> }
  | { type: 'url'; url: string }
  | { type: 'file'; file_id: string };

/** A document from the user. */
export type DocumentBlockParam = {
  type: 'document';
  source: DocumentSource;
  title?: string | null;
  context?: string | null;
  citations?: { enabled?: boolean } | null;
  cache_control?: CacheControl | null;
};

/** A search result that the host provides, and that the model may cite. */
export type SearchResultBlockParam = {
  type: 'search_result';
  source: string;
  title: string;
  content: TextBlockParam[];
  citations?: { enabled?: boolean };
  cache_control?: CacheControl | null;
};

/** The name of a tool that tool search found. */
export type ToolReferenceBlockParam = {
  type: 'tool_reference';
  tool_name: string;
  cache_control?: CacheControl | null;
};

/** One part of a tool's result; narrow it by `type`. */
export type ToolResultContent =
  | TextBlockParam
  | ImageBlockParam
  | DocumentBlockParam
  | SearchResultBlockParam
  | ToolReferenceBlockParam
  | {
      type: 'browser_state';
      tabs: ApiDetail[];
      state_changes?: ApiDetail;
      cache_control?: CacheControl | null;
    };

/** The answer to the `tool_use` of the same id. */
export type ToolResultBlockParam = {
  type: 'tool_result';
  tool_use_id: string;
  content?: string | ToolResultContent[];
  is_error?: boolean;
  toolset_name?: string | null;
  cache_control?: CacheControl | null;
};
