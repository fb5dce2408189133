// The types of the API's client library, where a project has it. Programs pass a message's payload to functions of that
// library and back, whatever version of it they use; so where it is there its own types are the payload's, and where it
// is not, those of api-message.ts and api-input.ts are. Nothing but types is taken from it.

// Each alias stands on one line under its comment: the comment is part of the published types and lets them compile
// where the library is missing. The name then stands for `any`, by which that is noticed.
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

/** The library's type, or ours where the library is missing. */
export type ClientOr<Client, Own> = 0 extends 1 & Client ? Own : Client;
