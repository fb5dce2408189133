// The recorded calls of a tool, newest first. Each can be shown on the wire. A call that reached this process can be repeated
// with the tool as it is now.
import { useSignal } from '@preact/signals';
import { formatCountOf, formatClock, formatDuration, NO_NUMBER } from '../../../model/format.js';
import type { SessionModel } from '../../../model/session-model.js';
import { wordOfCall } from '../../../model/tools/call-word.js';
import type { ObservedCall, ToolEntry } from '../../../model/tools/tool-entry.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import type { Store } from '../../store/store.js';
import { SIGNS } from '../story/call-signs.js';
import { noCallBecause } from './call-tool.js';
import { Replay } from './replay.js';

const AT_ONCE = 20;

export interface CallListProps {
  store: Store;
  session: string;
  model: SessionModel;
  tool: ToolEntry;
}

export function CallList({ store, session, model, tool }: CallListProps) {
  const shown = useSignal(AT_ONCE);
  const replayed = useSignal<string | undefined>(undefined);
  const calls = tool.calls.slice(-shown.value).toReversed();
  const rest = tool.calls.length - calls.length;
  return (
    <section class="tool-section" aria-label="Calls">
      <h3>Calls by the model</h3>
      <ol class="call-list">
        {calls.map((call) => (
          <li key={call.toolUseId}>
            <CallRow
              store={store}
              session={session}
              model={model}
              tool={tool}
              call={call}
              isReplayed={replayed.value === call.toolUseId}
              onReplay={() => {
                replayed.value = replayed.value === call.toolUseId ? undefined : call.toolUseId;
              }}
            />
          </li>
        ))}
      </ol>
      {rest > 0 && (
        <button
          type="button"
          class="text-button"
          onClick={() => {
            shown.value += AT_ONCE * 5;
          }}
        >
          {formatCountOf(rest, 'earlier call')}
        </button>
      )}
    </section>
  );
}

interface CallRowProps extends CallListProps {
  call: ObservedCall;
  isReplayed: boolean;
  onReplay: () => void;
}

function CallRow({ store, session, model, tool, call, isReplayed, onReplay }: CallRowProps) {
  const { word, state } = wordOfCall(model.story, call);
  const off =
    noCallBecause(store, tool) ??
    (call.requestN === undefined ? 'This call did not reach the tool' : undefined);
  return (
    <>
      <div class="call-row">
        <span class="number soft">{formatClock(call.t)}</span>
        <Badge tone={SIGNS[state].tone}>{word}</Badge>
        <span class="number call-times" title="The time in your code, of that from the call to its result">
          {formatTimes(call)}
        </span>
        <Button
          look="plain"
          icon="wire"
          label="Show the call on the wire"
          onClick={() => {
            store.shownEvent.value = { session, n: call.requestN ?? call.n };
          }}
        />
        {tool.runsHere && (
          <Button icon="swap" offBecause={off} isExpanded={isReplayed} onClick={onReplay}>
            Replay
          </Button>
        )}
      </div>
      {call.error !== undefined && call.error !== '' && <p class="call-error">{call.error}</p>}
      {isReplayed && <Replay store={store} session={session} tool={tool} call={call} />}
    </>
  );
}

function formatTimes({ handlerMs, wholeMs }: ObservedCall): string {
  if (wholeMs === undefined) return handlerMs === undefined ? NO_NUMBER : formatDuration(handlerMs);
  if (handlerMs === undefined) return formatDuration(wholeMs);
  return `${formatDuration(handlerMs)} of ${formatDuration(wholeMs)}`;
}
