// Badges: small words on a coloured ground. The word alone is enough; the colour only helps.
import type { ComponentChildren } from 'preact';
import type { Tone } from './tone.js';

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge tone-${tone}`}>{children}</span>;
}

/** A dot and a word. */
export function StateMark({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return (
    <span class={`state-mark tone-${tone}`}>
      <span class="state-dot" aria-hidden="true" />
      {children}
    </span>
  );
}
