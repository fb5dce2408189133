// The messages that the model gets as input. Their blocks are in `api-input-blocks.ts`. Blocks of a conversation that is
// sent again are in `api-past-blocks.ts`.
import type { ClientBlockParam, ClientMessageParam, ClientOr } from './client-library.js';
import type { PastBlockParam } from './api-past-blocks.js';
import type {
  TextBlockParam,
  ImageBlockParam,
  DocumentBlockParam,
  SearchResultBlockParam,
  ToolResultBlockParam,
} from './api-input-blocks.js';

export type * from './api-input-blocks.js';

/** One part of an input message; narrow it by `type`. */
export type ContentBlockParam = ClientOr<ClientBlockParam, OwnBlockParam>;

/** A part of an input message in our own types, used if the client library is not installed. */
export type OwnBlockParam =
  | TextBlockParam
  | ImageBlockParam
  | DocumentBlockParam
  | SearchResultBlockParam
  | ToolResultBlockParam
  | PastBlockParam;

/** An input message: a text, or parts. The CLI accepts only the role `user`; the API's type also has the others. */
export type MessageParam = ClientOr<ClientMessageParam, OwnMessageParam>;

/** An input message in our own types, used if the client library is not installed. */
export type OwnMessageParam =
  | { role: 'user'; content: string | OwnBlockParam[] }
  | { role: 'assistant'; content: string | OwnBlockParam[] }
  | { role: 'system'; content: string | TextBlockParam[] };
