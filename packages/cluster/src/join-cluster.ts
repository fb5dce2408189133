// Joins journal, dispatcher, agents, limits and workers into one cluster object. A web server uses its conversations. A worker
// process calls its `work()` or `step()`.
import { readAuditEntries } from './audit.js';
import type {
  ClusterAuditFilter,
  ClusterInput,
  Cluster,
  ClusterConversation,
  ClusterStats,
  ConversationStart,
  ForgetChoice,
  ForgottenData,
  PruneOptions,
} from './cluster.js';
import type { HealthOptions, HealthReport } from '@inboard/core/health/health-report.js';
import { clock } from '@inboard/core/util/system/clock.js';
import { INSPECT_TARGET } from '@inboard/core/live/watch/session-registry.js';
import { createClusterApprovals } from './approvals.js';
import { createClusterCalls } from './calls.js';
import { readConversationStart } from './check-input.js';
import { checkHealthOptions, checkMethodOptions, checkStepOptions } from './check-options.js';
import { ClusterCore } from './cluster-core.js';
import { createConversationHandle } from './conversation.js';
import { forget } from './forget.js';
import { ClusterHealth } from './health/cluster-health.js';
import type { AuditEntry } from './journal/audit-entry.js';
import type { RetentionPolicy, RetentionReport } from './journal/retention.js';
import { checkRetention, startRetentionJob } from './retention-job.js';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { checkKey, checkName } from './journal/check-names.js';
import type { ClusterTarget } from './journal/cluster-target.js';
import type { ConversationFilter, Journal } from './journal/journal.js';
import { isMemoryJournal } from './journal/memory/memory-journal.js';
import type { ConversationRecord } from './journal/records.js';
import { decideBudget } from './limits/budgets.js';
import { OwnConversation } from './own-conversation.js';
import { NoWorkerWarning } from './no-worker-warning.js';
import type { StepOutcome } from './step-outcome.js';
import { OwnWorkers } from './own-workers.js';
import type { Agents } from './work/host/agents.js';
import type { HostParts } from './work/host/host-parts.js';
import type {
  ClusterWorker,
  StepEnd,
  SteppedTurn,
  StepOptions,
  WorkOptions,
} from './work/host/work-options.js';

/** Works on single conversations for a while. The caller that makes it closes it. */
export interface Steps {
  step(parts: HostParts, key: string, options: StepOptions): Promise<StepEnd>;
  /** Ends the CLIs that were kept for later steps. */
  close(): Promise<void>;
}

/** The functions that do the work: one starts a worker for the lifetime of a process, the other makes steps. */
export interface Working {
  /** `onEnded` is called once the worker has ended, for whatever reason. */
  startWorker(parts: HostParts, options: WorkOptions, onEnded: () => void): Promise<ClusterWorker>;
  createSteps(): Steps;
}

// Journals for which `step()` was called, so the user's own scheduler does the work.
const stepped = new WeakSet<object>();

/** The input of a cluster, with a journal and a dispatcher filled in. */
export type CompleteInput<A extends Agents> = ClusterInput<A> & Pick<HostParts, 'journal' | 'dispatcher'>;

/** Makes a cluster from input that was checked. */
export function joinCluster<A extends Agents>(input: CompleteInput<A>, working: Working): Cluster<A> {
  return new ClusterHandle(input, working);
}

class ClusterHandle<A extends Agents> implements Cluster<A> {
  readonly #input: CompleteInput<A>;
  readonly #working: Working;
  readonly #core: ClusterCore;
  readonly #parts: Omit<HostParts, 'journal'>;
  readonly #workers = new OwnWorkers();
  /** Set only if the journal is in memory, because then no other process can do the work. */
  readonly #noWorkerWarning: NoWorkerWarning | undefined;
  readonly #health: ClusterHealth;
  readonly #steps: Steps;
  /** Steps under way. */
  readonly #stepping = new Set<Promise<unknown>>();
  readonly #ended = new AbortController();
  #closing: Promise<void> | undefined;
  readonly approvals: Cluster['approvals'];
  readonly calls: Cluster['calls'];

