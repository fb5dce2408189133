// Shows where the input that a call ran with differs from the one that the model asked for.
import { diffValues, shortValue, type ValueChange } from '@inboard/core/util/diff-values.js';
import type { CallItem } from '../../../model/story/story-item.js';
import { Icon } from '../../components/icons.js';

/** How many changes are listed. All of them can be seen in the details. */
const MOST_EDITS = 4;

export function CallEdits({ call: { input, ranInput, endT, handlerT } }: { call: CallItem }) {
  const edits = diffValues(input, ranInput);
  return (
    <span class="card-edits">
      <Icon name="swap" />
      {endT === undefined && handlerT === undefined ? 'edited:' : 'ran with an edited input:'}
      {edits.slice(0, MOST_EDITS).map((edit) => (
        <Edit key={edit.path.join('.')} edit={edit} />
      ))}
      {edits.length > MOST_EDITS && <span>{`and ${edits.length - MOST_EDITS} more`}</span>}
    </span>
  );
}

/** One change. The old value is struck out and the new one underlined, not only coloured. */
function Edit({ edit: { path, left, right } }: { edit: ValueChange }) {
  return (
    <span class="card-edit">
      {path.length > 0 && <code>{path.join('.')}</code>}
      <span class="off-screen"> from </span>
      <del>{shortValue(left)}</del>
      <span class="off-screen"> to </span>
      <ins>{shortValue(right)}</ins>
    </span>
  );
}
