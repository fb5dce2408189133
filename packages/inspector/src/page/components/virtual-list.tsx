// A list of any length, of which only the visible rows and some around them are on the page. Rows may have any height, which
// need not be known before. They are in the normal flow of the page, so that they never overlap.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import type { Signal } from '@preact/signals';
import type { RowKey, RowRange } from './list-layout.js';
import { ListScroller, type ListMemory, type RowPlace } from './list-scroller.js';

/** The methods by which the owner controls a list. */
export interface ListHandle {
  /** Scrolls to a row; `nearest`, the default, does not move if the whole row is visible. */
  scrollToIndex(index: number, at?: RowPlace): void;
  /** Scrolls to a row and gives it the focus; `at` as above. */
  focusIndex(index: number, at?: RowPlace): void;
  /** Scrolls to the end, and follows it if the list has `follow`. */
  scrollToEnd(): void;
}

export interface VirtualListProps {
  /** Tells screen readers what is listed. */
  label: string;
  count: number;
  /** The key of a row, which must be stable and unique. */
  keyAt: (index: number) => RowKey;
  /** The content of a row; the list draws the row around it. */
  renderRow: (index: number) => ComponentChildren;
  /** The approximate height of a row, in pixels. */
  estimate: number;
  /** Must change when rows change, if the owner passes the same functions at every drawing. */
  revision?: number | undefined;
  /** The index of the chosen row. With `onMove` the arrow keys change it. */
  active?: number | undefined;
  onMove?: ((index: number) => void) | undefined;
  /** Is called for Enter on the chosen row. */
  onOpen?: ((index: number) => void) | undefined;
  /** Whether the list stays at its end while rows come. Scrolling up sets it to false, reaching the end to true. */
  follow?: Signal<boolean> | undefined;
  /** Is told which rows are in sight. */
  visible?: Signal<RowRange> | undefined;
  /** Keeps the scroll position while the list is not on the page. */
  memory?: ListMemory | undefined;
  handle?: { current: ListHandle | undefined } | undefined;
  class?: string | undefined;
  /** A class for each row, for instance for its state. */
  rowClass?: ((index: number) => string | undefined) | undefined;
}

export function VirtualList(props: VirtualListProps) {
  const { label, count, keyAt, renderRow, active, onMove } = props;
  const [, redraw] = useReducer<number, void>((times) => times + 1, 0);
  const box = useRef<HTMLDivElement>(null);
  const kept = useRef<ListScroller | undefined>(undefined);
  const scroller = (kept.current ??= new ListScroller(props.estimate, props.memory ?? {}, () => redraw()));
  scroller.follow = props.follow;
  scroller.visible = props.visible;
  scroller.sync({ count, keyAt });

  useLayoutEffect(() => scroller.attach(box.current as HTMLDivElement), [scroller]);
  useLayoutEffect(() => scroller.drawn());
  useEffect(() => {
    if (!props.handle) return undefined;
    const { handle } = props;
    handle.current = {
      scrollToIndex: (index, at = 'nearest') => scroller.goTo(index, at, false),
      focusIndex: (index, at = 'nearest') => scroller.goTo(index, at, true),
      scrollToEnd: () => scroller.goToEnd(),
    };
    return () => {
      handle.current = undefined;
    };
  }, [scroller, props.handle]);

  const { first, end } = scroller.range;
  const rows = [];
  for (let index = first; index < end; index += 1)
    rows.push(
      <div
        key={keyAt(index)}
        class={`list-row ${props.rowClass?.(index) ?? ''}`}
        role="listitem"
        aria-setsize={count}
        aria-posinset={index + 1}
        aria-current={index === active ? 'true' : undefined}
        data-index={index}
        tabIndex={onMove ? -1 : undefined}
      >
        {renderRow(index)}
      </div>,
    );

  const onKeyDown = (event: KeyboardEvent) => {
    scroller.interrupt();
    const target = event.target as HTMLElement;
    if (target !== box.current && target.dataset['index'] === undefined) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' && active !== undefined && props.onOpen) {
      event.preventDefault();
      props.onOpen(active);
      return;
    }
    const next = onMove && moveTo(event.key, active, count, end - first);
    if (next === undefined) return;
    event.preventDefault();
    onMove?.(next);
    scroller.goTo(next, 'nearest', true);
  };

  return (
    <div
      ref={box}
      class={`list ${props.class ?? ''}`}
      tabIndex={0}
      role="group"
      aria-label={label}
      onScroll={() => {
        keepFocus(box.current);
        scroller.scrolled();
      }}
      onWheel={() => scroller.interrupt()}
      onTouchStart={() => scroller.interrupt()}
      onPointerDown={() => scroller.interrupt()}
      onKeyDown={onKeyDown}
    >
      <div class="list-all" style={{ height: `${scroller.layout.heights.total}px` }}>
        <div
          class="list-rows"
          role="list"
          aria-label={label}
          style={{ transform: `translateY(${scroller.layout.heights.offsetOf(first)}px)` }}
        >
          {rows}
        </div>
      </div>
    </div>
  );
}

/** Moves the focus to the list if the focused row is far out of sight: removing that row would reset the focus to the page. */
function keepFocus(box: HTMLElement | null): void {
  const focused = document.activeElement;
  if (!box || !focused || focused === box || !box.contains(focused)) return;
  const place = focused.getBoundingClientRect();
  const frame = box.getBoundingClientRect();
  if (place.bottom < frame.top - 200 || place.top > frame.bottom + 200) box.focus({ preventScroll: true });
}

function moveTo(key: string, active: number | undefined, count: number, page: number): number | undefined {
  if (count === 0) return undefined;
  const at = (index: number): number => Math.max(0, Math.min(count - 1, index));
  const now = active ?? -1;
  switch (key) {
    case 'ArrowDown':
      return at(now + 1);
    case 'ArrowUp':
      return at(now - 1);
    case 'PageDown':
      return at(now + Math.max(1, page >> 1));
    case 'PageUp':
      return at(now - Math.max(1, page >> 1));
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
