// The charts of the cost view: money and tokens by turn, the sum so far, and how full the context window was.
import { bucket, type Bucket } from '../../../model/cost/chart-scale.js';
import type { CostLedger } from '../../../model/cost/cost-ledger.js';
import { promptTokens, type CountedRequest, type TurnCost } from '../../../model/cost/cost-types.js';
import { formatCount, formatExact, formatMoney, formatShare } from '../../../model/format.js';
import { Chart, type Series } from './chart.js';

/** The greatest number of columns. Beyond it, neighbouring columns are combined. */
const MOST_COLUMNS = 60;

export function CostCharts({ ledger }: { ledger: CostLedger }) {
  const { turns } = ledger;
  const groups = bucket(turns, MOST_COLUMNS);
  const names = groups.map((group) => nameOf(group, 'turn'));
  const counts = turns.length > MOST_COLUMNS ? 'column' : 'turn';
  const tokens = (key: keyof TurnCost['tokens']): number[] =>
    groups.map(({ items }) => sum(items, (turn) => turn.tokens[key]));
  const money = { names, counts, exact: formatMoney, short: shortMoney };
  const isPaid = turns.some(({ costUsd }) => costUsd !== undefined);
  return (
    <div class="charts">
      {isPaid && (
        <Chart
          {...money}
          title="Cost by turn"
          series={[
            one(
              'chart-money',
              groups.map(({ items }) => sum(items, ({ costUsd }) => costUsd ?? 0)),
            ),
          ]}
        />
      )}
      {isPaid && groups.length > 1 && (
        <Chart
          {...money}
          title="Cost so far"
          isRunning
          series={[
            one(
              'chart-total',
              groups.map(({ items }) => items.at(-1)?.totalUsd ?? 0),
            ),
          ]}
        />
      )}
      <Chart
        title="Tokens by turn"
        names={names}
        counts={counts}
        exact={formatExact}
        short={formatCount}
        series={[
          { name: 'from cache', look: 'chart-read', values: tokens('cacheRead') },
          { name: 'to cache', look: 'chart-write', values: tokens('cacheWrite') },
          { name: 'input', look: 'chart-input', values: tokens('input') },
          { name: 'output', look: 'chart-output', values: tokens('output') },
        ]}
      />
      <ContextChart ledger={ledger} />
    </div>
  );
}

/** How full the context window was, by the tokens of each request of the main conversation. */
function ContextChart({ ledger }: { ledger: CostLedger }) {
  const requests = ledger.mainRequests;
  if (requests.length === 0) return null;
  const groups = bucket(requests, MOST_COLUMNS);
  const size = requests[0] && groups[0] ? groups[0].items.length : 1;
  const values = groups.map(({ items }) => Math.max(...items.map(({ tokens }) => promptTokens(tokens))));
  const window = findWindow(ledger, requests);
  // If the window is nearly empty, its line would flatten the columns. Then it is only mentioned.
  const isNear = window !== undefined && Math.max(...values) > window / 8;
  return (
    <Chart
      title={
        window === undefined ? 'Context by request' : `Context by request, of ${formatCount(window)} tokens`
      }
      names={groups.map((group) => nameOf(group, 'request'))}
      counts="request"
      exact={(value) =>
        window === undefined ? formatExact(value) : `${formatExact(value)} (${formatShare(value, window)})`
      }
      short={formatCount}
      series={[one('chart-context', values)]}
      limit={isNear ? { value: window, name: 'context window' } : undefined}
      marks={ledger.compactions.map(({ request }) => ({
        before: Math.floor(request / size),
        name: 'compaction',
      }))}
    />
  );
}

/** Money without trailing zeros: `$0.05`. */
function shortMoney(usd: number): string {
  return `$${formatExact(Number(usd.toPrecision(3)))}`;
}

function findWindow(ledger: CostLedger, requests: readonly CountedRequest[]): number | undefined {
  const model = requests.at(-1)?.model;
  return model === undefined ? undefined : ledger.windowOf(model);
}

function one(look: string, values: number[]): Series {
  return { name: '', look, values };
}

function nameOf({ first, last }: Bucket<unknown>, what: string): string {
  return first === last
    ? `${what} ${formatExact(first + 1)}`
    : `${what}s ${formatExact(first + 1)} to ${formatExact(last + 1)}`;
}

function sum<Item>(items: readonly Item[], read: (item: Item) => number): number {
  return items.reduce((total, item) => total + read(item), 0);
}
