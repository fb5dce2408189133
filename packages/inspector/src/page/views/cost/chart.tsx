// A small chart with labelled axes: columns, stacked if there are several series. It is one stop in the tab order; arrow keys
// move from column to column, and the exact numbers are shown above.
import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { makeScale } from '../../../model/cost/chart-scale.js';

/** One kind of number in every column. */
export interface Series {
  name: string;
  /** The class that colours it. */
  look: string;
  values: readonly number[];
}

export interface ChartProps {
  title: string;
  /** What the horizontal axis counts, as in "turn". */
  counts: string;
  /** The name of each column, as in `turn 3`. */
  names: readonly string[];
  series: readonly Series[];
  /** Formats a value exactly. */
  exact: (value: number) => string;
  /** Formats a value for the axis. */
  short: (value: number) => string;
  /** A horizontal line and its name. */
  limit?: { value: number; name: string } | undefined;
  /** Vertical lines before columns, and their names. */
  marks?: readonly { before: number; name: string }[] | undefined;
  /** Whether the values are running totals. Then there are no gaps between the columns. */
  isRunning?: boolean | undefined;
}

const SIZE = 100;
/** The greatest width of a column, if the plot is `SIZE` wide. */
const WIDEST = 18;
/** Up to this many columns, each has its name below. */
const MOST_NAMED = 4;

/** A chart, or the figure alone if there is only one column: a single block shows nothing. */
export function Chart(props: ChartProps) {
  return props.names.length === 1 ? <OneFigure {...props} /> : <Columned {...props} />;
}

function OneFigure({ title, names, series, exact }: ChartProps) {
  const id = useId();
  return (
    <figure class="chart chart-one" aria-labelledby={id}>
      <figcaption id={id} class="chart-title">
        {title}
      </figcaption>
      <p class="chart-figure number">{exact(sumAt(series, 0))}</p>
      {series.length > 1 && (
        <ul class="chart-parts small soft number">
          {series.map(({ name, values }) => (
            <li key={name}>
              {exact(values[0] ?? 0)} {name}
            </li>
          ))}
        </ul>
      )}
      <p class="soft small">There is only {names[0]}.</p>
    </figure>
  );
}

function Columned(props: ChartProps) {
  const { title, names, series, short, limit, marks = [] } = props;
  const active = useSignal<number | undefined>(undefined);
  const id = useId();
  const totals = names.map((_, index) => sumAt(series, index));
  const scale = makeScale(Math.max(0, ...totals, limit?.value ?? 0));
  const step = (by: number): void => {
    const from = active.value ?? (by > 0 ? -1 : names.length);
    active.value = Math.max(0, Math.min(names.length - 1, from + by));
  };
  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption id={id} class="chart-title">
        {title}
      </figcaption>
      <p class="chart-says number small" aria-live="polite">
        {active.value === undefined ? describeRange(props, totals) : describeColumn(props, active.value)}
      </p>
      <div
        class="chart-body"
        tabIndex={0}
        role="group"
        aria-roledescription="chart"
        aria-label={`${title}, ${names.length} columns. Left and right arrow keys read out their values.`}
        onKeyDown={(event) => {
          const by = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
          if (by === undefined) return;
          event.preventDefault();
          step(by);
        }}
        onBlur={() => {
          active.value = undefined;
        }}
        onPointerMove={(event) => {
          const plot = event.currentTarget.querySelector('.chart-plot')?.getBoundingClientRect();
          if (!plot) return;
          const at = Math.floor(((event.clientX - plot.left) / plot.width) * names.length);
          active.value = at >= 0 && at < names.length ? at : undefined;
        }}
        onPointerLeave={() => {
          active.value = undefined;
        }}
      >
        <div class="chart-y number" aria-hidden="true">
          {scale.ticks.map((tick) => (
            <span key={tick} style={{ bottom: `${(tick / scale.top) * 100}%` }}>
              {short(tick)}
            </span>
          ))}
        </div>
        <svg class="chart-plot" viewBox={`0 0 ${SIZE} ${SIZE}`} preserveAspectRatio="none" aria-hidden="true">
          {scale.ticks.map((tick) => (
            <line
              key={tick}
              class="chart-grid"
              x1="0"
              x2={SIZE}
              y1={flip(tick, scale.top)}
              y2={flip(tick, scale.top)}
            />
          ))}
          <Columns {...props} top={scale.top} active={active.value} />
          {limit && (
            <line
              class="chart-limit"
              x1="0"
              x2={SIZE}
              y1={flip(limit.value, scale.top)}
              y2={flip(limit.value, scale.top)}
            />
          )}
          {marks.map(({ before }) => {
            const x = (before / names.length) * SIZE;
            return <line key={before} class="chart-mark" x1={x} x2={x} y1="0" y2={SIZE} />;
          })}
        </svg>
        <ColumnNames names={names} />
      </div>
      <Legend {...props} />
    </figure>
  );
}

