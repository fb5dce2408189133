// Shows where the input that a call ran with differs from the one that the model asked for.
import type { CallItem } from '../../../model/story/story-item.js';
import { Icon } from '../../components/icons.js';
import { ValueEdits } from '../../components/value-edits.js';

export function CallEdits({ call: { input, ranInput, endT, handlerT } }: { call: CallItem }) {
  return (
    <span class="card-edits">
      <Icon name="swap" />
      {endT === undefined && handlerT === undefined ? 'edited:' : 'ran with an edited input:'}
      <ValueEdits before={input} after={ranInput} />
    </span>
  );
}
