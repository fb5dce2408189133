// A tool call as a card. It shows the tool, its input, the outcome and the duration; unfolded, it shows everything.
import { formatDuration } from '../../../model/format.js';
import {
  callTimes,
  completedLine,
  inputLine,
  outputLines,
  pendingLine,
  permissionLine,
  stateWord,
} from '../../../model/story/call-lines.js';
import type { CallItem } from '../../../model/story/story-item.js';
import { Icon } from '../../components/icons.js';
import { lateView } from '../../components/late-view.js';
import { SIGNS } from './call-signs.js';
import type { ItemProps } from './item-props.js';
import { MediaView } from './text-and-media.js';
import { Marked } from './text-view.js';

// Loaded on use, because few inputs are edited.
const CallEdits = lateView(async () => (await import('./call-edits.js')).CallEdits);
// Loaded on use, because it is needed only when a card is unfolded.
const CallDetails = lateView(async () => (await import('./call-details.js')).CallDetails);

export function CallCard({ item, isOpen, onToggle, ...rest }: ItemProps<CallItem>) {
  const { icon, tone } = SIGNS[item.state];
  const { whole } = callTimes(item);
  const { query } = rest;
  const word = stateWord(item);
  const isQuiet = item.state === 'done';
  return (
    <article class={`card card-${item.state} ${item.runsHere || item.server ? 'card-here' : 'card-cli'}`}>
      <h3 class="card-head">
        <button type="button" class="card-toggle" aria-expanded={isOpen} onClick={onToggle}>
          <span class={`card-sign tone-${tone}`}>
            <Icon name={icon} />
          </span>
          <span class="card-name">
            {item.agent === undefined ? item.name : 'Subagent'}
            {item.server !== undefined && <span class="card-server">{item.server}</span>}
            {item.agent !== undefined && <span class="card-server">{item.agent}</span>}
          </span>
          <bdi class="card-input">
            <Marked text={inputLine(item)} query={query} />
          </bdi>
          <span class="card-end">
            <span class={isQuiet ? 'off-screen' : `card-word tone-${tone}`}>{word}</span>
            {whole !== undefined && <span class="card-time number">{formatDuration(whole)}</span>}
            <Icon name={isOpen ? 'up' : 'down'} class="card-arrow" />
          </span>
        </button>
      </h3>
      <Steps call={item} />
      {/* A copy, because calls change in place, and a late view is drawn again only when a prop changes. */}
      {isOpen ? <CallDetails call={{ ...item }} {...rest} /> : <Preview call={item} query={query} />}
      {item.children.length > 0 && <Inside call={item} {...rest} />}
    </article>
  );
}

/** Who decided, and the parts of the time; only if there is more to show than the duration. */
function Steps({ call }: { call: CallItem }) {
  const { permission, blockedBy, progress, pending } = call;
  const completed = completedLine(call);
  const { ran } = callTimes(call);
  const waits = permission !== undefined && permission.settledT === undefined;
  const isPlain = !permission && !blockedBy && !pending && !call.ranInput;
  if (isPlain && progress === undefined && completed === undefined) return null;
  return (
    <p class="card-steps">
      {permission && (
        <span class={waits ? 'card-asks' : undefined}>
          <Icon name="person" />
          {permissionLine(permission)}
        </span>
      )}
      {call.ranInput && <CallEdits call={{ ...call }} />}
      {permission && ran !== undefined && (
        <span>
          <Icon name={call.runsHere ? 'code' : 'terminal'} />
          ran {formatDuration(ran)}
        </span>
      )}
      {pending && (
        <span>
          <Icon name="clock" />
          {pendingLine(pending)}
        </span>
      )}
      {completed !== undefined && (
        <span>
          <Icon name="check" />
          {completed}
        </span>
      )}
      {blockedBy && (
        <span>
          <Icon name="lock" />
          blocked by the hook {blockedBy.hook}: {blockedBy.reason}
        </span>
      )}
      {progress !== undefined && <span>{progress}</span>}
    </p>
  );
}

/** The outcome of a folded call: the first lines of its output, and its images. */
function Preview({ call, query }: { call: CallItem; query: string }) {
  const images = call.output.flatMap((part) => (part.type === 'image' ? part : []));
  const line = outputLines({ ...call, output: call.output.filter((part) => part.type !== 'image') });
  const reason = call.state === 'denied' ? call.permission?.message : undefined;
  // For a call that was cut off or refused by a hook, the output is only an instruction to the model.
  const text = reason ?? (call.blockedBy || (call.state === 'cut' && !call.completed) ? '' : line);
  if (text === '' && images.length === 0) return null;
  return (
    <div class="card-preview">
      {text !== '' && (
        <p class={call.state === 'failed' ? 'card-output card-error' : 'card-output'}>
          <Marked text={text} query={query} />
        </p>
      )}
      {images.map((image, index) => (
        <MediaView key={index} media={image} name={call.name} />
      ))}
    </div>
  );
}

function Inside({ call, isFolded, onFold }: { call: CallItem; isFolded: boolean; onFold: () => void }) {
  const count = call.children.length;
  return (
    <button type="button" class="card-inside" aria-expanded={!isFolded} onClick={onFold}>
      <Icon name={isFolded ? 'right' : 'down'} />
      {isFolded ? 'Show' : 'Hide'} {count === 1 ? 'its one step' : `its ${count} steps`}
    </button>
  );
}
