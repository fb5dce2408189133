// The types of the API's client library, for projects that have it installed. Programs pass messages to functions of that
// library and back, in any version of it. So the library's own types are used if it is installed, and otherwise those of
// `api-message` and `api-input`. Only types are imported.

// Each alias must be on the line after its comment. The comment is published with the types, and lets them compile if the
// library is missing. The compiler then makes the alias an `any`, which `ClientOr` detects.
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
 * The library's type, or ours if the library is missing. The tuples are necessary: without them, the compiler would not
 * choose a branch for that `any`, and the result would be `any` again.
 */
export type ClientOr<Client, Own> = [0] extends [1 & Client] ? Own : Client;
