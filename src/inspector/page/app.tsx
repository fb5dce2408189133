// The page: header, tabs, the view that is chosen, and what waits for an answer.
import { CostView } from './views/cost/cost-view.js';
import { FleetView } from './views/fleet/fleet-view.js';
import { StoryView } from './views/story/story-view.js';
import { TimelineView } from './views/timeline/timeline-view.js';
import { ToolsView } from './views/tools/tools-view.js';
import { WireView } from './views/wire/wire-view.js';
import type { Store } from './store/store.js';

const VIEW_OF = {
  story: StoryView,
  timeline: TimelineView,
  wire: WireView,
  tools: ToolsView,
  cost: CostView,
  fleet: FleetView,
};

export function App({ store }: { store: Store }) {
  const View = VIEW_OF[store.view.value];
  return (
    <main>
      <View store={store} />
    </main>
  );
}
