// Builds the parts of a message from chunks, as a reader of the stream does. So a page shows the same from a transcript as it
// did during the answer.
import type { UiChunk } from '../stream/ui-chunk.js';
import type { UiPart, UiToolPart } from './ui-message.js';

/** Collects the parts of one message. */
export class MessageParts {
  readonly parts: UiPart[] = [];
  readonly #texts = new Map<string, { text: string }>();

  readonly take = (chunk: UiChunk): void => {
    switch (chunk.type) {
      case 'start-step':
        this.parts.push({ type: 'step-start' });
        break;
      case 'text-start':
      case 'reasoning-start': {
        const type = chunk.type === 'text-start' ? 'text' : 'reasoning';
        const part = { type, text: '', state: 'done' } as const satisfies UiPart;
        this.#texts.set(chunk.id, part);
        this.parts.push(part);
        break;
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const part = this.#texts.get(chunk.id);
        if (part) part.text += chunk.delta;
        break;
      }
      case 'tool-input-available': {
        const { toolCallId, toolName, input, providerMetadata } = chunk;
        const facts = { input, ...(providerMetadata && { callProviderMetadata: providerMetadata }) };
        const state = 'input-available';
        // The chunk is sent again if a person has changed the input, and if the call is completed later.
        if (!this.#change(toolCallId, { state, ...facts }))
          this.parts.push({ type: 'dynamic-tool', toolCallId, toolName, state, ...facts });
        break;
      }
      case 'tool-approval-request':
        this.#change(chunk.toolCallId, { state: 'approval-requested', approval: { id: chunk.approvalId } });
        break;
      case 'tool-approval-response':
        this.#answer(chunk);
        break;
      case 'tool-output-available':
        if (chunk.preliminary !== true)
          this.#change(chunk.toolCallId, { state: 'output-available', output: chunk.output });
        break;
      case 'tool-output-error':
        this.#change(chunk.toolCallId, { state: 'output-error', errorText: chunk.errorText });
        break;
      case 'tool-output-denied':
        this.#change(chunk.toolCallId, { state: 'output-denied' });
        break;
      case 'file':
      case 'source-url':
      case 'source-document':
        this.parts.push(chunk);
        break;
      default:
    }
  };

  #answer({ approvalId: id, approved, reason }: Extract<UiChunk, { type: 'tool-approval-response' }>): void {
    const asked = this.parts.find(
      (part) =>
        part.type === 'dynamic-tool' && part.state === 'approval-requested' && part.approval.id === id,
    );
    const approval = { id, approved, ...(reason !== undefined && { reason }) };
    if (asked) this.#change((asked as UiToolPart).toolCallId, { state: 'approval-responded', approval });
  }

  /** Changes the part of a call. Returns whether there is such a part. */
  #change(id: string, fields: object): boolean {
    const place = this.parts.findIndex((part) => part.type === 'dynamic-tool' && part.toolCallId === id);
    const part = this.parts[place];
    if (part) this.parts[place] = { ...part, ...fields } as UiToolPart;
    return part !== undefined;
  }
}
