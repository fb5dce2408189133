// The list of tools, by server.
import type { Signal } from '@preact/signals';
import { formatCountOf, formatDuration } from '../../../model/format.js';
import type { ServerEntry, ToolEntry } from '../../../model/tools/tool-entry.js';
import { Badge, StateMark } from '../../components/badge.js';
import type { Tone } from '../../components/tone.js';
import { Icon } from '../../components/icons.js';

export interface ToolListProps {
  groups: ReadonlyArray<{ server: ServerEntry | undefined; tools: readonly ToolEntry[] }>;
  filter: Signal<string>;
  chosen: string | undefined;
  onChoose: (toolName: string) => void;
}

export function ToolList({ groups, filter, chosen, onChoose }: ToolListProps) {
  return (
    <div class="tool-list">
      <label class="tool-filter">
        <Icon name="search" />
        <span class="off-screen">Filter the tools</span>
        <input
          id="tools-filter"
          type="search"
          placeholder="Filter by name or description"
          autocomplete="off"
          value={filter.value}
          onInput={(event) => {
            filter.value = event.currentTarget.value;
          }}
        />
      </label>
      {groups.length === 0 && <p class="tool-none">No tool matches “{filter.value}”.</p>}
      {groups.map(({ server, tools }) => (
        <section key={server?.name ?? ''} class="tool-group" aria-label={server?.name ?? 'Tools of the CLI'}>
          <GroupHead server={server} count={tools.length} />
          <ul>
            {tools.map((tool) => (
              <li key={tool.toolName}>
                <ToolRow tool={tool} isChosen={tool.toolName === chosen} onChoose={onChoose} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

const STATUS_TONES: Readonly<Record<string, Tone>> = {
  connected: 'good',
  pending: 'permission',
  announced: 'neutral',
  failed: 'error',
  'needs-auth': 'permission',
  disabled: 'neutral',
};

// The status comes from the CLI and may be any text.
function toneOf(status: string): Tone {
  return (Object.hasOwn(STATUS_TONES, status) ? STATUS_TONES[status] : undefined) ?? 'neutral';
}

function GroupHead({ server, count }: { server: ServerEntry | undefined; count: number }) {
  return (
    <header class="tool-group-head">
      <h2>{server?.name ?? 'Claude CLI'}</h2>
      {server && <StateMark tone={toneOf(server.status)}>{server.status}</StateMark>}
      <span class="soft small">
        {server?.runsHere && 'in this process · '}
        {formatCountOf(count, 'tool')}
      </span>
      {server?.error !== undefined && <p class="tool-group-error">{server.error}</p>}
    </header>
  );
}

function ToolRow({
  tool,
  isChosen,
  onChoose,
}: {
  tool: ToolEntry;
  isChosen: boolean;
  onChoose: (toolName: string) => void;
}) {
  const { name, description, calls, errors, denied, handler, whole, isListed, isDeferred } = tool;
  const time = handler ?? whole;
  return (
    <button
      type="button"
      class="tool-row"
      id={`tool-${tool.toolName}`}
      aria-current={isChosen ? 'true' : undefined}
      onClick={() => onChoose(tool.toolName)}
    >
      <span class="tool-row-name">
        <code>{name}</code>
        {isListed === false && <Badge tone="error">not listed</Badge>}
        {isDeferred && <Badge tone="neutral">deferred</Badge>}
        {errors > 0 && <Badge tone="error">{formatCountOf(errors, 'error')}</Badge>}
        {denied > 0 && <Badge tone="permission">{denied} denied</Badge>}
      </span>
      <span class="tool-row-figures number">
        {calls.length === 0 ? (
          <span class="faint">not called</span>
        ) : (
          <>
            {formatCountOf(calls.length, 'call')}
            {time && <span class="soft"> · {formatDuration(time.p50)}</span>}
          </>
        )}
      </span>
      {description !== undefined && <span class="tool-row-text cut">{description}</span>}
    </button>
  );
}
