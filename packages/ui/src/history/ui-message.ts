// Messages as a page keeps them: our own types, held to those of the package `ai` by a test project. Types only.
import type { UiProviderMetadata } from '../stream/ui-chunk.js';

/** A call in a message; `dynamic-tool`, because the page need not know the tools. */
export type UiToolPart = {
  type: 'dynamic-tool';
  toolCallId: string;
  toolName: string;
  /** Of a call that was completed after its CLI or its host was gone: how. */
  callProviderMetadata?: UiProviderMetadata;
} & (
  | { state: 'input-available'; input: unknown }
  | { state: 'output-available'; input: unknown; output: unknown }
  | { state: 'output-error'; input: unknown; errorText: string }
);

/** A part of a message; narrow it by `type`. */
export type UiPart =
  | { type: 'step-start' }
  | { type: 'text'; text: string; state: 'done' }
  | { type: 'reasoning'; text: string; state: 'done' }
  | { type: 'source-url'; sourceId: string; url: string; title?: string }
  | { type: 'source-document'; sourceId: string; mediaType: string; title: string }
  | {
      type: 'file';
      url: string;
      mediaType: string;
      filename?: string;
      providerMetadata?: UiProviderMetadata;
    }
  | UiToolPart;

/** A message as `useChat` takes it for `messages`. */
export interface UiMessage {
  id: string;
  role: 'user' | 'assistant';
  parts: UiPart[];
}
