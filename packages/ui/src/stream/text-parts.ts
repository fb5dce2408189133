// The texts and the reasoning of one answer. A part is opened with its first piece, so that no part is empty. Each part is
// closed once.
import type { UiChunk } from './ui-chunk.js';

/** Whether a part is text or reasoning. */
export type TextKind = 'text' | 'reasoning';

/** A part to which pieces are added. It is opened with the first piece. */
export interface TextPart {
  readonly kind: TextKind;
  readonly id: string;
  state: 'new' | 'open' | 'closed';
}

/** The text parts of one answer, with numbers in their ids. */
export class TextParts {
  readonly #emit: (chunk: UiChunk) => void;
  readonly #open = new Set<TextPart>();
  #count = 0;
  #hasText = false;

  constructor(emit: (chunk: UiChunk) => void) {
    this.#emit = emit;
  }

  /** Whether a part is being written. */
  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Whether the answer has any text. Reasoning does not count. */
  get hasText(): boolean {
    return this.#hasText;
  }

  create(kind: TextKind): TextPart {
    this.#count += 1;
    return { kind, id: `${kind}-${this.#count}`, state: 'new' };
  }

  add(part: TextPart, delta: string): void {
    if (delta === '' || part.state === 'closed') return;
    if (part.state === 'new') {
      part.state = 'open';
      this.#open.add(part);
      this.#emit({ type: `${part.kind}-start`, id: part.id });
    }
    this.#hasText ||= part.kind === 'text';
    this.#emit({ type: `${part.kind}-delta`, id: part.id, delta });
  }

  end(part: TextPart): void {
    if (part.state === 'open') this.#emit({ type: `${part.kind}-end`, id: part.id });
    part.state = 'closed';
    this.#open.delete(part);
  }

  /** Sends a part that comes whole. */
  whole(kind: TextKind, text: string): void {
    const part = this.create(kind);
    this.add(part, text);
    this.end(part);
  }

  closeAll(): void {
    for (const part of this.#open) this.end(part);
  }
}