/** The names below the columns: all if there is room, else the first and the last. */
function ColumnNames({ names }: { names: readonly string[] }) {
  const isEach = names.length <= MOST_NAMED;
  const shown = isEach ? names : [names[0] ?? '', names.at(-1) ?? ''];
  return (
    <div class={`chart-x number ${isEach ? 'chart-x-each' : ''}`} aria-hidden="true">
      {shown.map((name, index) => (
        <span key={index}>{index === 0 ? name : name.split(' ').at(-1)}</span>
      ))}
    </div>
  );
}

function Columns({
  series,
  names,
  top,
  active,
  isRunning,
}: ChartProps & { top: number; active: number | undefined }) {
  const slot = SIZE / names.length;
  const width = isRunning === true ? slot : Math.min(WIDEST, slot - Math.min(slot * 0.3, 1.2));
  return (
    <>
      {names.map((name, index) => {
        let below = 0;
        return (
          <g key={name} class={active === index ? 'chart-active' : undefined}>
            {series.map(({ name: part, look, values }) => {
              const value = values[index] ?? 0;
              const y = flip(below + value, top);
              const height = (value / top) * SIZE;
              below += value;
              return (
                <rect
                  key={part}
                  class={look}
                  x={(index + 0.5) * slot - width / 2}
                  y={y}
                  width={width}
                  height={height}
                />
              );
            })}
          </g>
        );
      })}
    </>
  );
}

function Legend({ series, limit, marks }: ChartProps) {
  const hasMarks = marks !== undefined && marks.length > 0;
  if (series.length < 2 && !limit && !hasMarks) return null;
  return (
    <ul class="chart-legend small soft">
      {series.length > 1 &&
        series.map(({ name, look }) => (
          <li key={name}>
            <svg width="10" height="10" aria-hidden="true">
              <rect class={look} width="10" height="10" rx="2" />
            </svg>
            {name}
          </li>
        ))}
      {limit && (
        <li>
          <svg width="14" height="10" aria-hidden="true">
            <line class="chart-limit" x1="0" x2="14" y1="5" y2="5" />
          </svg>
          {limit.name}
        </li>
      )}
      {hasMarks && (
        <li>
          <svg width="6" height="12" aria-hidden="true">
            <line class="chart-mark" x1="3" x2="3" y1="0" y2="12" />
          </svg>
          {marks[0]?.name}
        </li>
      )}
    </ul>
  );
}

/** The text while no column is chosen. */
function describeRange({ exact, counts, isRunning }: ChartProps, totals: readonly number[]): string {
  if (isRunning === true) return `${exact(totals.at(-1) ?? 0)} in total`;
  const most = Math.max(0, ...totals);
  return `at most ${exact(most)} in a ${counts}`;
}

function describeColumn({ names, series, exact, marks = [] }: ChartProps, index: number): string {
  const parts = series.map(({ name, values }) =>
    series.length > 1 ? `${name} ${exact(values[index] ?? 0)}` : exact(values[index] ?? 0),
  );
  const mark = marks.find(({ before }) => before === index);
  return [`${names[index] ?? ''}: ${parts.join(', ')}`, mark && `after ${mark.name}`]
    .filter(Boolean)
    .join(', ');
}

function sumAt(series: readonly Series[], index: number): number {
  return series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0);
}

function flip(value: number, top: number): number {
  return SIZE - (value / top) * SIZE;
}
