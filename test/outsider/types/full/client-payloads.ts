// Beside the API's client library the payloads are the library's own types, in the version that is installed.
import type { BetaMessage, BetaUsage } from '@anthropic-ai/sdk/resources/beta.js';
import type { MessageParam } from '@anthropic-ai/sdk/resources/index.js';
import type { SDKAssistantMessage, SDKUserMessage } from 'inboard';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

export const same: [
  Same<SDKAssistantMessage['message'], BetaMessage>,
  Same<SDKAssistantMessage['message']['usage'], BetaUsage>,
  Same<SDKUserMessage['message'], MessageParam>,
] = [true, true, true];
