// The frame of every control of a form: its name, its description, and its mistakes.
import type { ComponentChildren } from 'preact';
import type { Schema, FormShape } from '../../../model/form/form-shape.js';
import { Icon } from '../../components/icons.js';
import { fieldId, issueAt, type FieldProps } from './form-use.js';

interface FrameProps extends FieldProps {
  shape: FormShape | undefined;
  /** Buttons beside the name. */
  tools?: ComponentChildren;
  /** Whether the frame is for a group of controls. Otherwise its name is the label of one control. */
  isGroup?: boolean | undefined;
  children: ComponentChildren;
}

export function FieldFrame(props: FrameProps) {
  const { use, path, label, isRequired, shape, tools, isGroup = false, isBare = false, children } = props;
  const id = fieldId(use, path);
  const name = shape?.title ?? label;
  const head = isBare ? (
    <span class="off-screen">{name}</span>
  ) : (
    <>
      <bdi class="field-name">{name}</bdi>
      {name !== label && <code class="field-key">{label}</code>}
      {!isRequired && <span class="field-hint">optional</span>}
      {shape && <span class="field-hint">{describeLimits(shape)}</span>}
    </>
  );
  const body = (
    <>
      {shape?.description !== undefined && (
        <p class="field-text" id={`${id}-about`} dir="auto">
          {shape.description}
        </p>
      )}
      {children}
      <FieldIssue id={id} text={issueAt(use, path)} label={name} />
    </>
  );
  if (isGroup)
    return (
      <div class="field field-group" role="group" aria-labelledby={`${id}-name`}>
        <div class="field-head" id={`${id}-name`}>
          {head}
          {tools}
        </div>
        {body}
      </div>
    );
  return (
    <div class="field">
      <div class="field-head">
        <label class="field-label" for={id}>
          {head}
        </label>
        {tools}
      </div>
      {body}
    </div>
  );
}

function FieldIssue({ id, text, label }: { id: string; text: string | undefined; label: string }) {
  if (text === undefined) return null;
  return (
    <p class="field-issue" id={`${id}-issue`}>
      <Icon name="warning" />
      <span>
        <span class="field-issue-name">{label}</span> {text}
      </span>
    </p>
  );
}

/** The id of a control, and its attributes for screen readers. */
export function describeControl({ use, path }: Pick<FieldProps, 'use' | 'path'>, shape: FormShape) {
  const id = fieldId(use, path);
  const hasIssue = issueAt(use, path) !== undefined;
  const about = [shape.description !== undefined && `${id}-about`, hasIssue && `${id}-issue`]
    .filter(Boolean)
    .join(' ');
  return {
    id,
    'aria-describedby': about === '' ? undefined : about,
    'aria-invalid': hasIssue ? ('true' as const) : undefined,
  };
}

/** The type and the limits of a value, in a few words. */
function describeLimits(shape: FormShape): string {
  const { schema } = shape;
  if (shape.kind === 'number') {
    const least = numberIn(schema, 'minimum', 'exclusiveMinimum');
    const most = numberIn(schema, 'maximum', 'exclusiveMaximum');
    const kind = shape.isInteger ? 'whole number' : 'number';
    if (least !== undefined && most !== undefined) return `${kind}, ${least} to ${most}`;
    if (least !== undefined) return `${kind}, from ${least}`;
    return most === undefined ? kind : `${kind}, up to ${most}`;
  }
  if (shape.kind === 'text') {
    if (typeof schema['pattern'] === 'string') return `like ${schema['pattern']}`;
    return shape.format === 'text' ? '' : shape.format;
  }
  return shape.kind === 'json' ? 'JSON' : '';
}

function numberIn(schema: Schema, ...names: string[]): number | undefined {
  return names.map((name) => schema[name]).find((value) => typeof value === 'number');
}
