// Two sessions side by side: which they are, their totals, and how their steps differ.
import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { compareSessions } from '../../../../model/fleet/compare/compare-sessions.js';
import { foldSame } from '../../../../model/fleet/compare/compare-steps.js';
import { formatShare } from '../../../../model/format.js';
import { Button } from '../../../components/button.js';
import { Empty } from '../../../components/empty.js';
import { useKeys } from '../../../components/use-keys.js';
import { defineKeys } from '../../../store/keys.js';
import type { LoadedSession, Store } from '../../../store/store.js';
import { CompareHead } from './compare-head.js';
import { CompareSteps } from './compare-steps.js';
import { CompareTotals } from './compare-totals.js';

const KEYS = defineKeys('Comparing', {
  back: { keys: ['Escape'], says: 'Back to the fleet' },
  swap: { keys: ['x'], says: 'Swap the two sides' },
});

export function CompareView({ store, left, right }: { store: Store; left: string; right: string }) {
  const [one, other] = [store.load(left), store.load(right)];
  const back = (): void => {
    store.compared.value = undefined;
  };
  const swap = (): void => {
    store.selected.value = right;
    store.compared.value = left;
  };
  useKeys(KEYS, { back, swap });
  const revision = useSlowRevision(one, other);
  const read = Math.min(one.progress.value, other.progress.value);
  return (
    <div class="view-scroll compare" data-revision={revision}>
      <div class="compare-inner">
        <div class="compare-bar-top">
          <Button look="plain" icon="left" shortcut="Esc" onClick={back}>
            All sessions
          </Button>
          <Button look="plain" icon="swap" shortcut="x" onClick={swap}>
            Swap sides
          </Button>
        </div>
        <CompareHead one={one.model.summary.read()} other={other.model.summary.read()} />
        {read < 1 ? (
          <Empty icon="clock" title="Reading the sessions">
            <p class="number">{formatShare(read, 1)}</p>
          </Empty>
        ) : (
          <Compared one={one.model} other={other.model} />
        )}
      </div>
    </div>
  );
}

function Compared({ one, other }: { one: Parameters<typeof compareSessions>[0]; other: typeof one }) {
  const comparison = compareSessions(one, other);
  return (
    <>
      <CompareTotals comparison={comparison} />
      <CompareSteps counts={comparison.counts} stretches={foldSame(comparison.steps)} />
    </>
  );
}

/** The time between two comparisons of running sessions, in milliseconds. Each comparison aligns both stories again. */
const PAUSE_MS = 400;

/** A number that grows a moment after one of the two sessions has changed. */
function useSlowRevision(one: LoadedSession, other: LoadedSession): number {
  const revision = useSignal(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useSignalEffect(() => {
    void [one.revision.value, other.revision.value];
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      revision.value += 1;
    }, PAUSE_MS);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return revision.value;
}
