// One line of the wire: an arrow between the program and the CLI with the name of the event, and a summary. In a narrow window
// the arrow is a symbol, and the summary has its own line.
import { describeRun } from '../../../model/wire/wire-runs.js';
import type { WireEntry, WireRow, WireRun } from '../../../model/wire/wire-row.js';
import { formatBytes, formatClock, formatDuration } from '../../../model/format.js';
import { Badge } from '../../components/badge.js';
import { Icon } from '../../components/icons.js';

/** The direction in words, for screen readers. */
const DIRECTION_WORDS = { in: 'from the CLI', out: 'to the CLI', none: 'on this side' } as const;

interface LineProps {
  /** For an answer: the milliseconds since its question. */
  answeredAfter: number | undefined;
  onToggle: (run: WireRun) => void;
  isOpen: boolean;
}

export function WireLine({ entry, ...props }: LineProps & { entry: WireEntry }) {
  return entry.kind === 'run' ? <RunLine run={entry} {...props} /> : <RowLine row={entry} {...props} />;
}

function RowLine({ row, answeredAfter }: LineProps & { row: WireRow }) {
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
        {answeredAfter !== undefined && <span class="wire-after">{formatDuration(answeredAfter)}</span>}
        <span class="wire-summary cut">{row.summary}</span>
        {row.isHidden && <Badge tone="permission">redacted</Badge>}
      </span>
      <Size bytes={row.bytes} />
    </div>
  );
}

function RunLine({ run, onToggle, isOpen }: LineProps & { run: WireRun }) {
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
        <span class="wire-summary cut">{describeRun(run)}</span>
      </span>
      <Size bytes={run.bytes} />
    </div>
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
