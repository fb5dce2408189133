// Content that goes towards the model inside user messages: text, images, documents, tool results.

/** Asks the API to keep the prompt up to here in its cache. */
export type CacheControl = {
  type: 'ephemeral';
  ttl?: '5m' | '1h';
};

/** Text from the user. */
export type TextBlockParam = {
  type: 'text';
  text: string;
  cache_control?: CacheControl | null;
};

/** The picture formats the model reads. */
export type ImageMediaType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

/** Where the bytes of an image come from. */
export type ImageSource =
  { type: 'base64'; media_type: ImageMediaType; data: string } | { type: 'url'; url: string };

/** A picture from the user, or inside a tool result. */
export type ImageBlockParam = {
  type: 'image';
  source: ImageSource;
  cache_control?: CacheControl | null;
};

/** Where the content of a document comes from. */
export type DocumentSource =
  | { type: 'base64'; media_type: 'application/pdf'; data: string }
  | { type: 'text'; media_type: 'text/plain'; data: string }
  | { type: 'content'; content: string | Array<TextBlockParam | ImageBlockParam> }
  | { type: 'url'; url: string };

/** A document from the user. */
export type DocumentBlockParam = {
  type: 'document';
  source: DocumentSource;
  title?: string | null;
  context?: string | null;
  citations?: { enabled?: boolean } | null;
  cache_control?: CacheControl | null;
};

/** A passage the host found by its own search, to be cited by the model. */
export type SearchResultBlockParam = {
  type: 'search_result';
  source: string;
  title: string;
  content: TextBlockParam[];
  citations?: { enabled?: boolean };
  cache_control?: CacheControl | null;
};

/** The answer to the `tool_use` of the same id. */
export type ToolResultBlockParam = {
  type: 'tool_result';
  tool_use_id: string;
  content?: string | Array<TextBlockParam | ImageBlockParam | DocumentBlockParam | SearchResultBlockParam>;
  is_error?: boolean;
  cache_control?: CacheControl | null;
};

/** One part of a user message. */
export type ContentBlockParam =
  TextBlockParam | ImageBlockParam | DocumentBlockParam | SearchResultBlockParam | ToolResultBlockParam;

/** What a user message says: text, or parts. */
export type MessageParam = {
  role: 'user' | 'assistant';
  content: string | ContentBlockParam[];
};
