// Everything about a call: input, who changed it, output, times, and the exact lines of its events.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { isRecord, parseRecord } from '@inboard/core/util/guards.js';
import { blocksOf } from '@inboard/core/wire/protocol/messages/message-content.js';
import { formatClock, formatDuration } from '../../../model/format.js';
import { callTimes, completedLine, pendingLine, permissionLine } from '../../../model/story/call-lines.js';
import { readOutcomes, readOutput } from '../../../model/story/read-output.js';
import type { CallItem, OutputPart } from '../../../model/story/story-item.js';
import { Icon } from '../../components/icons.js';
import { JsonView } from '../../components/json-view.js';
import type { PageSource } from '../../page-source.js';
import type { Store } from '../../store/store.js';
import { LongText, MediaView } from './text-and-media.js';

interface DetailsProps {
  call: CallItem;
  store: Store;
  session: string;
  query: string;
}

export function CallDetails({ call, store, session, query }: DetailsProps) {
  const { input, inputText, permission, completed } = call;
  const edited = permission?.isEdited === true ? permission.input : completed?.ranInput;
  return (
    <div class="card-details">
      <Section title="Input">
        {input === undefined ? (
          <pre class="card-raw">{inputText}</pre>
        ) : (
          <JsonView value={input} copyLabel="Copy the input" />
        )}
      </Section>
      {edited && (
        <Section title="Input after the edit">
          <JsonView value={edited} copyLabel="Copy the edited input" />
        </Section>
      )}
      {permission?.message !== undefined && permission.message !== '' && (
        <Section title={permission.outcome === 'denied' ? 'Reason' : 'Answer'}>
          <p>{permission.message}</p>
        </Section>
      )}
      <Output call={call} output={call.output} store={store} session={session} query={query} />
      <Facts call={call} store={store} session={session} />
    </div>
  );
}

/** `output` is passed as a prop, because calls change in place, and the component is drawn again only when a prop changes. */
function Output(props: DetailsProps & { output: readonly OutputPart[] }) {
  const { call, output, store, session, query } = props;
  const whole = useSignal<OutputPart[] | undefined>(undefined);
  const trouble = useSignal<string | undefined>(undefined);
  if (call.endT === undefined && output.length === 0) return null;
  const canAsk = call.isCut === true && whole.value === undefined && call.resultN !== undefined;
  const ask = async (): Promise<void> => {
    const parts = await readWholeOutput(store.source, session, call);
    if (parts) whole.value = parts;
    else trouble.value = 'The whole output is no longer there.';
  };
  return (
    <Section title={call.state === 'failed' ? 'Error' : 'Output'}>
      {output.length === 0 && <p class="soft">Nothing.</p>}
      <OutputParts parts={whole.value ?? output} name={call.name} query={query} />
      {canAsk && trouble.value === undefined && (
        <button
          type="button"
          class="text-button"
          onClick={() => {
            ask().catch((error: unknown) => {
              trouble.value = error instanceof Error ? error.message : String(error);
            });
          }}
        >
          It was cut for the page: get all of it
        </button>
      )}
      {trouble.value !== undefined && <p class="soft small">{trouble.value}</p>}
    </Section>
  );
}

function Facts({ call, store, session }: Omit<DetailsProps, 'query'>) {
  const { waited, ran, whole } = callTimes(call);
  const where = call.runsHere
    ? 'in your program'
    : call.server === undefined
      ? 'in Claude Code'
      : `by the server ${call.server}`;
  const facts: [string, string | undefined][] = [
    ['began at', formatClock(call.t)],
    ['permission', call.permission && permissionLine(call.permission)],
    ['result', call.pending && pendingLine(call.pending)],
    ['call key', call.pending?.callKey],
    ['completed', completedLine(call)],
    ['waited', waited === undefined ? undefined : formatDuration(waited)],
    ['ran', ran === undefined ? where : `${formatDuration(ran)} ${where}`],
    ['in all', whole === undefined ? undefined : formatDuration(whole)],
    ['id', call.toolUseId],
  ];
  return (
    <Section title="About this call">
      <dl class="card-facts">
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <div key={name}>
                <dt>{name}</dt>
                <dd class={name === 'id' || name === 'call key' ? 'mono' : 'number'}>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <p class="card-lines">
        <LinkToLine store={store} session={session} n={call.n} what="call" />
        {call.resultN !== undefined && (
          <LinkToLine store={store} session={session} n={call.resultN} what="result" />
        )}
      </p>
    </Section>
  );
}

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="card-section">
      <h4>{title}</h4>
      {children}
    </section>
  );
}

/** What a tool returned: texts, JSON, images. */
function OutputParts({ parts, name, query }: { parts: readonly OutputPart[]; name: string; query: string }) {
  return (
    <div class="output">
      {parts.map((part, index) => (
        <Part key={index} part={part} name={name} query={query} />
      ))}
    </div>
  );
}

function Part({ part, name, query }: { part: OutputPart; name: string; query: string }) {
  if (part.type === 'text') return <LongText text={part.text} query={query} />;
  if (part.type === 'json') return <JsonView value={part.value} copyLabel="Copy the output" />;
  return <MediaView media={part} name={name} />;
}

/** Opens the exact line of an event beside the story. */
function LinkToLine(props: { store: Store; session: string; n: number; what: string }) {
  const { store, session, n, what } = props;
  return (
    <button
      type="button"
      class="text-button line-button"
      onClick={() => {
        store.shownEvent.value = { session, n };
      }}
    >
      <Icon name="wire" />
      exact line of the {what}
    </button>
  );
}

/** The whole output of a call; undefined if the source no longer has it. */
async function readWholeOutput(
  source: PageSource,
  session: string,
  { resultN, toolUseId }: Pick<CallItem, 'resultN' | 'toolUseId'>,
): Promise<OutputPart[] | undefined> {
  const line = resultN === undefined ? undefined : await source.readWhole(session, resultN);
  const frame = line === undefined ? undefined : parseRecord(line)?.['frame'];
  if (!isRecord(frame)) return undefined;
  const outcome = readOutcomes(frame, blocksOf(frame)).find((one) => one.toolUseId === toolUseId);
  return outcome && readOutput(outcome.content);
}
