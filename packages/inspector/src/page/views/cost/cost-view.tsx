// The view "cost": totals, small charts side by side, and tables.
import type { CostLedger } from '../../../model/cost/cost-ledger.js';
import { promptTokens } from '../../../model/cost/cost-types.js';
import { formatCount, formatCountOf, formatExact, formatMoney, formatShare } from '../../../model/format.js';
import { isOverState } from '../../../model/is-over-state.js';
import { Empty } from '../../components/empty.js';
import type { Store } from '../../store/store.js';
import { showInStory } from '../story/show-in-story.js';
import { CostCharts } from './cost-charts.js';
import { AgentTable, ModelTable, TurnTable } from './cost-tables.js';

export function CostView({ store }: { store: Store }) {
  const loaded = store.current.value;
  if (!loaded) return null;
  void loaded.revision.value;
  const ledger = loaded.model.cost;
  // A session that is over reports nothing any more.
  const noCost = isOverState(store.summary.value?.state) ? 'not reported' : 'not yet reported';
  const open = (n: number): void => {
    showInStory(store, loaded.model, { n });
  };
  return (
    <section class="view view-cost" aria-label="Cost">
      {ledger.turns.every(({ requests, isOver }) => requests === 0 && !isOver) ? (
        <Empty icon="cost" title="No cost is known yet">
          Tokens come with the first answer of a model, cost with the result of a turn.
        </Empty>
      ) : (
        <div class="view-scroll">
          <div class="cost">
            <Figures ledger={ledger} noCost={noCost} />
            <CostCharts ledger={ledger} />
            <TurnTable ledger={ledger} noCost={noCost} onOpen={open} />
            <ModelTable ledger={ledger} />
            <AgentTable ledger={ledger} onOpen={open} />
            <p class="soft small cost-note">
              Cost and tokens of a turn are what the CLI reports with its result. It counts from its start, so
              a turn is the difference from the one before. Cost is based on its list of prices and is not a
              bill. Tokens of an unfinished turn, of requests and of subagents are those of the model’s
              messages, each counted once.
            </p>
          </div>
        </div>
      )}
    </section>
  );
}

function Figures({ ledger, noCost }: { ledger: CostLedger; noCost: string }) {
  const { tokens, totalUsd, turns } = ledger;
  const sent = promptTokens(tokens);
  const figures: [string, string, string][] = [
    [
      'Cost',
      totalUsd === undefined ? noCost : formatMoney(totalUsd),
      'as reported with each turn that is over',
    ],
    [
      'Tokens',
      formatCount(sent + tokens.output),
      `${formatExact(sent)} in, ${formatExact(tokens.output)} out`,
    ],
    [
      'Cache hits',
      formatShare(tokens.cacheRead, sent),
      `${formatExact(tokens.cacheRead)} of ${formatExact(sent)} tokens in`,
    ],
    [
      'Turns',
      formatExact(turns.length),
      `${formatCountOf(
        turns.reduce((sum, turn) => sum + turn.requests, 0),
        'request',
      )} seen`,
    ],
  ];
  return (
    <dl class="cost-figures">
      {figures.map(([name, value, more]) => (
        <div key={name}>
          <dt class="soft small">{name}</dt>
          <dd class="cost-figure number">{value}</dd>
          <dd class="soft small number">{more}</dd>
        </div>
      ))}
    </dl>
  );
}
