// A list in a form: its items, which can be added, removed and moved.
import { withField, withMovedItem, withoutField } from '../../../model/form/form-draft.js';
import type { FormShape } from '../../../model/form/form-shape.js';
import { touchesHidden } from '../../../model/form/input-edits.js';
import { initialValue } from '../../../model/form/initial-value.js';
import { valueAt } from '../../../model/form/value-path.js';
import { Button } from '../../components/button.js';
import { FieldFrame } from './field-frame.js';
import type { FieldProps } from './form-use.js';

export function ListField(props: FieldProps & { shape: Extract<FormShape, { kind: 'list' }> }) {
  const { use, path, shape, isRequired } = props;
  const value = valueAt(use.draft.value, path);
  const items = Array.isArray(value) ? value : [];
  // Moving or removing an item changes the indexes of others, and a hidden value must keep its place.
  const held = touchesHidden(path, use.draft.hidden) ? 'Something in the list is redacted' : undefined;
  const isFull =
    items.length >= shape.maxItems || (shape.items === false && items.length >= shape.prefix.length);
  const name = shape.title ?? props.label;
  const tools = !isRequired && !use.isOff && (
    <Button
      look="plain"
      icon="cross"
      class="field-tool"
      label={`Remove ${name}`}
      offBecause={held}
      onClick={() => use.change(withoutField(use.draft, path))}
    />
  );
  return (
    <FieldFrame {...props} tools={tools} isGroup>
      <ol class="field-items">
        {items.map((_, index) => (
          <li key={index} class="field-row field-item">
            <span class="field-place" aria-hidden="true">
              {index + 1}
            </span>
            <use.Field
              use={use}
              path={[...path, index]}
              schema={shape.prefix[index] ?? shape.items}
              label={`Item ${index + 1}`}
              isRequired
              isBare
            />
            {!use.isOff && (
              <span class="field-item-tools">
                <Button
                  look="plain"
                  icon="up"
                  label={`Move item ${index + 1} up`}
                  offBecause={held ?? (index === 0 ? 'It is the first' : undefined)}
                  onClick={() => use.change(withMovedItem(use.draft, [...path, index], -1))}
                />
                <Button
                  look="plain"
                  icon="down"
                  label={`Move item ${index + 1} down`}
                  offBecause={held ?? (index === items.length - 1 ? 'It is the last' : undefined)}
                  onClick={() => use.change(withMovedItem(use.draft, [...path, index], 1))}
                />
                <Button
                  look="plain"
                  icon="cross"
                  label={`Remove item ${index + 1}`}
                  offBecause={held}
                  onClick={() => use.change(withoutField(use.draft, [...path, index]))}
                />
              </span>
            )}
          </li>
        ))}
      </ol>
      {items.length === 0 && <p class="field-hint">No items.</p>}
      {!use.isOff && !isFull && (
        <Button
          icon="plus"
          class="field-add"
          onClick={() => {
            const schema = shape.prefix[items.length] ?? shape.items;
            use.change(withField(use.draft, [...path, items.length], newItem(schema, use.root, items)));
          }}
        >
          Add an item
        </Button>
      )}
    </FieldFrame>
  );
}

/** A new item of a list. If the schema does not tell, it is 0 after a number, false after a boolean, else an empty text. */
function newItem(schema: unknown, root: unknown, items: readonly unknown[]): unknown {
  const made = initialValue(schema, root);
  if (made !== null) return made;
  const last = items.at(-1);
  if (typeof last === 'number') return 0;
  return typeof last === 'boolean' ? false : '';
}