  constructor(input: CompleteInput<A>, working: Working) {
    const { agents, journal, dispatcher, budgets, telemetry, onTrouble } = input;
    this.#input = input;
    this.#working = working;
    this.#steps = working.createSteps();
    this.#noWorkerWarning = isMemoryJournal(journal)
      ? new NoWorkerWarning({ journal, isWorking: () => this.#workers.size > 0 || stepped.has(journal) })
      : undefined;
    const onWake = (): void => this.#noWorkerWarning?.note();
    this.#core = new ClusterCore({ journal, dispatcher, onTrouble, onWake });
    this.#health = new ClusterHealth({
      journal: () => this.#core.journal(),
      isClosed: () => this.#core.isClosed,
      numbers: () => this.stats(),
      telemetry,
    });
    this.#parts = {
      dispatcher,
      agents,
      admit: (turn, conversation, facts) => decideBudget({ journal, budgets }, turn, conversation, facts),
      prices: budgets?.prices,
      telemetry: this.#health.telemetry,
      onReported: () => this.#health.reported(),
      onTurnEnding: (turn) => this.#core.ends.begin(turn),
    };
    this.approvals = createClusterApprovals(this.#core);
    this.calls = createClusterCalls(this.#core);
  }

  /** For `inspect(cluster)`. */
  [INSPECT_TARGET](): ClusterTarget {
    const { journal, dispatcher } = this.#input;
    return { journal, wake: (key) => dispatcher.wake(key) };
  }

  conversation(key: string, start?: ConversationStart<A>): ClusterConversation {
    this.#core.check();
    checkKey(key);
    const { agents } = this.#input;
    const { telemetry } = this.#health;
    const own = new OwnConversation(key, readConversationStart(start, agents));
    return createConversationHandle({ core: this.#core, own, telemetry });
  }

  async conversations(filter?: ConversationFilter): Promise<ConversationRecord[]> {
    checkMethodOptions('conversations()', filter);
    if (filter?.tenant !== undefined) checkName('tenant', filter.tenant);
    return await (await this.#core.journal()).conversations(filter);
  }

  work(options: WorkOptions = {}): Promise<ClusterWorker> {
    return this.#health.workers.starting(this.#work(options));
  }

  async #work(options: WorkOptions): Promise<ClusterWorker> {
    checkMethodOptions('work()', options);
    const journal = await this.#core.journal();
    const { retention } = options;
    if (retention) checkRetention(retention, journal);
    let endJob: (() => Promise<void>) | undefined;
    const worker = await this.#working.startWorker({ ...this.#parts, journal }, options, () => {
      void endJob?.();
      this.#workers.remove(worker);
      this.#noWorkerWarning?.note();
    });
    this.#workers.add(worker);
    if (retention)
      endJob = startRetentionJob(journal, retention, {
        owner: worker.name,
        onTrouble: (error) =>
          this.#core.tell({ where: 'journal', what: 'apply the retention policy', error }),
      });
    // The cluster was closed while the worker was starting.
    if (this.#core.isClosed) await worker.close();
    this.#core.check();
    return worker;
  }

  async step(key: string, options: StepOptions = {}): Promise<StepOutcome> {
    checkKey(key);
    checkStepOptions(options);
    const journal = await this.#core.journal();
    stepped.add(journal);
    const { signal } = options;
    const signals = signal ? [signal, this.#ended.signal] : [this.#ended.signal];
    const given = { ...options, signal: AbortSignal.any(signals) };
    const step = this.#step({ ...this.#parts, journal }, key, given);
    this.#stepping.add(step);
    try {
      return await step;
    } finally {
      this.#stepping.delete(step);
    }
  }

  /** Makes steps until the turn waits, or for another reason cannot go on. */
  async #step(parts: HostParts, key: string, options: StepOptions): Promise<StepOutcome> {
    const turns: SteppedTurn[] = [];
    for (;;) {
      const end = await this.#steps.step(parts, key, options);
      if ('turns' in end) turns.push(...end.turns);
      if (end.state !== 'waiting') return 'turns' in end ? { ...end, turns } : end;
      const filter = { conversation: key };
      const [questions, pending] = await Promise.all([this.approvals.list(filter), this.calls.list(filter)]);
      const turn = await parts.journal.turn(key, end.turn);
      // Otherwise an answer came while the questions were read, and the turn goes on.
      if (turn?.state === 'parked')
        return { ...end, questions, pending, turnCostUsd: turn.turnCostUsd, turns };
    }
  }

  async stats(): Promise<ClusterStats> {
    const journal = await this.#core.journal();
    const [numbers, workers, pauses] = await Promise.all([
      journal.stats(),
      journal.workers(),
      journal.pauses(),
    ]);
    return {
      ...numbers,
      workers,
      pauses,
      oldestQuestionMs: numbers.oldestQuestionMs ?? (await findOldestQuestion(journal)),
    };
  }

  async health(options?: HealthOptions): Promise<HealthReport> {
    checkHealthOptions('health()', options);
    return await this.#health.report(options);
  }

  async metrics(options?: HealthOptions): Promise<string> {
    checkHealthOptions('metrics()', options);
    return await this.#health.metrics(options);
  }

  async forget(choice: ForgetChoice): Promise<ForgottenData> {
    return await forget(this.#core, choice, this.#workers.names);
  }

  audit(filter?: ClusterAuditFilter): AsyncIterableIterator<AuditEntry> {
    this.#core.check();
    return readAuditEntries(() => this.#core.journal(), filter);
  }

  async prune(policy: RetentionPolicy, options: PruneOptions = {}): Promise<RetentionReport> {
    checkMethodOptions('prune()', options);
    const journal = await this.#core.journal();
    if (!journal.retain)
      throw new InvalidOptionsError(['journal'], 'This journal has no retention: it has no method "retain".');
    return await journal.retain(policy, options);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #endSteps(): Promise<void> {
    await Promise.allSettled(this.#stepping);
    await this.#steps.close();
  }

  async #close(): Promise<void> {
    this.#noWorkerWarning?.close();
    this.#health.close();
    await this.#core.end();
    this.#ended.abort();
    // The workers still need the journal to give their leases back. So the journal is closed last, whatever fails before.
    const [ended] = await Promise.all([this.#workers.close(), this.#endSteps()]);
    await this.#core.release();
    const failed = ended.find((each) => each.status === 'rejected');
    if (failed) throw failed.reason;
  }
}

/** By the clock of this process, for a journal that does not say it. */
async function findOldestQuestion(journal: Pick<Journal, 'questions'>): Promise<number> {
  const [oldest] = await journal.questions({ limit: 1 });
  return oldest ? Math.max(0, clock.Date.now() - oldest.askedAt) : 0;
}
