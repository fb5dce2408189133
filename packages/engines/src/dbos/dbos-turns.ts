// `dbosTurns`: turns of conversations as workflows of DBOS, on a queue with a partition for each conversation.
import {
  checkShape,
  filledText,
  milliseconds,
  notNegative,
  record,
  wholeNumber,
} from '@inboard/core/util/option-shapes.js';
import { checkOptionsObject, refuseUnknownOptions } from '@inboard/core/util/options-object.js';
import { prepareAttempts, type EngineOptions } from '../turn/engine-agents.js';
import type { EngineTurn } from '../turn/engine-turn.js';
import { AttemptPlaces } from './attempt-places.js';
import { loadDbos } from './dbos-library.js';
import { sendAnswer } from './keep-answer.js';
import { createTurns, type DbosTurns } from './turn-client.js';
import {
  DEFAULT_QUEUE,
  nameAnswerWorkflow,
  nameStopWorkflow,
  nameWorkflow,
  type KeptAnswer,
} from './turn-messages.js';
import { workOnTurn, type DbosRetries, type TurnWork } from './turn-workflow.js';

/** What turns on DBOS are made with. */
export interface DbosTurnsOptions extends EngineOptions {
  /** The name of the queue. It is made when DBOS is launched. Default 'inboard'. */
  queue?: string | undefined;
  /** How many attempts this process makes at the same time, each with a CLI of its own. Default 4. */
  concurrency?: number | undefined;
  /**
   * How many turns a process has at most, with those that wait for people. Default 100. DBOS keeps one row of settings for the queue of
   * all processes, which is written by those of the newest version.
   */
  turnsPerProcess?: number | undefined;
  /** Milliseconds between two looks into the queue, in the same row. Default: that of DBOS, 1,000. */
  pollMs?: number | undefined;
  /** Milliseconds after which a turn with pending calls looks for their results, if `wake` was not called. Default 60,000. */
  lookAgainMs?: number | undefined;
  /** What happens after an error of an attempt. */
  retries?: DbosRetries | undefined;
}

const OF = 'dbosTurns()';
/** DBOS counts each launch that finds a turn, and gives up after 100. A turn may wait for people through more restarts than that. */
const MOST_RECOVERIES = 1_000_000;
const TAKER = {
  of: OF,
  example: 'await dbosTurns({ agents: { support: {} }, ledger })',
  known: [
    'agents',
    'ledger',
    'suspendAfterMs',
    'queue',
    'concurrency',
    'turnsPerProcess',
    'pollMs',
    'lookAgainMs',
  ].concat(['retries', 'onMessage']),
};

/**
 * Registers the workflow of turns with DBOS. Call it before `DBOS.launch()`, in every process that works on turns.
 * @example
 * ```ts
 * const turns = await dbosTurns({ agents: { support }, ledger: createPostgresLedger(database) });
 * ```
 * @experimental Its names may change in any release.
 */
export async function dbosTurns(options: DbosTurnsOptions): Promise<DbosTurns>;
export async function dbosTurns(
  options: DbosTurnsOptions,
  ...others: readonly unknown[]
): Promise<DbosTurns> {
  checkOptionsObject(options, others, TAKER);
  const attempt = prepareAttempts(OF, options);
  const {
    queue = DEFAULT_QUEUE,
    concurrency = 4,
    turnsPerProcess = 100,
    pollMs,
    lookAgainMs = 60_000,
  } = options;
  checkShape('queue', queue, filledText);
  checkShape('concurrency', concurrency, wholeNumber(1));
  checkShape('turnsPerProcess', turnsPerProcess, wholeNumber(1));
  checkShape('pollMs', pollMs, milliseconds);
  checkShape('lookAgainMs', lookAgainMs, milliseconds);
  const retries = readRetries(options.retries);
  const library = await loadDbos();
  const { DBOS } = library;
  const work: TurnWork = {
    library,
    attempt,
    places: new AttemptPlaces(concurrency),
    retries,
    lookAgainMs,
  };
  DBOS.registerWorkflow((turn: EngineTurn) => workOnTurn(turn, work), {
    name: nameWorkflow(queue),
    maxRecoveryAttempts: MOST_RECOVERIES,
  });
  DBOS.registerWorkflow(async () => {}, { name: nameStopWorkflow(queue) });
  DBOS.registerWorkflow((kept: KeptAnswer) => sendAnswer(DBOS, kept), { name: nameAnswerWorkflow(queue) });
  DBOS.registerLifecycleCallback({
    initialize: async () => {
      await DBOS.registerQueue(queue, {
        // Turns of one conversation come one after the other.
        partitionConcurrency: 1,
        workerConcurrency: turnsPerProcess,
        ...(pollMs !== undefined && { minPollingIntervalMs: pollMs }),
      });
    },
  });
  return createTurns(
    OF,
    queue,
    () => DBOS,
    (enqueue, input) => DBOS.enqueueWorkflowWithOptions(enqueue, input),
  );
}

function readRetries(retries: unknown): DbosRetries {
  checkShape('retries', retries, record);
  const given: DbosRetries = retries ?? {};
  const known = ['maxAttempts', 'intervalSeconds', 'backoffRate'] as const;
  refuseUnknownOptions(`"retries" of ${OF}`, given, known);
  for (const name of known)
    checkShape(`retries.${name}`, given[name], name === 'maxAttempts' ? wholeNumber(1) : notNegative);
  return given;
}
