// Calls a tool by hand: a form made from its schema, and the outcomes of the calls.
import type { Signal } from '@preact/signals';
import { formatDuration, formatTimeOfDay } from '../../../model/format.js';
import { readDraft } from '../../../model/form/form-draft.js';
import type { ToolEntry } from '../../../model/tools/tool-entry.js';
import { isRecord } from '@inboard/core/util/guards.js';
import { FormEditor } from '../../cards/form/form-editor.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Icon } from '../../components/icons.js';
import { JsonView } from '../../components/json-view.js';
import type { Store } from '../../store/store.js';
import { callToolFromPage, noCallBecause } from './call-tool.js';
import { handState, type HandCall, type HandState } from './tools-state.js';

const KEPT = 20;

export interface HandCallFormProps {
  store: Store;
  session: string;
  tool: ToolEntry;
}

export function HandCallForm({ store, session, tool }: HandCallFormProps) {
  const off = noCallBecause(store, tool);
  const state = handState(store, session, tool);
  const { draft, isTried, calls } = state.value;
  const last = calls[0];
  return (
    <section class="tool-section" aria-label="Call it by hand">
      <h3>Call it by hand</h3>
      {off === undefined ? (
        <p class="soft small">
          It runs now, in the program itself, outside the conversation: the model does not see it.
        </p>
      ) : (
        <p class="tool-off">
          <Icon name="lock" />
          <span>{off}</span>
        </p>
      )}
      {off === undefined && (
        <>
          <FormEditor
            label={`Input of ${tool.name}`}
            id="hand-call"
            draft={draft}
            onChange={(next) => {
              state.value = { ...state.value, draft: next };
            }}
            schema={tool.inputSchema}
            issues={last?.error?.issues}
            isTried={isTried}
          />
          <div class="tool-buttons">
            <Button
              look="primary"
              icon="play"
              offBecause={last?.isRunning ? 'It is running' : undefined}
              onClick={() => void run(state, store, session, tool)}
            >
              Call
            </Button>
          </div>
        </>
      )}
      {calls.length > 0 && (
        <ol class="hand-calls" aria-label="Calls made by hand">
          {calls.map((call) => (
            <li key={call.id}>
              <HandCallRow call={call} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

async function run(state: Signal<HandState>, store: Store, session: string, tool: ToolEntry): Promise<void> {
  const { value: input, issues, mistake } = readDraft(state.value.draft, tool.inputSchema);
  state.value = { ...state.value, isTried: true };
  if (issues.length > 0 || mistake || state.value.calls[0]?.isRunning) return;
  const id = (state.value.calls[0]?.id ?? 0) + 1;
  const begun: HandCall = {
    id,
    at: Date.now(),
    input,
    result: undefined,
    durationMs: undefined,
    error: undefined,
    isRunning: true,
  };
  state.value = { ...state.value, calls: [begun, ...state.value.calls].slice(0, KEPT) };
  const outcome = await callToolFromPage(store, session, tool, input);
  state.value = {
    ...state.value,
    calls: state.value.calls.map((call) =>
      call.id === id ? { ...call, ...outcome, isRunning: false } : call,
    ),
  };
}

function HandCallRow({ call }: { call: HandCall }) {
  const { at, durationMs, error, isRunning, result, input } = call;
  const isFailed = error !== undefined || (isRecord(result) && result['isError'] === true);
  const { tone, word } = isRunning
    ? ({ tone: 'neutral', word: 'running' } as const)
    : isFailed
      ? ({ tone: 'error', word: 'failed' } as const)
      : ({ tone: 'good', word: 'done' } as const);
  return (
    <article class="hand-call">
      <header class="hand-call-head">
        <Badge tone={tone}>{word}</Badge>
        <span class="number soft small">
          {formatTimeOfDay(at)}
          {durationMs !== undefined && ` · ${formatDuration(durationMs)}`}
        </span>
      </header>
      {error && <p class="qcard-error">{error.message}</p>}
      {result !== undefined && <JsonView value={result} openDepth={3} copyLabel="Copy the result" />}
      <details>
        <summary class="small soft">Input</summary>
        <JsonView value={input} copyLabel="Copy the input" />
      </details>
    </article>
  );
}
