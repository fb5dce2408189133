// Our chunks and messages are the AI SDK's, as the compiler sees both.
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import type { UseChatHelpers } from '@ai-sdk/react';
import { toUiMessages, toUiStream, type UiChunk, type UiMessage } from 'inboard/ui';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : [B]) : [A];
function prove<_Claim extends true>(): void {}

// Every chunk we send is one the package reads, and of a type it names.
export function asTheirs(chunk: UiChunk): UIMessageChunk {
  return chunk;
}
prove<Same<Exclude<UiChunk['type'], UIMessageChunk['type']>, never>>();

// Every type the package has, so that a new one is noticed: it is sent, or stands here.
type Unused = 'custom' | 'reasoning-file' | 'steering-message';
type TheirTypes = Exclude<UIMessageChunk['type'], `data-${string}`>;
prove<Same<Exclude<TheirTypes, UiChunk['type']>, Unused>>();

// A stream of ours goes into their reader, and messages from a transcript into their hook.
export function read(source: Parameters<typeof toUiStream>[0]): AsyncIterable<UIMessage> {
  return readUIMessageStream({ stream: toUiStream(source) });
}
export function fill(chat: UseChatHelpers<UIMessage>, messages: Parameters<typeof toUiMessages>[0]): void {
  chat.setMessages(toUiMessages(messages));
}
export function asTheirMessage(message: UiMessage): UIMessage {
  return message;
}
