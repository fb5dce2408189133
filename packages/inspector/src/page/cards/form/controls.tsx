// The controls of a form: a text, and a choice. Input fields would drop line breaks, so texts are written in text areas that
// grow. Only numbers and dates have input fields.
import { diffEdits } from '../../../model/form/input-edits.js';
import { writeText } from '../../../model/form/field-text.js';
import { withField, withoutField, withFieldText } from '../../../model/form/form-draft.js';
import type { ChoiceOption, FormShape } from '../../../model/form/form-shape.js';
import { hasPath, pathKey, valueAt } from '../../../model/form/value-path.js';
import { describeControl } from './field-frame.js';
import { fieldId, type FieldProps } from './form-use.js';

interface ControlProps extends FieldProps {
  shape: FormShape;
}

const PLACEHOLDERS: Readonly<Record<string, string>> = {
  date: '2026-11-16',
  'date-time': '2026-11-16T09:30:00Z',
  time: '09:30:00Z',
  email: 'name@example.org',
  uri: 'https://example.org',
};

export function TextControl(props: ControlProps) {
  const { use, path, shape, isRequired } = props;
  const value = valueAt(use.draft.value, path);
  const text = use.draft.texts[pathKey(path)]?.text ?? writeText(shape, value);
  const onInput = (event: { currentTarget: { value: string } }): void =>
    use.change(
      withFieldText(use.draft, { path, shape, text: event.currentTarget.value, isOptional: !isRequired }),
    );
  const common = {
    ...describeControl(props, shape),
    value: text,
    readOnly: use.isOff,
    onInput,
    spellcheck: false,
    dir: shape.kind === 'json' ? undefined : ('auto' as const),
    placeholder: placeholderOf(shape),
  };
  if (shape.kind === 'number')
    return <input {...common} class="field-number" inputMode="decimal" autocomplete="off" />;
  if (shape.kind === 'text' && shape.format === 'date' && /^(?:\d{4}-\d{2}-\d{2})?$/.test(text))
    return <input {...common} type="date" />;
  return (
    <textarea
      {...common}
      class={`field-area ${shape.kind === 'json' ? 'field-json' : ''}`}
      rows={countRows(text)}
    />
  );
}

function placeholderOf(shape: FormShape): string | undefined {
  const example: unknown = Array.isArray(shape.schema['examples']) ? shape.schema['examples'][0] : undefined;
  if (typeof example === 'string') return example;
  return shape.kind === 'text' ? PLACEHOLDERS[shape.format] : undefined;
}

/** The number of rows, for browsers that do not size text areas by their content. */
function countRows(text: string): number {
  const lines = text.split('\n');
  return Math.min(
    12,
    lines.reduce((rows, line) => rows + 1 + Math.floor(line.length / 90), 0),
  );
}

const YES_OR_NO: readonly ChoiceOption[] = [
  { label: 'Yes', description: undefined, value: true },
  { label: 'No', description: undefined, value: false },
];
const NOT_SET = 'Not set';

export function ChoiceControl(props: ControlProps) {
  const { use, path, shape, isRequired } = props;
  const options = shape.kind === 'choice' ? shape.options : YES_OR_NO;
  const isSet = hasPath(use.draft.value, path);
  const value = valueAt(use.draft.value, path);
  const found = options.findIndex((option) => diffEdits(option.value, value).length === 0);
  // A value that is not one of the options is listed too, until another is chosen.
  const all =
    isSet && found < 0
      ? [...options, { label: JSON.stringify(value), description: undefined, value }]
      : options;
  const chosen = isSet ? (found < 0 ? all.length - 1 : found) : -1;
  const choose = (index: number): void =>
    use.change(index < 0 ? withoutField(use.draft, path) : withField(use.draft, path, all[index]?.value));
  const isShort = all.length <= 5 && all.reduce((sum, { label }) => sum + label.length + 4, 0) <= 48;
  const hasNone = !isRequired || !isSet;
  if (isShort && all.length > 0) {
    const rows = hasNone && !isRequired ? [{ label: NOT_SET, index: -1 }] : [];
    return (
      <div class="segments">
        {[...all.map(({ label }, index) => ({ label, index })), ...rows].map(({ label, index }) => (
          <label key={index} class={`segment ${index === chosen ? 'segment-on' : ''}`}>
            <input
              type="radio"
              name={fieldId(use, path)}
              checked={index === chosen}
              disabled={use.isOff}
              onChange={() => choose(index)}
            />
            <bdi>{label}</bdi>
          </label>
        ))}
      </div>
    );
  }
  return (
    <select
      {...describeControl(props, shape)}
      aria-label={shape.title ?? props.label}
      value={String(chosen)}
      disabled={use.isOff}
      onChange={(event) => choose(Number(event.currentTarget.value))}
    >
      {hasNone && <option value="-1">{NOT_SET}</option>}
      {all.map(({ label, description }, index) => (
        <option key={index} value={String(index)} title={description}>
          {label}
        </option>
      ))}
    </select>
  );
}
