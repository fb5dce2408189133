// One session of a conversation under one lease. It has the options of the agent and of the cluster, one CLI, and its calls and
// questions.
import { WarningReporter } from '@inboard/core/options/check/warning-reporter.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';
import type { Session } from '@inboard/core/verbs/conversation/open-session.js';
import type { Outcome } from '@inboard/core/live/output/outcome.js';
import { nameTools, type QueryOptions } from '@inboard/core/live/tooling/name-tools.js';
import { CliActivity } from '@inboard/durable/attempt/cli-activity.js';
import type { HeldQuestions } from '@inboard/durable/attempt/held-questions.js';
import { onlyWaits } from '@inboard/durable/attempt/open-calls.js';
import { findOwnTool } from '@inboard/durable/attempt/own-tool.js';
import {
  heldSessionOptions,
  openHeldSession,
  type HeldSessionStart,
} from '@inboard/durable/attempt/held-session.js';
import { removeLocalCopy } from '@inboard/durable/attempt/local-copy.js';
import type { ConversationRecord } from '../../journal/records.js';
import { lowerBudget } from '../../limits/lower-budget.js';
import { callAgent } from './agent-options.js';
import { CallJournal } from './call-journal.js';
import type { HeldLease } from '../host/held-lease.js';
import { createAgentApprovals, createJournalApprovals } from './journal-approvals.js';
import { CLUSTER_PROJECT_KEY, type LeaseStore } from './lease-store.js';
import type { PendingWaits } from './pending-waits.js';
import { findStdioServers } from './session-servers.js';
import type { SessionTurns } from './session-turns.js';
import { tellInterrupted } from './tell-interrupted.js';
import type { WorkHost } from '../host/work-host.js';

export interface AgentSessionInput {
  host: WorkHost;
  lease: HeldLease;
  conversation: ConversationRecord;
  store: LeaseStore;
  start: HeldSessionStart;
  /** The most that the turn may cost. Undefined for no limit. */
  maxBudgetUsd: number | undefined;
  turns: SessionTurns;
  pendings: PendingWaits;
  /** Resolves if no session is needed any more, even while the agent is being asked. */
  unwanted: Promise<unknown>;
}

/** A session in a cluster. The caller that opens it closes or abandons it. */
export class AgentSession {
  readonly session: Session;
  readonly calls: CallJournal;
  readonly #questions: HeldQuestions;
  readonly #pendings: PendingWaits;
  readonly #options: QueryOptions;
  readonly #work: CliActivity;
  readonly #host: WorkHost;
  readonly #lease: HeldLease;
  readonly #sessionId: string;
  readonly #start: HeldSessionStart;
  readonly #budgetUsd: number | undefined;
  /** The agent's own limit of what a turn may cost. */
  readonly ownBudgetUsd: number | undefined;
  #spentUsd = 0;
  #totalUsd = 0;
  #hasWarned = false;
  #ending: Promise<void> | undefined;

  /** Calls the agent and starts a CLI. Undefined if no session is needed any more. */
  static async open(input: AgentSessionInput): Promise<AgentSession | undefined> {
    const { host, lease, conversation, store, turns, pendings, unwanted } = input;
    const { journal, agents } = host.parts;
    let calls: CallJournal | undefined;
    const questions = createJournalApprovals({ journal, lease, hub: host.hub, turns, store });
    const approvals = createAgentApprovals(questions, () => calls);
    const own = await callAgent({ agents, conversation, approvals, unwanted });
    if (!own) return undefined;
    const { tenant } = conversation;
    const { emit } = host;
    calls = new CallJournal({
      journal,
      lease,
      tenant,
      sessionId: conversation.sessionId,
      aroundTool: own.aroundTool,
      turns,
      pendings,
      emit,
    });
    if (input.start === 'new') await removeLocalCopy(conversation.sessionId, own);
    if (input.start === 'resumed')
      await tellInterrupted({ journal, lease, conversation, store, options: own });
    return new AgentSession(input, own, calls, questions);
  }

