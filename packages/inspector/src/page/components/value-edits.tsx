// Lists where two values differ. The old value is struck out and the new one underlined, not only coloured.
import { diffValues, shortValue, type ValueChange } from '@inboard/core/util/diff-values.js';

/** How many changes are listed. All of them can be seen in the details. */
const MOST_EDITS = 4;

export function ValueEdits({ before, after }: { before: unknown; after: unknown }) {
  const edits = diffValues(before, after);
  return (
    <>
      {edits.slice(0, MOST_EDITS).map((edit) => (
        <Edit key={edit.path.join('.')} edit={edit} />
      ))}
      {edits.length > MOST_EDITS && <span>{`and ${edits.length - MOST_EDITS} more`}</span>}
    </>
  );
}

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
