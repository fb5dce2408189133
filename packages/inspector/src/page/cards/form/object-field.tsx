// An object in a form: the fields of the schema, further fields of the value, and a control to add more if the schema allows
// that.
import { useSignal } from '@preact/signals';
import { withField, withoutField } from '../../../model/form/form-draft.js';
import type { FormShape } from '../../../model/form/form-shape.js';
import { touchesHidden } from '../../../model/form/input-edits.js';
import { initialValue } from '../../../model/form/initial-value.js';
import { valueAt } from '../../../model/form/value-path.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { Button } from '../../components/button.js';
import { FieldFrame } from './field-frame.js';
import { fieldId, type FieldProps } from './form-use.js';

type ObjectShape = Extract<FormShape, { kind: 'object' }>;

export function ObjectField(props: FieldProps & { shape: ObjectShape; isOptional: boolean }) {
  const { use, path, shape, isOptional } = props;
  const hasHidden = touchesHidden(path, use.draft.hidden);
  const tools = isOptional && !use.isOff && (
    <Button
      look="plain"
      icon="cross"
      class="field-tool"
      label={`Remove ${shape.title ?? props.label}`}
      offBecause={hasHidden ? 'Something in it is redacted' : undefined}
      onClick={() => use.change(withoutField(use.draft, path))}
    />
  );
  return (
    <FieldFrame {...props} tools={tools} isGroup>
      <div class="field-inside">
        <ObjectFields {...props} />
      </div>
    </FieldFrame>
  );
}

/** The fields of an object, without a frame around them. */
export function ObjectFields({
  use,
  path,
  shape,
}: Pick<FieldProps, 'use' | 'path'> & { shape: ObjectShape }) {
  const value = valueAt(use.draft.value, path);
  const fields = isRecord(value) ? value : {};
  const known = new Set(shape.properties.map(({ name }) => name));
  const others = Object.keys(fields).filter((name) => !known.has(name));
  const isClosed = shape.additional === false;
  return (
    <>
      {shape.properties.map(({ name, schema, isRequired }) => (
        <use.Field
          key={name}
          use={use}
          path={[...path, name]}
          schema={schema}
          label={name}
          isRequired={isRequired}
        />
      ))}
      {others.map((name) => (
        <div key={name} class="field-row">
          <use.Field
            use={use}
            path={[...path, name]}
            schema={isClosed ? undefined : shape.additional}
            label={name}
            isRequired
          />
          {!use.isOff && known.size + others.length > 0 && isAddable(shape) && (
            <Button
              look="plain"
              icon="cross"
              label={`Remove ${name}`}
              offBecause={
                touchesHidden([...path, name], use.draft.hidden) ? 'Something in it is redacted' : undefined
              }
              onClick={() => use.change(withoutField(use.draft, [...path, name]))}
            />
          )}
        </div>
      ))}
      {!use.isOff && isAddable(shape) && <AddField use={use} path={path} shape={shape} taken={fields} />}
      {known.size + others.length === 0 && !isAddable(shape) && <p class="field-hint">No fields.</p>}
    </>
  );
}

/** Whether fields can be added: the schema describes further fields, or describes no fields at all. */
function isAddable(shape: ObjectShape): boolean {
  const { additional } = shape;
  return (
    isRecord(additional) || (additional === true && shape.properties.length === 0 && 'type' in shape.schema)
  );
}

function AddField({
  use,
  path,
  shape,
  taken,
}: Pick<FieldProps, 'use' | 'path'> & { shape: ObjectShape; taken: Record<string, unknown> }) {
  const name = useSignal('');
  const id = `${fieldId(use, path)}-new`;
  const isTaken = Object.hasOwn(taken, name.value);
  const add = (): void => {
    if (name.value === '' || isTaken) return;
    const schema = isRecord(shape.additional) ? shape.additional : { type: 'string' };
    use.change(withField(use.draft, [...path, name.value], initialValue(schema, use.root)));
    name.value = '';
  };
  return (
    <div class="field-new">
      <input
        id={id}
        aria-label="Name of a new field"
        placeholder="Name of a new field"
        value={name}
        autocomplete="off"
        onInput={(event) => {
          name.value = event.currentTarget.value;
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      <Button
        icon="plus"
        offBecause={name.value === '' ? 'Give it a name first' : isTaken ? 'This name is taken' : undefined}
        onClick={add}
      >
        Add
      </Button>
    </div>
  );
}
