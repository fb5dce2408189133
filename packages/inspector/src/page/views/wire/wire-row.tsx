// One line of the wire: an arrow between the program and the CLI with the name of the event, and a summary. In a narrow window
// the arrow is a symbol, and the summary has its own line.
import { describeRun } from '../../../model/wire/wire-runs.js';
import type { WireEntry, WireRow, WireRun } from '../../../model/wire/wire-row.js';
import { formatBytes, formatClock, formatDuration } from '../../../model/format.js';
import { Badge } from '../../components/badge.js';
import { Icon } from '../../components/icons.js';

/** The direction in words, for screen readers. */
const DIRECTION_WORDS = { in: 'from the CLI', out: 'to the CLI', none: 'on this side' } as const;

interface TimeSpan {
  from: number;
  to: number;
}

interface LineProps {
  /** From a request to its reply, for both of them, or from the first to the last piece of an answer. */
  span: TimeSpan | undefined;
  /** For a request: whether its reply is an error. */
  hasFailed: boolean;
  /** Goes from a request to its reply, and back. */
  onJump: () => void;
  onToggle: (run: WireRun) => void;
  /** Is called with its bar when it is drawn. */
  placeBar: (bar: HTMLElement | null) => void;
  isOpen: boolean;
}

export function WireLine({ entry, ...props }: LineProps & { entry: WireEntry }) {
  return entry.kind === 'run' ? <RunLine run={entry} {...props} /> : <RowLine row={entry} {...props} />;
}

function RowLine({ row, span, hasFailed, placeBar, onJump }: LineProps & { row: WireRow }) {
  const tone = row.isError ? 'error' : row.tone === 'plain' ? 'accent' : row.tone;
  return (
    <div class={`wire-line wire-${row.direction} tone-${tone} ${row.run ? 'wire-piece' : ''}`}>
      <Times t={row.t} since={row.since} />
      <span class="wire-lane">
        <Arrow direction={row.direction} />
        <span class="wire-event">
          {row.isError && <Icon name="warning" />}
          <span class="cut">{row.event}</span>
          {row.isError && <span class="off-screen">, error</span>}
        </span>
      </span>
      <span class="wire-text">
        {span && <Jump span={span} isReply={row.answers !== undefined} onJump={onJump} />}
        <bdi class="wire-summary cut">{row.summary}</bdi>
        {row.isHidden && <Badge tone="permission">redacted</Badge>}
      </span>
      <Bar
        span={row.answers === undefined ? span : undefined}
        t={row.t}
        placeBar={placeBar}
        hasFailed={hasFailed}
      />
      <Size bytes={row.bytes} />
    </div>
  );
}

function RunLine({ run, span, placeBar, onToggle, isOpen }: LineProps & { run: WireRun }) {
  return (
    <div class="wire-line wire-in wire-run tone-model">
      <Times t={run.t} since={run.since} />
      <span class="wire-lane">
        <Arrow direction="in" />
        <span class="wire-event">
          <button
            type="button"
            class="wire-fold"
            aria-expanded={isOpen}
            aria-label={isOpen ? 'Fold the pieces' : 'Show the pieces'}
            tabIndex={-1}
            onClick={(event) => {
              event.stopPropagation();
              onToggle(run);
            }}
          >
            <Icon name={isOpen ? 'down' : 'right'} />
          </button>
          <span class="cut">streamed</span>
        </span>
      </span>
      <span class="wire-text">
        {run.endT > run.t && <span class="wire-after">{formatDuration(run.endT - run.t)}</span>}
        <bdi class="wire-summary cut">{describeRun(run)}</bdi>
      </span>
      <Bar span={span} t={run.t} placeBar={placeBar} />
      <Size bytes={run.bytes} />
    </div>
  );
}

/** How long it was from the request to the reply. A click goes to the other one. */
function Jump({ span, isReply, onJump }: { span: TimeSpan; isReply: boolean; onJump: () => void }) {
  return (
    <button
      type="button"
      class="wire-after wire-jump"
      title={isReply ? 'To the request (r)' : 'To the reply (r)'}
      aria-label={`${isReply ? 'To the request' : 'To the reply'}, ${formatDuration(span.to - span.from)}`}
      tabIndex={-1}
      onClick={(event) => {
        event.stopPropagation();
        onJump();
      }}
    >
      {`${isReply ? '↑' : '↓'} ${formatDuration(span.to - span.from)}`}
    </button>
  );
}

interface BarProps extends Pick<LineProps, 'span' | 'placeBar'> {
  t: number;
  hasFailed?: boolean;
}

/** A bar from request to reply, or a tick for any other line. */
function Bar({ span, t, placeBar, hasFailed = false }: BarProps) {
  const { from, to } = span ?? { from: t, to: t };
  return (
    <span class="wire-fall" aria-hidden="true">
      <span
        class={`${span ? 'wire-fall-bar' : 'wire-fall-tick'} ${hasFailed ? 'tone-error' : ''}`}
        ref={placeBar}
        data-begin={from}
        data-end={to}
      />
    </span>
  );
}

function Times({ t, since }: { t: number; since: number }) {
  return (
    <>
      <span class="wire-time number">{formatClock(t, 3)}</span>
      <span class="wire-since number">+{formatDuration(since)}</span>
    </>
  );
}

function Size({ bytes }: { bytes: number | undefined }) {
  return <span class="wire-size number">{bytes === undefined ? '' : formatBytes(bytes)}</span>;
}

function Arrow({ direction }: { direction: WireRow['direction'] }) {
  return (
    <span class="wire-arrow">
      <span class="off-screen">{DIRECTION_WORDS[direction]}: </span>
    </span>
  );
}