  private constructor(
    input: AgentSessionInput,
    own: QueryOptions,
    calls: CallJournal,
    questions: HeldQuestions,
  ) {
    const { host, lease, conversation, store, start } = input;
    const { sessionId } = conversation;
    this.#host = host;
    this.#lease = lease;
    this.#sessionId = sessionId;
    this.#start = start;
    this.calls = calls;
    this.#questions = questions;
    this.#pendings = input.pendings;
    this.ownBudgetUsd = own.maxBudgetUsd;
    this.#budgetUsd = lowerBudget(own.maxBudgetUsd, input.maxBudgetUsd);
    const options: QueryOptions = {
      ...heldSessionOptions({
        start,
        sessionId,
        own,
        store,
        projectKey: CLUSTER_PROJECT_KEY,
        canUseTool: questions.canUseTool,
        aroundTool: calls.around,
      }),
      ...withoutUndefined({ maxBudgetUsd: this.#budgetUsd }),
      // The pieces of the answer are joined into events. An agent turns this off with `streamText: false`.
      includePartialMessages: own.includePartialMessages ?? own.streamText !== false,
      // If the program listens to the worker's events, warnings become events. Otherwise they are reported as for any other
      // session.
      ...(host.isHeard && {
        onWarning:
          own.onWarning ??
          ((warning): void =>
            host.emit({
              type: 'trouble',
              key: lease.fence.key,
              where: 'cli',
              error: warning.error ?? warning,
            })),
      }),
    };
    this.#options = host.parts.telemetry?.options(options) ?? options;
    this.session = openHeldSession(this.#options, start);
    this.#work = new CliActivity((toolName) => findOwnTool(own, toolName));
    void this.#observe(input.turns);
  }

  /** Whether nothing happens in the session but waiting for people and pending calls, so that its CLI is not needed. */
  get onlyWaits(): boolean {
    const { working, waitingToolUses } = this.calls.open;
    return onlyWaits({
      awaited: this.openQuestions.length,
      working,
      toolUseIds: [...this.#questions.toolUseIds, ...waitingToolUses],
      cli: this.#work,
    });
  }

  /** The ids of the questions that the turn waits for: those to people, and those of pending calls. */
  get openQuestions(): string[] {
    return [...this.#questions.open.map(({ id }) => id), ...this.#pendings.open];
  }

  /** Holds answers and results back while the turn is being parked. Returns the ids of the open questions. */
  hold(): string[] {
    this.#pendings.hold();
    this.#questions.hold();
    return this.openQuestions;
  }

  /** Lets answers and results through again, because the turn was not parked. */
  goOn(): void {
    this.#pendings.goOn();
    this.#questions.goOn();
  }

  /** Whether the CLI must stay, because its stdio servers would end with it. A warning says so once. */
  async keepsServers(): Promise<boolean> {
    if (this.#host.settings.suspendWithServers || this.session.state !== 'ready') return false;
    const servers = await findStdioServers(this.#options, this.session);
    if (servers.length === 0) return false;
    if (!this.#hasWarned) {
      const names = servers.map((name) => `"${name}"`).join(', ');
      new WarningReporter(nameTools(this.#options)).emit({
        code: 'CLI_KEPT_WAITING',
        message:
          `The turn of the conversation "${this.#lease.fence.key}" waits, but its CLI is kept: stdio MCP servers would end with it ` +
          `(${names}). If they keep nothing that matters, start the worker with "suspendWithServers: true".`,
        options: ['suspendWithServers', 'mcpServers'],
      });
    }
    this.#hasWarned = true;
    return true;
  }

  /**
   * Whether this CLI can run a turn with this budget. A CLI is told one budget for all its turns when it starts. What is left
   * of it must not exceed the turn's budget, and must be at least half of that.
   */
  fits(maxBudgetUsd: number | undefined): boolean {
    if (this.#ending || this.session.state === 'closed') return false;
    if (this.#budgetUsd === undefined) return maxBudgetUsd === undefined;
    if (maxBudgetUsd === undefined) return false;
    const left = this.#budgetUsd - this.#spentUsd;
    return left <= maxBudgetUsd + 1e-9 && left >= maxBudgetUsd / 2;
  }

  /** Whether the limit of its CLI comes from budgets of the cluster, and not from the agent. */
  get isLimitedByCluster(): boolean {
    return this.#budgetUsd !== undefined && this.#budgetUsd !== this.ownBudgetUsd;
  }

  /** The CLI's own total up to the last result. */
  get totalUsd(): number {
    return this.#totalUsd;
  }

  noteCost({ turnCostUsd, totalCostUsd }: Outcome): void {
    this.#spentUsd += turnCostUsd;
    this.#totalUsd = totalCostUsd;
  }

  /** Closes the CLI in an orderly way. */
  close(): Promise<void> {
    this.#ending ??= this.#end(() => this.session.close());
    return this.#ending;
  }

  /** Kills the CLI at once. Its turn is left as after a crash. */
  abandon(): Promise<void> {
    this.#leaveWaits();
    // This kills the CLI even while it is being closed in an orderly way.
    const ended = this.session.abandon();
    this.#ending ??= this.#end(() => ended);
    return this.#ending;
  }

  #leaveWaits(): void {
    this.calls.close();
    this.#questions.close();
    this.#pendings.leave();
  }

  /** Follows what the CLI does. Ends with the session. */
  async #observe(turns: SessionTurns): Promise<void> {
    try {
      for await (const message of this.session.messages()) {
        this.#work.observe(message);
        // A turn may begin to wait only when the CLI's own work ends.
        if (this.openQuestions.length > 0) turns.review();
      }
    } catch {
      // The error ends the session, and its turn reports it.
    }
  }

  async #end(end: () => Promise<void>): Promise<void> {
    try {
      await end();
    } catch (error) {
      this.#host.emit({ type: 'trouble', where: 'cli', error });
    }
    this.#leaveWaits();
    // A resumed session had its transcript in a temporary folder, which is already gone. After a lost lease, another worker on
    // this machine may be using the transcript.
    if (this.#start !== 'new' || this.#lease.isLost) return;
    const error = await removeLocalCopy(this.#sessionId, this.#options);
    if (error !== undefined) this.#host.emit({ type: 'trouble', where: 'cli', error });
  }
}
