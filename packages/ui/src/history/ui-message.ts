// The types of messages as a page keeps them. They are this package's own types. A test project compares them with those of the
// package `ai`.
import type { UiProviderMetadata } from '../stream/ui-chunk.js';

/** A call in a message. Its type is `dynamic-tool`, because the page need not know the tools. */
export type UiToolPart = {
  type: 'dynamic-tool';
  toolCallId: string;
  toolName: string;
  /** How the call was completed, if its CLI or the program ended before the call did, and who answered the question about it. */
  callProviderMetadata?: UiProviderMetadata;
} & (
  | { state: 'input-available'; input: unknown }
  | { state: 'approval-requested'; input: unknown; approval: { id: string } }
  | {
      state: 'approval-responded';
      input: unknown;
      approval: { id: string; approved: boolean; reason?: string };
    }
  | { state: 'output-available'; input: unknown; output: unknown }
  | { state: 'output-error'; input: unknown; errorText: string }
  | { state: 'output-denied'; input: unknown; approval: { id: string; approved: false; reason?: string } }
);

/** A part of a message. Narrow it by `type`. */
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

/** A message in the form that `useChat` takes for `messages`. */
export interface UiMessage {
  id: string;
  role: 'user' | 'assistant';
  parts: UiPart[];
}
