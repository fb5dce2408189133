// The view "tools": the tools of the servers and of the CLI, each with what the model sees of it, its calls, and a form to
// call it by hand.
import type { ServerEntry, ToolEntry } from '../../../model/tools/tool-entry.js';
import { listToolEntries } from '../../../model/tools/list-entries.js';
import { Empty } from '../../components/empty.js';
import { Split } from '../../components/split.js';
import { useKeys } from '../../components/use-keys.js';
import { fitsMedia, NO_SPLIT } from '../../components/fits-media.js';
import { defineKeys } from '../../store/keys.js';
import type { Store } from '../../store/store.js';
import { ToolDetail } from './tool-detail.js';
import { ToolList } from './tool-list.js';
import { toolsState } from './tools-state.js';

const KEYS = defineKeys('Tools', {
  next: { keys: ['j', 'ArrowDown'], says: 'Next tool' },
  previous: { keys: ['k', 'ArrowUp'], says: 'Previous tool' },
  filter: { keys: ['/'], says: 'Filter the tools' },
});

export function ToolsView({ store }: { store: Store }) {
  const current = store.current.value;
  const session = store.selected.value ?? '';
  // The model is not a signal. Reading the revision makes the view be drawn again when the model changes.
  const overview =
    current && current.revision.value >= 0 ? current.model.tools.read(listToolEntries) : undefined;
  const { filter, chosen } = toolsState(store);
  const groups = overview ? filterTools(overview, filter.value) : [];
  const shown = groups.flatMap(({ tools }) => tools);
  const name = chosen.value[session];
  // If there is room beside the list, the first tool is shown rather than an empty place.
  const first = fitsMedia(NO_SPLIT) ? undefined : shown[0];
  const tool = shown.find((each) => each.toolName === name) ?? first;
  const choose = (next: string | undefined): void => {
    const { [session]: _, ...others } = chosen.value;
    chosen.value = next === undefined ? others : { ...others, [session]: next };
  };
  const move = (by: number): void => {
    const next =
      shown[Math.max(0, Math.min(shown.length - 1, shown.findIndex((each) => each === tool) + by))];
    if (!next) return;
    choose(next.toolName);
    document.getElementById(`tool-${next.toolName}`)?.scrollIntoView({ block: 'nearest' });
  };
  useKeys(KEYS, {
    next: () => move(1),
    previous: () => move(-1),
    filter: () => document.getElementById('tools-filter')?.focus(),
  });
  if (overview && overview.servers.length === 0 && overview.cliTools.length === 0)
    return (
      <section class="view view-tools" aria-label="tools">
        <Empty icon="tools" title="No tools yet">
          They appear once the CLI knows them, or has begun a turn.
        </Empty>
      </section>
    );
  return (
    <section class="view view-tools" aria-label="tools">
      <Split
        label={tool ? `Tool ${tool.name}` : 'Tool'}
        onBack={() => choose(undefined)}
        list={<ToolList groups={groups} filter={filter} chosen={tool?.toolName} onChoose={choose} />}
        detail={
          current &&
          tool && (
            <ToolDetail
              key={tool.toolName}
              store={store}
              session={session}
              model={current.model}
              tool={tool}
            />
          )
        }
      />
    </section>
  );
}

/** A server's tools, or those of the CLI. */
export interface ToolGroup {
  /** Undefined for the CLI. */
  server: ServerEntry | undefined;
  tools: ToolEntry[];
}

function filterTools(
  { servers, cliTools }: { servers: ServerEntry[]; cliTools: ToolEntry[] },
  filter: string,
): ToolGroup[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ toolName, description = '', title = '' }: ToolEntry): boolean => {
    const text = `${toolName} ${title} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const groups: ToolGroup[] = [
    ...servers.map((server) => ({ server, tools: server.tools.filter(fits) })),
    { server: undefined, tools: byUse(cliTools.filter(fits)) },
  ];
  // A server without tools is shown only without a filter.
  return groups.filter(
    ({ server, tools }) => tools.length > 0 || (server !== undefined && words.length === 0),
  );
}

/** Sorts the CLI's many tools: those that were called most come first. */
function byUse(tools: readonly ToolEntry[]): ToolEntry[] {
  return tools.toSorted((one, other) => other.calls.length - one.calls.length);
}
