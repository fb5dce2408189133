// Draws one place of a form, of any kind.
import { findVariant } from '../../../model/form/check-value.js';
import { withField, withoutField } from '../../../model/form/form-draft.js';
import { readShape, typeOfValue, type FormShape } from '../../../model/form/form-shape.js';
import { initialValue } from '../../../model/form/initial-value.js';
import { hasPath, valueAt } from '../../../model/form/value-path.js';
import { Button } from '../../components/button.js';
import { Icon } from '../../components/icons.js';
import { ChoiceControl, TextControl } from './controls.js';
import { FieldFrame } from './field-frame.js';
import { fieldId, isLocked, type FieldProps } from './form-use.js';
import { ListField } from './list-field.js';
import { ObjectField } from './object-field.js';

export function Field(props: FieldProps) {
  const { use, path, schema, isRequired } = props;
  if (isLocked(use, path)) return <LockedField {...props} />;
  const value = valueAt(use.draft.value, path);
  const shape = shapeFor(schema, use.root, value);
  if (value === null) return <NullField {...props} shape={shape} />;
  const isCompound = shape.kind === 'object' || shape.kind === 'list' || shape.kind === 'union';
  if (isCompound && !hasPath(use.draft.value, path)) return <AbsentField {...props} shape={shape} />;
  const tools = shape.isNullable && !use.isOff && (
    <Button look="plain" class="field-tool" onClick={() => use.change(withField(use.draft, path, null))}>
      Set to null
    </Button>
  );
  switch (shape.kind) {
    case 'object':
      return <ObjectField {...props} shape={shape} isOptional={!isRequired} />;
    case 'list':
      return <ListField {...props} shape={shape} />;
    case 'union':
      return <UnionField {...props} shape={shape} />;
    case 'choice':
    case 'boolean':
      return (
        <FieldFrame {...props} shape={shape} tools={tools} isGroup>
          <ChoiceControl {...props} shape={shape} />
        </FieldFrame>
      );
    default:
      return (
        <FieldFrame {...props} shape={shape} tools={tools}>
          <TextControl {...props} shape={shape} />
        </FieldFrame>
      );
  }
}

/** The shape that the schema gives. If the value has another type, the shape that fits the value. */
function shapeFor(schema: unknown, root: unknown, value: unknown): FormShape {
  const shape = readShape(schema, root, value);
  const type = typeOfValue(value);
  const wanted = {
    text: 'string',
    number: 'number',
    boolean: 'boolean',
    object: 'object',
    list: 'array',
  } as Record<string, string>;
  if (type === undefined || wanted[shape.kind] === undefined || wanted[shape.kind] === type) return shape;
  return { ...readShape(undefined, undefined, value), title: shape.title, description: shape.description };
}

function LockedField(props: FieldProps) {
  const { use, path } = props;
  const shown = valueAt(use.draft.value, path);
  return (
    <FieldFrame {...props} shape={undefined} isGroup>
      <div class="field-locked">
        <Icon name="lock" />
        <span class="field-locked-text">{typeof shown === 'string' ? shown : 'redacted'}</span>
        {use.reveal && (
          <Button look="plain" icon="eye" offBecause={use.reveal.offBecause} onClick={use.reveal.run}>
            Reveal
          </Button>
        )}
      </div>
    </FieldFrame>
  );
}

function NullField(props: FieldProps & { shape: FormShape }) {
  const { use, path, schema } = props;
  return (
    <FieldFrame {...props} isGroup>
      <div class="field-null">
        <code>null</code>
        {!use.isOff && (
          <Button
            look="plain"
            onClick={() => use.change(withField(use.draft, path, initialValue(schema, use.root) ?? ''))}
          >
            Give it a value
          </Button>
        )}
      </div>
    </FieldFrame>
  );
}

function AbsentField(props: FieldProps & { shape: FormShape }) {
  const { use, path, schema, label } = props;
  return (
    <FieldFrame {...props} isGroup>
      {use.isOff ? (
        <span class="field-hint">not set</span>
      ) : (
        <Button
          look="normal"
          icon="plus"
          class="field-add"
          onClick={() => use.change(withField(use.draft, path, initialValue(schema, use.root)))}
        >
          Add {props.shape.title ?? label}
        </Button>
      )}
    </FieldFrame>
  );
}

function UnionField(props: FieldProps & { shape: Extract<FormShape, { kind: 'union' }> }) {
  const { use, path, shape } = props;
  const value = valueAt(use.draft.value, path);
  const chosen = findVariant(shape.variants, value, use.root);
  const id = fieldId(use, path);
  return (
    <FieldFrame {...props} isGroup>
      <div class="field-union">
        <select
          id={id}
          aria-label={`Form of ${props.label}`}
          value={String(chosen)}
          disabled={use.isOff}
          onChange={(event) => {
            const variant = shape.variants[Number(event.currentTarget.value)];
            const next = variant && initialValue(variant.schema, use.root);
            use.change(next === undefined ? withoutField(use.draft, path) : withField(use.draft, path, next));
          }}
        >
          {shape.variants.map(({ label }, index) => (
            <option key={label} value={String(index)}>
              {label}
            </option>
          ))}
        </select>
        <Field {...props} schema={shape.variants[chosen]?.schema} label="Value" isRequired />
      </div>
    </FieldFrame>
  );
}
