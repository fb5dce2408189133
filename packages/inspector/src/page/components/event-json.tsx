// Shows the JSON of an event as a tree, or as the exact line that passed. Copying always gives the exact line.
import { useSignal } from '@preact/signals';
import { parseIfJson, splitJson } from '../../model/wire/json-parts.js';
import { formatExact } from '../../model/format.js';
import { Button } from './button.js';
import { CopyButton } from './copy-button.js';
import { JsonView } from './json-view.js';

/** The longest line that is drawn in full. Of a longer one, only the beginning is drawn at first. */
const AT_ONCE = 20_000;
/** Whether the exact line is shown; kept for the next event. */
const isRaw = { value: false };

export function EventJson({ text, isFrame }: { text: string; isFrame: boolean }) {
  const raw = useSignal(isRaw.value);
  const value = parseIfJson(text);
  const show = (next: boolean): void => {
    isRaw.value = next;
    raw.value = next;
  };
  return (
    <section class="event-json" aria-label={isFrame ? 'The frame' : 'The event'}>
      <div class="event-json-head">
        <h3>{isFrame ? 'Frame' : 'Event'}</h3>
        <Button look="plain" isPressed={!raw.value} onClick={() => show(false)}>
          Tree
        </Button>
        <Button look="plain" isPressed={raw.value} onClick={() => show(true)}>
          Line
        </Button>
        <CopyButton text={text} label="Copy the exact line" hasWord />
      </div>
      {raw.value || value === undefined ? (
        <RawLine text={text} />
      ) : (
        <JsonView value={value.value} openDepth={3} />
      )}
    </section>
  );
}

function RawLine({ text }: { text: string }) {
  const shown = useSignal(AT_ONCE);
  const part = text.slice(0, shown.value);
  return (
    <pre class="json event-raw" tabIndex={0} aria-label="The exact line">
      {splitJson(part).map(({ kind, text: piece }, index) =>
        kind === 'mark' ? (
          piece
        ) : (
          <span key={index} class={`json-${kind}`}>
            {piece}
          </span>
        ),
      )}
      {text.length > shown.value && (
        <button
          type="button"
          class="text-button"
          onClick={() => {
            shown.value += AT_ONCE * 10;
          }}
        >
          … {formatExact(text.length - shown.value)} more characters
        </button>
      )}
    </pre>
  );
}
