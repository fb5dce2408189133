// Shows an input and lets a person change it, as a form or as JSON. The caller keeps the draft.
import { readShape } from '../../../model/form/form-shape.js';
import { readDraft, withForm, withJson, type FormDraft } from '../../../model/form/form-draft.js';
import type { FieldIssue } from '../../../model/form/check-value.js';
import { writePath } from '../../../model/form/value-path.js';
import { Icon } from '../../components/icons.js';
import { Field } from './field.js';
import type { FormUse, Reveal } from './form-use.js';
import { ObjectFields } from './object-field.js';

export interface FormEditorProps {
  /** Names the input: "Input of Bash". */
  label: string;
  /** The heading. Default: "Input". */
  heading?: string | undefined;
  id: string;
  draft: FormDraft;
  onChange: (draft: FormDraft) => void;
  schema: unknown;
  /** Mistakes that the server found, in addition to those found here. */
  issues?: readonly FieldIssue[] | undefined;
  /** Whether missing fields are marked. */
  isTried: boolean;
  reveal?: Reveal | undefined;
  isOff?: boolean | undefined;
}

const REQUIRED = 'is required';

export function FormEditor(props: FormEditorProps) {
  const { draft, schema, isTried, onChange } = props;
  const read = readDraft(draft, schema);
  const issues = [
    ...read.issues.filter(({ message }) => isTried || message !== REQUIRED),
    ...(props.issues ?? []),
  ];
  const isJson = draft.json !== undefined;
  const asForm = withForm(draft);
  return (
    <div class="form">
      <div class="form-head">
        <span class="form-name">{props.heading ?? 'Input'}</span>
        <div class="form-modes" role="group" aria-label="How to edit">
          <button
            type="button"
            class="form-mode"
            aria-pressed={!isJson}
            aria-disabled={isJson && !asForm}
            title={isJson && !asForm ? 'Fix the JSON first' : undefined}
            onClick={() => asForm && onChange(asForm)}
          >
            Form
          </button>
          <button
            type="button"
            class="form-mode"
            aria-pressed={isJson}
            onClick={() => {
              if (!isJson) onChange(withJson(draft));
            }}
          >
            JSON
          </button>
        </div>
      </div>
      {isJson ? (
        <JsonEditor {...props} issues={issues} mistake={read.mistake} />
      ) : (
        <Fields {...props} issues={issues} />
      )}
    </div>
  );
}

function Fields({ draft, onChange, schema, issues = [], id, reveal, isOff = false }: FormEditorProps) {
  const use: FormUse = { draft, change: onChange, root: schema, issues, id, reveal, isOff, Field };
  const read = readShape(schema, schema, draft.value);
  const shape = read.kind === 'object' ? read : readShape({ type: 'object' }, undefined);
  const top = issues.filter(({ path }) => path.length === 0);
  return (
    <div class="form-fields">
      {shape.kind === 'object' && <ObjectFields use={use} path={[]} shape={shape} />}
      <IssueList issues={top} />
    </div>
  );
}

interface JsonEditorProps extends FormEditorProps {
  mistake: ReturnType<typeof readDraft>['mistake'];
}

function JsonEditor({
  label,
  id,
  draft,
  onChange,
  mistake,
  issues = [],
  reveal,
  isOff = false,
}: JsonEditorProps) {
  const text = draft.json ?? '';
  return (
    <>
      <textarea
        class="form-json"
        id={`${id}-json`}
        aria-label={`${label} as JSON`}
        aria-invalid={mistake || issues.length > 0 ? 'true' : undefined}
        aria-describedby={mistake ? `${id}-mistake` : undefined}
        spellcheck={false}
        readOnly={isOff}
        rows={Math.min(24, Math.max(4, text.split('\n').length + 1))}
        value={text}
        onInput={(event) => onChange(withJson(draft, event.currentTarget.value))}
      />
      {mistake && (
        <p class="field-issue" id={`${id}-mistake`}>
          <Icon name="warning" />
          <span>
            Line {mistake.line}, column {mistake.column}: {mistake.message}
          </span>
        </p>
      )}
      <IssueList issues={issues} />
      {draft.hidden.length > 0 && (
        <p class="form-hidden">
          <Icon name="lock" />
          <span>
            {draft.hidden.map(writePath).join(', ')} {draft.hidden.length === 1 ? 'is' : 'are'} redacted, and{' '}
            {draft.hidden.length === 1 ? 'goes' : 'go'} back unchanged.
          </span>
          {reveal && reveal.offBecause === undefined && (
            <button type="button" class="text-button" onClick={reveal.run}>
              Reveal
            </button>
          )}
        </p>
      )}
    </>
  );
}

function IssueList({ issues }: { issues: readonly FieldIssue[] }) {
  if (issues.length === 0) return null;
  return (
    <ul class="form-issues">
      {issues.map(({ path, message }) => (
        <li key={writePath(path) + message} class="field-issue">
          <Icon name="warning" />
          <span>
            <code>{path.length === 0 ? 'The input' : writePath(path)}</code> {message}
          </span>
        </li>
      ))}
    </ul>
  );
}
