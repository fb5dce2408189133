// Shows a JSON value as a tree to open and close: coloured by kind, long texts folded, large values drawn in parts. Values of
// models and tools are always drawn as text.
import { useSignal } from '@preact/signals';
import { HIDDEN } from '@inboard/core/record/trace/trace-event.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { formatCountOf } from '../../model/format.js';
import { CopyButton } from './copy-button.js';
import { Icon } from './icons.js';

export interface JsonViewProps {
  value: unknown;
  /** How many levels are open at first. Default 2. */
  openDepth?: number | undefined;
  /** The label of the copy button: "Copy the input". Without it there is no button. */
  copyLabel?: string | undefined;
  /** The text to copy, instead of the value as it is shown here. */
  copyText?: string | undefined;
}

/** A text longer than this is folded. */
const LONG_TEXT = 400;
const FOLDED_TEXT = 240;
/** How many entries of one object or array are drawn at first. */
const AT_ONCE = 100;

export function JsonView({ value, openDepth = 2, copyLabel, copyText }: JsonViewProps) {
  return (
    <div class="json">
      {copyLabel !== undefined && (
        <div class="json-copy">
          <CopyButton label={copyLabel} text={() => copyText ?? JSON.stringify(value, null, 2)} />
        </div>
      )}
      <div class="json-tree">
        <Node name={undefined} value={value} open={openDepth} isLast />
      </div>
    </div>
  );
}

interface NodeProps {
  /** A string is a key of an object, a number an index of an array. */
  name: string | number | undefined;
  value: unknown;
  open: number;
  isLast: boolean;
}

function Node({ name, value, open, isLast }: NodeProps) {
  const entries = readEntries(value);
  if (entries && entries.length > 0)
    return <Branch name={name} value={value} entries={entries} open={open} isLast={isLast} />;
  return (
    <div class="json-line">
      <Name name={name} />
      {entries ? <span class="json-mark">{Array.isArray(value) ? '[]' : '{}'}</span> : <Leaf value={value} />}
      {!isLast && <span class="json-mark">,</span>}
    </div>
  );
}

function Branch({ name, value, entries, open, isLast }: NodeProps & { entries: Entries }) {
  const isOpen = useSignal(open > 0);
  const shown = useSignal(AT_ONCE);
  const [before, after] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const what = formatCountOf(entries.length, Array.isArray(value) ? 'item' : 'field');
  return (
    <div class="json-branch">
      <button
        type="button"
        class="json-line json-toggle"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <Icon name={isOpen.value ? 'down' : 'right'} />
        <Name name={name} />
        <span class="json-mark">{before}</span>
        {!isOpen.value && (
          <>
            <span class="json-count">{what}</span>
            <span class="json-mark">
              {after}
              {isLast ? '' : ','}
            </span>
          </>
        )}
      </button>
      {isOpen.value && (
        <>
          <div class="json-inside">
            {entries.slice(0, shown.value).map(([key, entry], index) => (
              <Node
                key={key}
                name={key}
                value={entry}
                open={open - 1}
                isLast={index === entries.length - 1}
              />
            ))}
            {entries.length > shown.value && (
              <button
                type="button"
                class="text-button"
                onClick={() => {
                  shown.value += AT_ONCE * 5;
                }}
              >
                {formatCountOf(entries.length - shown.value, 'more item')}
              </button>
            )}
          </div>
          <div class="json-line json-mark">
            {after}
            {isLast ? '' : ','}
          </div>
        </>
      )}
    </div>
  );
}

function Name({ name }: { name: string | number | undefined }) {
  if (typeof name !== 'string') return null;
  return (
    <>
      <span class="json-key">{JSON.stringify(name)}</span>
      <span class="json-mark">: </span>
    </>
  );
}

function Leaf({ value }: { value: unknown }) {
  if (typeof value === 'string') return <TextLeaf text={value} />;
  const kind = value === null ? 'null' : typeof value;
  return <span class={`json-${kind}`}>{String(value)}</span>;
}

function TextLeaf({ text }: { text: string }) {
  const isWhole = useSignal(text.length <= LONG_TEXT);
  const shown = isWhole.value ? text : text.slice(0, FOLDED_TEXT);
  return (
    <>
      <span class={HIDDEN.test(shown) ? 'json-string json-hidden' : 'json-string'}>
        {isWhole.value ? JSON.stringify(shown) : JSON.stringify(shown).slice(0, -1)}
      </span>
      {text.length > LONG_TEXT && (
        <button
          type="button"
          class="text-button"
          aria-expanded={isWhole.value}
          onClick={() => {
            isWhole.value = !isWhole.value;
          }}
        >
          {isWhole.value ? 'show less' : `… ${formatCountOf(text.length - FOLDED_TEXT, 'more character')}`}
        </button>
      )}
    </>
  );
}

type Entries = readonly (readonly [string | number, unknown])[];

function readEntries(value: unknown): Entries | undefined {
  if (Array.isArray(value)) return value.map((entry: unknown, index) => [index, entry] as const);
  return isRecord(value) ? Object.entries(value) : undefined;
}
