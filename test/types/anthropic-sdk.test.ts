// The payloads of messages and the types of the API's client library: which fit which. What the model says is held
// to the beta types, which the CLI's messages follow; what is said to it, to the others. Where one way is missing, the
// reason is at hand.
import type {
  BetaContentBlock,
  BetaMessage,
  BetaRawContentBlockDelta,
  BetaRawMessageStreamEvent,
  BetaTextBlock,
  BetaToolUseBlock,
  BetaUsage,
} from '@anthropic-ai/sdk/resources/beta/messages/messages.js';
import type * as Client from '@anthropic-ai/sdk/resources/messages/messages.js';
import { describe, expectTypeOf, it } from 'vitest';
import type * as Input from '../../packages/core/src/wire/protocol/api/api-input.js';
import type * as Payload from '../../packages/core/src/wire/protocol/api/api-message.js';
import type { OwnBlockDelta, OwnStreamEvent } from '../../packages/core/src/wire/protocol/api/api-stream.js';
import type {
  SDKAssistantMessage,
  SDKUserMessage,
} from '../../packages/core/src/wire/protocol/messages/messages-conversation.js';

// `any` fits everything, so the types as wholes must not have become it.
type IsAny<T> = 0 extends 1 & T ? true : false;

describe('what the model says', () => {
  it('fits the beta types', () => {
    expectTypeOf<Payload.OwnMessage>().toExtend<BetaMessage>();
    expectTypeOf<Payload.OwnContentBlock>().toExtend<BetaContentBlock>();
    expectTypeOf<Payload.TextBlock>().toExtend<BetaTextBlock>();
    expectTypeOf<Payload.ToolUseBlock>().toExtend<BetaToolUseBlock>();
    expectTypeOf<Payload.OwnUsage>().toExtend<BetaUsage>();
    expectTypeOf<OwnStreamEvent>().toExtend<BetaRawMessageStreamEvent>();
    expectTypeOf<OwnBlockDelta>().toExtend<BetaRawContentBlockDelta>();
    expectTypeOf<SDKAssistantMessage['message']>().toExtend<BetaMessage>();
  });

  it('takes the beta types', () => {
    expectTypeOf<BetaMessage>().toExtend<Payload.OwnMessage>();
    expectTypeOf<BetaContentBlock>().toExtend<Payload.OwnContentBlock>();
    expectTypeOf<BetaUsage>().toExtend<Payload.OwnUsage>();
    expectTypeOf<BetaRawMessageStreamEvent>().toExtend<OwnStreamEvent>();
    expectTypeOf<BetaRawContentBlockDelta>().toExtend<OwnBlockDelta>();
  });

  it('takes blocks of the other types, except calls that the API carries out: their input has no type there', () => {
    expectTypeOf<
      Exclude<Client.ContentBlock, { type: 'server_tool_use' }>
    >().toExtend<Payload.OwnContentBlock>();
    expectTypeOf<Client.ServerToolUseBlock>().not.toExtend<Payload.OwnContentBlock>();
    expectTypeOf<Payload.TextBlock>().toExtend<Client.TextBlock>();
    expectTypeOf<Payload.ThinkingBlock>().toExtend<Client.ThinkingBlock>();
    expectTypeOf<Payload.StopReason>().not.toExtend<Client.StopReason>();
    expectTypeOf<Client.StopReason>().toExtend<Payload.StopReason>();
  });

  it('is no message of the other type: that one has no field for what was edited in the context', () => {
    expectTypeOf<Client.Message>().not.toExtend<Payload.OwnMessage>();
    expectTypeOf<Payload.OwnMessage>().not.toExtend<Client.Message>();
  });
});

describe('what is said to the model', () => {
  it('fits the types and takes them', () => {
    expectTypeOf<Input.OwnMessageParam>().toExtend<Client.MessageParam>();
    expectTypeOf<Client.MessageParam>().toExtend<Input.OwnMessageParam>();
    expectTypeOf<Input.OwnBlockParam>().toExtend<Client.ContentBlockParam>();
    expectTypeOf<Client.ContentBlockParam>().toExtend<Input.OwnBlockParam>();
    expectTypeOf<Input.TextBlockParam>().toExtend<Client.TextBlockParam>();
    expectTypeOf<Input.ImageBlockParam>().toExtend<Client.ImageBlockParam>();
    expectTypeOf<Client.ImageBlockParam>().toExtend<Input.ImageBlockParam>();
    expectTypeOf<Input.DocumentBlockParam>().toExtend<Client.DocumentBlockParam>();
    expectTypeOf<Client.DocumentBlockParam>().toExtend<Input.DocumentBlockParam>();
    expectTypeOf<Input.ToolResultBlockParam>().toExtend<Client.ToolResultBlockParam>();
    expectTypeOf<Client.ToolResultBlockParam>().toExtend<Input.ToolResultBlockParam>();
    expectTypeOf<SDKUserMessage['message']>().toExtend<Client.MessageParam>();
  });

  it('may be what the model said, so that a conversation can be told again', () => {
    expectTypeOf<Payload.TextBlock>().toExtend<Input.OwnBlockParam>();
    expectTypeOf<Payload.ThinkingBlock>().toExtend<Input.OwnBlockParam>();
    expectTypeOf<Payload.ToolUseBlock>().toExtend<Input.OwnBlockParam>();
  });
});

describe('a project with the library', () => {
  it("sees the library's types", () => {
    expectTypeOf<Payload.ApiMessage>().toEqualTypeOf<BetaMessage>();
    expectTypeOf<Payload.ContentBlock>().toEqualTypeOf<BetaContentBlock>();
    expectTypeOf<Payload.Usage>().toEqualTypeOf<BetaUsage>();
    expectTypeOf<Input.MessageParam>().toEqualTypeOf<Client.MessageParam>();
    expectTypeOf<Input.ContentBlockParam>().toEqualTypeOf<Client.ContentBlockParam>();
    expectTypeOf<SDKAssistantMessage['message']>().toEqualTypeOf<BetaMessage>();
  });
});

describe('the types as wholes', () => {
  it('are not any', () => {
    expectTypeOf<IsAny<Payload.OwnMessage>>().toEqualTypeOf<false>();
    expectTypeOf<IsAny<Payload.OwnContentBlock>>().toEqualTypeOf<false>();
    expectTypeOf<IsAny<Input.OwnMessageParam>>().toEqualTypeOf<false>();
    expectTypeOf<IsAny<OwnStreamEvent>>().toEqualTypeOf<false>();
  });
});
