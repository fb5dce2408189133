// One line of the outline: a turn with its figures, or a call or an error in it.
import { callTimes, inputLine, stateWord } from '../../../../model/story/call-lines.js';
import type { SessionModel } from '../../../../model/session-model.js';
import { figuresOfTurn, type OutlineTurn } from '../../../../model/story/outline.js';
import type { StoryItem } from '../../../../model/story/story-item.js';
import { formatCountOf, formatDuration } from '../../../../model/format.js';
import { Icon } from '../../../components/icons.js';
import type { Store } from '../../../store/store.js';
import { SIGNS } from '../call-signs.js';

export interface TurnLineProps {
  store: Store;
  model: SessionModel;
  turn: OutlineTurn;
  isOpen: boolean;
  /** How many items of the turn the search found; undefined without a search. */
  found: number | undefined;
  onFold: () => void;
  onGo: () => void;
  /** Changes with each batch of events. Items change in place, and a component is drawn again only when a prop changes. */
  revision: number;
}

export function TurnLine({ store, model, turn, isOpen, found, onFold, onGo }: TurnLineProps) {
  const { number, prompt, entries, answer } = turn;
  const name = number === 0 ? 'Before the first turn' : `Turn ${number}`;
  const isLast = number === model.time.turns.length;
  // Only the time of an open turn goes on.
  const now =
    isLast && !answer ? (store.figures.value?.durationMs ?? model.time.durationMs) : model.time.durationMs;
  const { calls, errors, durationMs } = figuresOfTurn(model, turn, now);
  return (
    <div class="outline-turn">
      {entries.length > 0 && (
        <button
          type="button"
          class="outline-fold"
          tabIndex={-1}
          aria-expanded={isOpen}
          aria-label={`Calls of turn ${number}`}
          onClick={onFold}
        >
          <Icon name={isOpen ? 'down' : 'right'} />
        </button>
      )}
      <button type="button" class="outline-go" tabIndex={-1} onClick={onGo}>
        <span class="outline-title">
          {number > 0 && <span class="outline-number number">{`${number} `}</span>}
          {/* What is cut off is the end of the text, in its own direction. */}
          <bdi class="outline-words cut">{prompt === undefined ? name : firstLine(prompt.text)}</bdi>
        </span>
        <span class="outline-facts number">
          {found !== undefined && <span class="outline-found">{`${found} found`}</span>}
          {calls > 0 && <span>{formatCountOf(calls, 'call')}</span>}
          {errors > 0 && <span class="outline-errors">{formatCountOf(errors, 'error')}</span>}
          <span>{formatDuration(durationMs)}</span>
        </span>
      </button>
    </div>
  );
}

export interface EntryLineProps {
  entry: StoryItem;
  onGo: () => void;
  /** As above. */
  revision: number;
}

export function EntryLine({ entry, onGo }: EntryLineProps) {
  const depth = Math.min(entry.depth, 4);
  if (entry.kind !== 'call')
    return (
      <button
        type="button"
        class="outline-entry tone-error"
        style={{ '--depth': depth }}
        tabIndex={-1}
        onClick={onGo}
      >
        <Icon name="warning" />
        <bdi class="outline-name cut">{wordsOf(entry)}</bdi>
      </button>
    );
  const { icon, tone } = SIGNS[entry.state];
  const { whole } = callTimes(entry);
  return (
    <button
      type="button"
      class={`outline-entry tone-${tone}`}
      style={{ '--depth': depth }}
      tabIndex={-1}
      onClick={onGo}
    >
      <Icon name={icon} />
      <span class="off-screen">{stateWord(entry)}</span>
      <span class="outline-name">{entry.agent ?? entry.name}</span>
      <bdi class="outline-input cut">{inputLine(entry)}</bdi>
      {whole !== undefined && <span class="outline-time number">{formatDuration(whole)}</span>}
    </button>
  );
}

function wordsOf(item: StoryItem): string {
  if (item.kind === 'answer')
    return item.text === '' ? item.subtype.replaceAll('_', ' ') : firstLine(item.text);
  return 'text' in item ? firstLine(item.text) : 'Error';
}

function firstLine(text: string): string {
  return text.trimStart().split('\n', 1)[0]?.slice(0, 200) ?? '';
}
