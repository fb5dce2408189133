// Draws the items between the calls: prompts, thoughts, texts, marks and the ends of turns.
import { formatCount, formatDuration, formatMoney, formatCountOf } from '../../../model/format.js';
import type { AnswerItem, MarkItem, PromptStoryItem, TextItem } from '../../../model/story/story-item.js';
import { Icon, type IconName } from '../../components/icons.js';
import { lateView } from '../../components/late-view.js';
import { LongText, MediaView } from './text-and-media.js';
import type { ItemProps } from './item-props.js';
import { Marked, TextView } from './text-view.js';

// Loaded on use, because few answers have a structured output.
const JsonView = lateView(async () => (await import('../../components/json-view.js')).JsonView);

export function PromptEntry({ item, turn, query }: ItemProps<PromptStoryItem>) {
  return (
    <article class={item.isFromCli ? 'prompt prompt-cli' : 'prompt'}>
      <h2 class="prompt-head">
        {item.isFromCli ? 'Claude Code adds' : item.depth > 0 ? 'Told to the subagent' : 'Prompt'}
        {turn !== undefined && <span class="prompt-turn number">turn {turn}</span>}
      </h2>
      {item.isFromCli ? (
        <LongText text={item.text} query={query} />
      ) : (
        <p class="prompt-text" dir="auto">
          <Marked text={item.text} query={query} />
        </p>
      )}
      {item.media.map((media, index) => (
        <MediaView key={index} media={media} name="the prompt" />
      ))}
    </article>
  );
}

export function ThinkingEntry({ item, isOpen, onToggle, query }: ItemProps<TextItem>) {
  const took = item.endT === undefined ? undefined : formatDuration(item.endT - item.t);
  const text = item.text.trim();
  return (
    <article class="thinking">
      <h3>
        <button type="button" class="thinking-toggle" aria-expanded={isOpen} onClick={onToggle}>
          <Icon name="spark" />
          <span class="thinking-word">{took === undefined ? 'Thinking' : `Thought for ${took}`}</span>
          {!isOpen && <bdi class="thinking-line">{firstLine(text)}</bdi>}
          <Icon name={isOpen ? 'up' : 'down'} class="card-arrow" />
        </button>
      </h3>
      {isOpen && (
        <div class="thinking-text">
          <TextView text={text === '' ? 'The model does not show this thought.' : text} query={query} />
        </div>
      )}
    </article>
  );
}

export function TextEntry({ item, query }: ItemProps<TextItem>) {
  return (
    <article class={item.isError ? 'said said-error' : item.isStreaming ? 'said said-live' : 'said'}>
      <h3 class="off-screen">{item.isError ? 'API error' : 'Claude'}</h3>
      <TextView text={item.text} query={query} />
      {item.isStreaming && <span class="off-screen">still writing</span>}
      {item.isBrokenOff && <p class="soft small">The stream broke off here.</p>}
    </article>
  );
}

const MARK_ICONS: Readonly<Record<MarkItem['what'], IconName>> = {
  start: 'play',
  restart: 'back',
  compaction: 'filter',
  retry: 'back',
  interrupt: 'stop',
  model: 'swap',
  mode: 'lock',
  hook: 'lock',
  task: 'clock',
  warning: 'warning',
  fault: 'warning',
  gap: 'minus',
  note: 'terminal',
  end: 'stop',
};

export function MarkEntry({ item, isOpen, onToggle, query }: ItemProps<MarkItem>) {
  const { what, text, detail, isError } = item;
  const line = (
    <>
      <Icon name={isError ? 'warning' : MARK_ICONS[what]} />
      <span class="mark-text">
        <Marked text={text} query={query} />
      </span>
    </>
  );
  return (
    <article class={isError ? 'mark mark-error' : 'mark'} aria-label={isError ? `Error: ${text}` : text}>
      {detail === undefined ? (
        <p class="mark-line">{line}</p>
      ) : (
        <button type="button" class="mark-line" aria-expanded={isOpen} onClick={onToggle}>
          {line}
          <Icon name={isOpen ? 'up' : 'down'} class="card-arrow" />
        </button>
      )}
      {isOpen && detail !== undefined && (
        <div class="mark-detail">
          <LongText text={detail} query={query} />
        </div>
      )}
    </article>
  );
}

export function AnswerEntry({ item, query }: ItemProps<AnswerItem>) {
  const { ok, isInterrupted, text, isRepeated, output, tokens } = item;
  const facts = [
    formatDuration(item.durationMs),
    item.turns > 0 ? formatCountOf(item.turns, 'step') : undefined,
    tokens.input + tokens.cacheRead + tokens.output > 0
      ? `${formatCount(tokens.input + tokens.cacheRead + tokens.cacheWrite)} tokens in, ${formatCount(tokens.output)} out`
      : undefined,
    item.costUsd === undefined ? undefined : formatMoney(item.costUsd),
  ];
  const word = ok ? 'Done' : isInterrupted ? 'Stopped' : `Failed: ${item.subtype.replaceAll('_', ' ')}`;
  return (
    <article class={`answer answer-${ok ? 'good' : isInterrupted ? 'stopped' : 'error'}`}>
      {text !== '' && !isRepeated && (
        <div class="answer-text">
          <TextView text={text} query={query} />
        </div>
      )}
      {output !== undefined && <JsonView value={output} copyLabel="Copy the answer" />}
      <p class="answer-facts number">
        <span class="answer-word">
          <Icon name={ok ? 'check' : isInterrupted ? 'stop' : 'warning'} />
          {word}
        </span>
        {facts.map((fact) => fact !== undefined && <span key={fact}>{fact}</span>)}
      </p>
    </article>
  );
}

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(0, end);
}
