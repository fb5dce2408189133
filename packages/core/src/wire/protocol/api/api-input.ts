// Input messages of the model. Their blocks are in `api-input-blocks.ts` and, for a conversation that is sent again, in
// `api-past-blocks.ts`.
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

/** The same without the client library. */
export type OwnBlockParam =
  | TextBlockParam
  | ImageBlockParam
  | DocumentBlockParam
  | SearchResultBlockParam
  | ToolResultBlockParam
  | PastBlockParam;

/** An input message: text, or parts. The CLI takes only the role `user`; the others are in the API's own type. */
export type MessageParam = ClientOr<ClientMessageParam, OwnMessageParam>;

/** The same without the client library. */
export type OwnMessageParam =
  | { role: 'user'; content: string | OwnBlockParam[] }
  | { role: 'assistant'; content: string | OwnBlockParam[] }
  | { role: 'system'; content: string | TextBlockParam[] };
