// The frame of every card: who asks, what for, how long the question has waited, and why the last answer failed.
import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { formatDuration } from '../../model/format.js';
import { splitToolName } from '../../model/story/tool-name.js';
import { writePath } from '../../model/form/value-path.js';
import type { Question, PersonQuestionKind } from '../../stream/question.js';
import { Badge } from '../components/badge.js';
import type { Tone } from '../components/tone.js';
import { Icon, type IconName } from '../components/icons.js';
import type { CardUse } from './answer-card.js';
import { questionKey } from './card-draft.js';
import { FieldsOutOfSight } from './fields-out-of-sight.js';

const KINDS: Readonly<Record<PersonQuestionKind, { word: string; icon: IconName; tone: Tone }>> = {
  permission: { word: 'Permission', icon: 'lock', tone: 'permission' },
  'ask-user': { word: 'Question from the model', icon: 'question', tone: 'model' },
  elicitation: { word: 'Question from a server', icon: 'question', tone: 'code' },
  dialog: { word: 'Dialog from the CLI', icon: 'terminal', tone: 'cli' },
  held: { word: 'Held call', icon: 'clock', tone: 'code' },
  pending: { word: 'Pending call', icon: 'clock', tone: 'code' },
};

export interface CardFrameProps {
  use: CardUse;
  children: ComponentChildren;
}

export function CardFrame({ use, children }: CardFrameProps) {
  const { question, draft } = use;
  const { kind, title } = question;
  const { word, icon, tone } = KINDS[kind];
  const { state } = draft.value;
  const id = cardId(question);
  return (
    <article
      class={`qcard tone-${tone} ${state === 'open' ? '' : 'qcard-busy'}`}
      id={id}
      data-question={question.id}
      data-kind={kind}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      aria-busy={state === 'sending'}
    >
      <header class="qcard-head">
        <div class="qcard-line">
          <Badge tone={tone}>
            <Icon name={icon} />
            {word}
          </Badge>
          {kind !== 'ask-user' && <Subject question={question} />}
          <Waiting use={use} />
        </div>
        <h3 class="qcard-title" id={`${id}-title`} dir="auto">
          {title}
        </h3>
      </header>
      {children}
    </article>
  );
}

export interface CardPartsProps {
  use: CardUse;
  /** The input, or the fields of the answer. */
  children?: ComponentChildren;
  /** The buttons, and what one must know before one presses them. */
  foot: ComponentChildren;
}

/** What stands below the title of a card: a part that scrolls if it is long, and the buttons, which are always visible. */
export function CardParts({ use, children, foot }: CardPartsProps) {
  const { question, draft } = use;
  const { title, description, canAnswer } = question;
  const body = useRef<HTMLDivElement>(null);
  return (
    <>
      <div ref={body} class="qcard-body">
        {description !== undefined && description !== title && (
          <p class="qcard-text" dir="auto">
            {description}
          </p>
        )}
        <Facts use={use} />
        {children}
      </div>
      <FieldsOutOfSight box={body} />
      <div class="qcard-foot">
        <CardError use={use} />
        {canAnswer ? foot : <p class="qcard-off">{whyOff(use)}</p>}
        {draft.value.state === 'sent' && <p class="qcard-sent">Sent.</p>}
      </div>
    </>
  );
}

/** The id of a card's element. */
export function cardId(question: Question): string {
  return `card-${encodeURIComponent(questionKey(question))}`;
}

/** Why the page cannot answer now. */
export function whyOff({ store }: CardUse): string {
  if (store.source.kind === 'embedded') return 'This page is a file: nothing can be answered here.';
  if (store.end.value) return 'Nothing is behind this page any more: answer it elsewhere.';
  return store.state.value?.isReadOnly
    ? 'This page is read-only: answer it elsewhere.'
    : 'Only the program itself can answer this.';
}

function Subject({ question }: { question: Question }) {
  const { server, name } = splitToolName(question.subject);
  return (
    <span class="qcard-subject">
      <code>{name}</code>
      {server !== undefined && (
        <span class="soft">
          {' '}
          of <bdi>{server}</bdi>
        </span>
      )}
    </span>
  );
}

function Waiting({ use: { store, question } }: { use: CardUse }) {
  const text = useComputed(() => {
    const session = store.sessions.value.find(({ id }) => id === question.session);
    const ms = session && store.clock.waitOf(session, question.askedAt);
    const seconds = Math.round((ms ?? 0) / 1000);
    return seconds === 0 ? '0 s' : formatDuration(seconds * 1000);
  });
  return (
    <span class="qcard-wait number" title="Waiting time">
      <Icon name="clock" />
      <span class="off-screen">waits </span>
      {text}
    </span>
  );
}

function Facts({ use: { store, question } }: { use: CardUse }) {
  const { reason, agentId, attempt, session } = question;
  const isOther = session !== store.selected.value;
  const summary = store.sessions.value.find(({ id }) => id === session);
  const facts: Array<readonly [string, ComponentChildren]> = [
    ['Why it asks', reason],
    ['Path', question.blockedPath],
    ['Subagent', agentId],
    [
      'Session',
      isOther && (
        <button type="button" class="text-button" onClick={() => store.open(session, 'story')}>
          <bdi>{summary?.title ?? session}</bdi>
        </button>
      ),
    ],
    ['Asked', attempt > 1 ? `for the ${ordinal(attempt)} time: it was cut off before` : undefined],
  ];
  const known = facts.filter(([, value]) => value !== undefined && value !== '' && value !== false);
  if (known.length === 0) return null;
  return (
    <dl class="qcard-facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function ordinal(count: number): string {
  return ({ 2: 'second', 3: 'third' } as Record<number, string>)[count] ?? `${count}th`;
}

function CardError({ use: { draft } }: { use: CardUse }) {
  const { error } = draft.value;
  if (!error) return null;
  const issues = error.issues ?? [];
  return (
    <div class="qcard-error" role="alert">
      <Icon name="warning" />
      <div>
        <p dir="auto">{error.message}</p>
        {issues.length > 0 && (
          <ul>
            {issues.map(({ path, message }) => (
              <li key={writePath(path) + message}>
                <code>{writePath(path) || 'The input'}</code> {message}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
