// The figures of a cluster, above its conversations: workers, what waits and for how long, pauses, and costs.
import {
  formatCountOf,
  formatDuration,
  formatExact,
  formatMoney,
  formatTimeOfDay,
} from '../../../model/format.js';
import { describeWorker } from '../../../model/describe-worker.js';
import type { ClusterFigures } from '../../../model/cluster-figures.js';
import { Badge } from '../../components/badge.js';
import { fitsMedia } from '../../components/fits-media.js';
import { Icon } from '../../components/icons.js';
import type { Store } from '../../store/store.js';

type Worker = NonNullable<ClusterFigures['workers']>[number];

/** There, the figures are behind one line, so that sessions are on the first screen. */
const PHONE = '(max-width: 600px)';

export function ClusterHead({ store }: { store: Store }) {
  const cluster = store.state.value?.cluster;
  if (!cluster) return null;
  const { stats, workers, pauses, leftOut, trouble } = cluster;
  const figures = (
    <>
      <dl class="cluster-figures number">
        {workers ? (
          <WorkerFigures workers={workers} />
        ) : (
          <Figure name="Turns under way" value={formatExact(stats.turns.running)} />
        )}
        <Figure name="Waiting turns" value={formatExact(stats.turns.queued)} />
        <Figure
          name="Longest wait"
          value={stats.oldestQueuedMs === 0 ? '–' : formatDuration(stats.oldestQueuedMs)}
        />
        <Figure name="Parked" value={formatExact(stats.conversations.parked)} />
        <Figure name="Leases" value={formatExact(stats.leases)} />
        <Figure name="Takeovers" value={formatExact(stats.takeovers)} />
        <Figure name="Cost" value={formatMoney(stats.totalCostUsd)} />
      </dl>
      {workers && workers.length > 0 && (
        <ul class="cluster-workers" aria-label="Workers">
          {workers.map((worker) => (
            <WorkerChip key={worker.name} worker={worker} />
          ))}
        </ul>
      )}
    </>
  );
  return (
    <section class="cluster" aria-label="The cluster">
      {trouble !== undefined && (
        <p class="cluster-note tone-error" role="status">
          <Icon name="warning" />
          <span>{`The journal cannot be read: ${trouble} These figures are older. Trying again.`}</span>
        </p>
      )}
      {fitsMedia(PHONE) ? (
        <details>
          <summary class="number">{describeLoad(cluster)}</summary>
          {figures}
        </details>
      ) : (
        figures
      )}
      {workers && heardOf(workers).length === 0 && (
        <p class="cluster-note tone-permission">
          <Icon name="warning" />
          <span>
            {workers.length === 0
              ? 'No worker has reported within the last minute: nothing runs until one does.'
              : 'All workers are silent: nothing runs until one reports again.'}
          </span>
        </p>
      )}
      {pauses.map(({ tenant, until, reason }) => (
        <p key={tenant ?? ''} class="cluster-note tone-permission">
          <Icon name="warning" />
          <span>
            {`New turns ${tenant === undefined ? '' : `of ${tenant} `}wait until ${formatTimeOfDay(until)}: ${reason}`}
          </span>
        </p>
      ))}
      {leftOut !== undefined && <p class="soft small">{leftOut}</p>}
    </section>
  );
}

const heardOf = (workers: readonly Worker[]): Worker[] =>
  workers.filter(({ silentMs }) => silentMs === undefined);

const countRunning = (workers: readonly Worker[]): number =>
  workers.reduce((sum, worker) => sum + worker.running, 0);

function WorkerFigures({ workers }: { workers: readonly Worker[] }) {
  const heard = heardOf(workers);
  const running = countRunning(heard);
  const slots = heard.reduce((sum, worker) => sum + worker.concurrency, 0);
  const count =
    heard.length === workers.length
      ? formatExact(workers.length)
      : `${formatExact(heard.length)} of ${formatExact(workers.length)}`;
  return (
    <>
      <Figure name="Workers" value={count} isBad={heard.length === 0} />
      <Figure name="Turns under way" value={`${running} of ${slots}`} />
    </>
  );
}

/** What runs and what waits, in one line. */
function describeLoad({ stats, workers }: ClusterFigures): string {
  const heard = workers && heardOf(workers);
  const running = heard ? countRunning(heard) : stats.turns.running;
  const turns = `${formatCountOf(running, 'turn')} under way, ${formatExact(stats.turns.queued)} waiting`;
  return heard ? `${formatCountOf(heard.length, 'worker')}, ${turns}` : turns;
}

function Figure({ name, value, isBad = false }: { name: string; value: string; isBad?: boolean }) {
  return (
    <div class={isBad ? 'cluster-bad' : ''}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function WorkerChip({ worker }: { worker: Worker }) {
  const { name, running, concurrency, warm, draining, silentMs } = worker;
  return (
    <li class="cluster-worker">
      <span class="cut" title={name}>
        {name}
      </span>
      <span class="soft number">
        {`${running}/${concurrency}`}
        <span class="off-screen">{` ${formatCountOf(concurrency, 'turn')} at most`}</span>
        {warm > 0 && `, ${warm} warm`}
      </span>
      {(draining || silentMs !== undefined) && (
        <Badge tone={silentMs === undefined ? 'neutral' : 'error'}>{describeWorker(worker)}</Badge>
      )}
    </li>
  );
}
