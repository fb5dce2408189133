// One tool: what the model sees of it, the outcomes of its calls, and a form to call it.
import { formatDuration, formatExact, NO_NUMBER } from '../../../model/format.js';
import type { SessionModel } from '../../../model/session-model.js';
import type { Percentiles, ToolEntry } from '../../../model/tools/tool-entry.js';
import { Badge } from '../../components/badge.js';
import { CopyButton } from '../../components/copy-button.js';
import { Icon } from '../../components/icons.js';
import type { Store } from '../../store/store.js';
import { CallList } from './call-list.js';
import { HandCallForm } from './hand-call-form.js';
import { SchemaView } from './schema-view.js';

export interface ToolDetailProps {
  store: Store;
  session: string;
  model: SessionModel;
  tool: ToolEntry;
}

export function ToolDetail({ store, session, model, tool }: ToolDetailProps) {
  return (
    <div class="tool-detail">
      <header class="tool-head">
        <h2>{tool.title ?? tool.name}</h2>
        <p class="tool-full">
          <code>{tool.toolName}</code>
          <CopyButton text={tool.toolName} label="Copy the name the model knows" />
        </p>
        <p class="tool-badges">
          <Badge tone={tool.runsHere ? 'code' : 'cli'}>
            {tool.runsHere
              ? 'in this process'
              : tool.server === undefined
                ? 'in the CLI'
                : 'in a server of its own'}
          </Badge>
          {tool.isReadOnly && <Badge tone="good">read-only</Badge>}
          <Badge tone={tool.isListed === false ? 'error' : 'neutral'}>{describeSight(tool)}</Badge>
        </p>
        {tool.description !== undefined && <p class="tool-text">{tool.description}</p>}
      </header>
      {tool.silence && (
        <aside class="tool-silence">
          <Icon name="question" />
          <div>
            <h3>{tool.calls.length === 0 ? 'Why it was not called' : 'Why it did not run'}</h3>
            <p>{tool.silence.text}</p>
            {tool.silence.advice !== undefined && <p class="soft">{tool.silence.advice}</p>}
          </div>
        </aside>
      )}
      {tool.calls.length > 0 && <Figures tool={tool} />}
      <SchemaView tool={tool} />
      <HandCallForm store={store} session={session} tool={tool} />
      {tool.calls.length > 0 && <CallList store={store} session={session} model={model} tool={tool} />}
    </div>
  );
}

function describeSight({ isListed, isDeferred }: ToolEntry): string {
  if (isListed === undefined) return 'no turn yet';
  if (!isListed) return 'not listed to the model';
  return isDeferred ? 'deferred: found by a search' : 'seen from the start';
}

function Figures({ tool }: { tool: ToolEntry }) {
  const { calls, errors, denied, handler, whole, lastError } = tool;
  return (
    <section class="tool-section" aria-label="Figures">
      <dl class="tool-figures">
        <Figure name="Calls" text={formatExact(calls.length)} />
        <Figure name="Errors" text={formatExact(errors)} tone={errors > 0 ? 'error' : undefined} />
        <Figure name="Denied" text={formatExact(denied)} tone={denied > 0 ? 'permission' : undefined} />
        {tool.runsHere && <Times name="Your code" times={handler} />}
        <Times name="Call to result" times={whole} />
      </dl>
      {lastError !== undefined && (
        <p class="tool-error">
          <span class="field-hint">Last error</span>
          {lastError}
        </p>
      )}
    </section>
  );
}

function Figure({
  name,
  text,
  tone,
}: {
  name: string;
  text: string;
  tone?: 'error' | 'permission' | undefined;
}) {
  return (
    <div class={tone && `tone-${tone} tool-figure-toned`}>
      <dt>{name}</dt>
      <dd class="number">{text}</dd>
    </div>
  );
}

function Times({ name, times }: { name: string; times: Percentiles | undefined }) {
  return (
    <div>
      <dt>
        {name} <span class="faint">p50 · p95</span>
      </dt>
      <dd class="number">
        {times ? `${formatDuration(times.p50)} · ${formatDuration(times.p95)}` : NO_NUMBER}
      </dd>
    </div>
  );
}
