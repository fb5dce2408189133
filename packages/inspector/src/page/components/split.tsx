// A list and the detail of its chosen item: side by side if there is room, else the detail covers the list and has a back
// button.
import type { ComponentChildren } from 'preact';
import { Button } from './button.js';

export interface SplitProps {
  list: ComponentChildren;
  /** Undefined while nothing is chosen. */
  detail: ComponentChildren | undefined;
  /** Names the detail for screen readers. */
  label: string;
  /** Goes back to the list, if there is room for only one. */
  onBack: () => void;
}

export function Split({ list, detail, label, onBack }: SplitProps) {
  const isOpen = detail !== undefined;
  return (
    <div class={`split ${isOpen ? 'split-open' : ''}`}>
      <div class="split-list">{list}</div>
      {isOpen && (
        <section class="split-detail" aria-label={label}>
          <div class="split-back">
            <Button look="plain" icon="left" onClick={onBack}>
              Back
            </Button>
          </div>
          {detail}
        </section>
      )}
    </div>
  );
}
