// Shows which sessions are marked for comparing, with a button to compare them. It draws nothing while none is marked.
import { Button } from '../../components/button.js';
import type { Store } from '../../store/store.js';
import { compareMarked, fleetStateOf } from './fleet-state.js';

export function CompareBar({ store }: { store: Store }) {
  const { marked } = fleetStateOf(store);
  if (marked.value.length === 0) return null;
  const titles = marked.value.map(
    (id) => store.sessions.value.find((session) => session.id === id)?.title ?? id,
  );
  return (
    <div class="compare-bar" role="region" aria-label="Comparing">
      <p class="compare-bar-names">
        {titles.map((title, index) => (
          <span key={marked.value[index]} class="cut">
            <span class="side-mark" aria-hidden="true">
              {index === 0 ? 'A' : 'B'}
            </span>
            {title}
          </span>
        ))}
        {titles.length === 1 && <span class="soft">Mark a second session to compare.</span>}
      </p>
      <Button look="plain" onClick={() => (marked.value = [])}>
        Clear
      </Button>
      <Button
        look="primary"
        icon="swap"
        shortcut="C"
        offBecause={titles.length < 2 ? 'Mark two sessions first.' : undefined}
        onClick={() => compareMarked(store)}
      >
        Compare
      </Button>
    </div>
  );
}
