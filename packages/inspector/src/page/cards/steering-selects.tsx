// The controls to choose the model and the permission mode.
import { useSignal } from '@preact/signals';
import { Button } from '../components/button.js';
import type { Store } from '../store/store.js';

const OTHER = '\u0000other';

export interface ModelSelectProps {
  store: Store;
  offBecause: string | undefined;
  onChoose: (model: string) => void;
}

/** Chooses a model from those the handshake named, or one whose name the person writes. */
export function ModelSelect({ store, offBecause, onChoose }: ModelSelectProps) {
  const isWriting = useSignal(false);
  const text = useSignal('');
  const current = store.current.value;
  // The list of models comes with the first events.
  const models = current && current.revision.value >= 0 ? current.model.tools.models : [];
  const model = store.summary.value?.model;
  if (isWriting.value)
    return (
      <form
        class="steering-other"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.value.trim() !== '') onChoose(text.value.trim());
          isWriting.value = false;
        }}
      >
        <input
          aria-label="Name of the model"
          placeholder="Name of the model"
          value={text}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        <button type="submit" class="button button-normal">
          Set
        </button>
        <Button
          look="plain"
          icon="cross"
          label="Back to the list"
          onClick={() => {
            isWriting.value = false;
          }}
        />
      </form>
    );
  const known =
    models.find(({ value }) => value === model) ?? models.find(({ resolved }) => resolved === model);
  const shown = known?.value ?? model ?? '';
  return (
    <label class="steering-select" title={offBecause}>
      <span class="field-hint">Model</span>
      <select
        value={shown}
        disabled={offBecause !== undefined}
        onChange={(event) => {
          const { value } = event.currentTarget;
          // The control shows the present model. The choice appears once the session has accepted it.
          event.currentTarget.value = shown;
          if (value === OTHER) isWriting.value = true;
          else if (value !== '' && value !== shown) onChoose(value);
        }}
      >
        {!known && <option value={shown}>{model ?? 'not known yet'}</option>}
        {models.map(({ value, label, description }) => (
          <option key={value} value={value} title={description}>
            {label}
          </option>
        ))}
        <option value={OTHER}>Another…</option>
      </select>
    </label>
  );
}

const MODES: ReadonlyArray<readonly [string, string]> = [
  ['default', 'Ask'],
  ['acceptEdits', 'Accept edits'],
  ['plan', 'Plan only'],
  ['dontAsk', 'Refuse without asking'],
  ['auto', 'Auto'],
  ['bypassPermissions', 'Allow everything'],
];

export interface ModeSelectProps {
  mode: string | undefined;
  offBecause: string | undefined;
  onChoose: (mode: string) => void;
}

export function ModeSelect({ mode, offBecause, onChoose }: ModeSelectProps) {
  const isKnown = MODES.some(([value]) => value === mode);
  return (
    <label class="steering-select" title={offBecause}>
      <span class="field-hint">Permissions</span>
      <select
        value={mode ?? ''}
        disabled={offBecause !== undefined}
        onChange={(event) => {
          const { value } = event.currentTarget;
          event.currentTarget.value = mode ?? '';
          if (value !== '' && value !== mode) onChoose(value);
        }}
      >
        {!isKnown && <option value={mode ?? ''}>{mode ?? 'not known yet'}</option>}
        {MODES.map(([value, label]) => (
          <option key={value} value={value} title={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
