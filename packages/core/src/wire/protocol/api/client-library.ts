// The types of the API's client library, for projects that have it installed. Programs pass messages to functions of
// that library and back, in any version. So its own types are used where it is installed, and those of `api-message`
// and `api-input` where it is not. Only types are imported.

// Each alias must be on the line after its comment: the comment is published with the types and lets them compile where
// the library is missing. The alias is then an `any` of the compiler's own, which `ClientOr` detects.
/* oxlint-disable typescript/ban-ts-comment, typescript/consistent-type-imports */

/** @ts-ignore The library may be missing. */
export type ClientMessage = import('@anthropic-ai/sdk/resources/beta.js').BetaMessage;
/** @ts-ignore The library may be missing. */
export type ClientContentBlock = import('@anthropic-ai/sdk/resources/beta.js').BetaContentBlock;
/** @ts-ignore The library may be missing. */
export type ClientUsage = import('@anthropic-ai/sdk/resources/beta.js').BetaUsage;
/** @ts-ignore The library may be missing. */
export type ClientStreamEvent = import('@anthropic-ai/sdk/resources/beta.js').BetaRawMessageStreamEvent;
/** @ts-ignore The library may be missing. */
export type ClientBlockDelta = import('@anthropic-ai/sdk/resources/beta.js').BetaRawContentBlockDelta;
/** @ts-ignore The library may be missing. */
export type ClientMessageParam = import('@anthropic-ai/sdk/resources/index.js').MessageParam;
/** @ts-ignore The library may be missing. */
export type ClientBlockParam = import('@anthropic-ai/sdk/resources/index.js').ContentBlockParam;

/**
 * The library's type, or ours where the library is missing. The tuples matter: a condition on that `any` itself has no
 * branch, and the result would be `any` again.
 */
export type ClientOr<Client, Own> = [0] extends [1 & Client] ? Own : Client;
