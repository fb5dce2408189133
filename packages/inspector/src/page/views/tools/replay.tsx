// Repeats a recorded call with the tool as it is now, and shows the old and the new result.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { diffJson, type JsonChange } from '@inboard/core/record/trace/replay/json-diff.js';
import { formatCountOf, formatDuration } from '../../../model/format.js';
import { createDraft } from '../../../model/form/form-draft.js';
import type { ObservedCall, ToolEntry } from '../../../model/tools/tool-entry.js';
import { Button } from '../../components/button.js';
import { Icon } from '../../components/icons.js';
import { JsonView } from '../../components/json-view.js';
import type { Store } from '../../store/store.js';
import { callToolFromPage, readRecordedCall, type CallOutcome, type CallContents } from './call-tool.js';
import { handState } from './tools-state.js';

export interface ReplayProps {
  store: Store;
  session: string;
  tool: ToolEntry;
  call: ObservedCall;
}

export function Replay({ store, session, tool, call }: ReplayProps) {
  const recorded = useSignal<CallContents | 'reading' | 'gone'>('reading');
  const now = useSignal<CallOutcome | 'running' | undefined>(undefined);
  useEffect(() => {
    readRecordedCall(store, session, call).then(
      (read) => {
        recorded.value = read ?? 'gone';
      },
      () => {
        recorded.value = 'gone';
      },
    );
  }, []);
  const { value: then } = recorded;
  if (then === 'reading') return <p class="soft small">Reading the recorded call…</p>;
  if (then === 'gone')
    return <p class="soft small">The events of this call can no longer be read, so it cannot be repeated.</p>;
  const run = async (): Promise<void> => {
    now.value = 'running';
    now.value = await callToolFromPage(store, session, tool, then.input);
  };
  const fill = (): void => {
    const state = handState(store, session, tool);
    state.value = { ...state.value, draft: createDraft(then.input) };
    document.getElementById('hand-call-json')?.focus();
    document.querySelector('[aria-label="Call it by hand"]')?.scrollIntoView({ block: 'start' });
  };
  return (
    <div class="replay">
      <JsonView value={then.input} copyLabel="Copy the recorded input" />
      {then.hasHidden && (
        <p class="tool-off">
          <Icon name="lock" />
          <span>
            Something in this input was redacted when it was recorded, so it cannot be sent as it is. Put it
            into the form above, and write what is missing.
          </span>
        </p>
      )}
      <div class="tool-buttons">
        <Button
          look="primary"
          icon="play"
          offBecause={
            then.hasHidden ? 'Its input is redacted' : now.value === 'running' ? 'It is running' : undefined
          }
          onClick={() => void run()}
        >
          Call with this input
        </Button>
        <Button onClick={fill}>Put it into the form</Button>
      </div>
      {now.value !== undefined && now.value !== 'running' && (
        <Comparison then={then.result} thenMs={call.handlerMs} now={now.value} />
      )}
    </div>
  );
}

function Comparison({ then, thenMs, now }: { then: unknown; thenMs: number | undefined; now: CallOutcome }) {
  if (now.error) return <p class="qcard-error">{now.error.message}</p>;
  const changes = diffJson(then, now.result);
  return (
    <div class="compared" role="status">
      <p class={changes.length === 0 ? 'compared-same' : 'compared-differs'}>
        <Icon name={changes.length === 0 ? 'check' : 'swap'} />
        {changes.length === 0
          ? 'The same result as recorded.'
          : `${formatCountOf(changes.length, 'difference')}.`}
      </p>
      {changes.length > 0 && <Changes changes={changes} />}
      <div class="compared-both">
        <Side title="Then" ms={thenMs} value={then} />
        <Side title="Now" ms={now.durationMs} value={now.result} />
      </div>
    </div>
  );
}

function Side({ title, ms, value }: { title: string; ms: number | undefined; value: unknown }) {
  return (
    <section aria-label={title}>
      <h4>
        {title} {ms !== undefined && <span class="number soft">{formatDuration(ms)}</span>}
      </h4>
      {value === undefined ? (
        <p class="soft small">No result was recorded.</p>
      ) : (
        <JsonView value={value} openDepth={3} copyLabel={`Copy the result of ${title.toLowerCase()}`} />
      )}
    </section>
  );
}

const MOST_CHANGES = 30;

function Changes({ changes }: { changes: readonly JsonChange[] }) {
  return (
    <ul class="changes">
      {changes.slice(0, MOST_CHANGES).map(({ path, taped, live }) => (
        <li key={path}>
          <code class="change-path">{path === '' ? 'the whole' : path}</code>
          <span class="change-then">
            <span class="off-screen">was </span>− {writeShort(taped)}
          </span>
          <span class="change-now">
            <span class="off-screen">is </span>+ {writeShort(live)}
          </span>
        </li>
      ))}
      {changes.length > MOST_CHANGES && <li>{changes.length - MOST_CHANGES} more</li>}
    </ul>
  );
}

function writeShort(value: unknown): string {
  const text = value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 299)}…` : text;
}
