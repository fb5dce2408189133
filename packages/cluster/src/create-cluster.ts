// The function `createCluster` of the entry point. Checks the input and fills in defaults.
import { refuseFurtherArguments } from '@inboard/core/util/options-object.js';
import { checkClusterInput } from './check-input.js';
import type { Cluster, ClusterInput } from './cluster.js';
import { hintedDispatcher } from './hinted-dispatcher.js';
import { joinCluster } from './join-cluster.js';
import { memoryJournal } from './journal/memory/memory-journal.js';
import type { Agents, CheckedAgents } from './work/host/agents.js';
import { startWorker } from './work/worker.js';
import { Stepper } from './work/step.js';

/**
 * Creates a cluster: conversations that any number of processes send messages to and any number of workers run. Without a
 * journal, everything is in the memory of this process. Throws an InvalidOptionsError for wrong options. The cluster connects
 * to nothing until it is used.
 * @experimental Its names and records may change in any release.
 */
export function createCluster<const A extends Agents>(
  input: ClusterInput<A> & { agents: CheckedAgents<A> },
): Cluster<A>;
export function createCluster<const A extends Agents>(
  input: ClusterInput<A>,
  ...others: readonly unknown[]
): Cluster<A> {
  refuseFurtherArguments(others, {
    of: 'createCluster()',
    example: 'createCluster({ agents, journal, dispatcher })',
  });
  checkClusterInput(input);
  const { journal = memoryJournal() } = input;
  const { dispatcher = hintedDispatcher(journal) } = input;
  return joinCluster({ ...input, journal, dispatcher }, { startWorker, createSteps: () => new Stepper() });
}
