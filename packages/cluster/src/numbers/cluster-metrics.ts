// The metrics of a cluster, as one table for OpenTelemetry (`inboard/otel`) and Prometheus (`/metrics`). No conversation, tenant or
// worker is an attribute here, because each value would become a series of its own.
import type { Metric } from '@inboard/core/health/metric.js';
import { CLUSTER_ATTRIBUTE as ATTRIBUTE, DESTINATION, MESSAGING } from './cluster-attributes.js';

type Attributes = Metric['attributes'];

const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

/** An attribute whose values are not known before, or that may be missing. */
const OPEN: readonly string[] = [];

const HOW_STARTED = ['new', 'continued', 'found'];
const LOSSES = ['taken', 'removed', 'released', 'late', 'locked', 'unreachable'];
// The kinds of `OutcomeKind`, and those that only a cluster has.
const KINDS = ['ok', 'interrupted', 'max_turns', 'budget', 'api_error', 'structured_output'].concat([
  'stopped_by_hook',
  'blocked',
  'execution_error',
  'cancelled',
  'refused',
  'failed',
  'lost',
]);
/** The checks of a cluster's health, in the order of a report. */
export const CLUSTER_CHECKS = ['worker', 'journal', 'journal_disk', 'tables', 'disk'] as const;

const CONVERSATION_STATES = ['idle', 'queued', 'running', 'parked', 'closed'];
const TURN_STATES = ['queued', 'running', 'parked', 'ended'];
const PLACES = ['journal', 'dispatcher', 'agent', 'cli'];

const send = { attributes: messagingAttributes('send') };
const process = { attributes: messagingAttributes('process') };

/** All metrics of a cluster. */
export const CLUSTER_METRICS = {
  sent: count('messaging.client.sent.messages', '{message}', 'Messages stored', send),
  sendDuration: time('messaging.client.operation.duration', 'Time it took to store a message', send),
  consumed: count(
    'messaging.client.consumed.messages',
    '{message}',
    'Turns picked up by a worker, counting each attempt',
    process,
  ),
  processDuration: time('messaging.process.duration', 'Time a worker spent on a turn', process),
  queueWait: time('inboard.cluster.queue.wait', 'Time a turn waited before a worker picked it up', {
    attributes: { [ATTRIBUTE.how]: HOW_STARTED },
  }),
  leases: count('inboard.cluster.leases', '{lease}', 'Leases granted', {
    attributes: { [ATTRIBUTE.how]: ['free', 'taken-over'] },
  }),
  leasesLost: count('inboard.cluster.leases.lost', '{lease}', 'Leases lost by a worker', {
    attributes: { [ATTRIBUTE.why]: LOSSES },
  }),
  takeoverDelay: time(
    'inboard.cluster.takeover.delay',
    'Time between the expiry of a lease and the next one',
  ),
  turns: count('inboard.cluster.turns', '{turn}', 'Turns ended, by outcome', {
    attributes: { [ATTRIBUTE.kind]: KINDS },
  }),
  turnsLeft: count(
    'inboard.cluster.turns.left',
    '{turn}',
    'Turns parked, handed over, or waiting for a budget',
    {
      attributes: { [ATTRIBUTE.left]: ['parked', 'handed-over', 'waiting'] },
    },
  ),
  repeats: count('inboard.cluster.calls.repeated', '{call}', 'Tool calls that had been started before', {
    attributes: { [ATTRIBUTE.answer]: ['recorded', 'run', 'unknown'], [ATTRIBUTE.toolName]: OPEN },
  }),
  completions: count(
    'inboard.cluster.calls.completed',
    '{call}',
    'Tool calls that were cut off, by what became of them',
    {
      attributes: {
        [ATTRIBUTE.answer]: ['recorded', 'ran', 'denied', 'notRun', 'unknown'],
        [ATTRIBUTE.toolName]: OPEN,
      },
    },
  ),
  cost: count('inboard.cluster.cost', '{USD}', 'Cost of the turns that ended here'),
  pauses: count('inboard.cluster.pauses', '{pause}', 'Pauses requested by this worker', {
    attributes: { [ATTRIBUTE.scope]: ['all', 'tenant'] },
  }),
  troubles: count('inboard.cluster.troubles', '{trouble}', 'Operations that failed and are retried', {
    attributes: { [ATTRIBUTE.where]: PLACES },
  }),

  conversations: observe('inboard.cluster.conversations', '{conversation}', 'Conversations, by state', {
    attributes: { [ATTRIBUTE.state]: CONVERSATION_STATES },
  }),
  turnsNow: observe('inboard.cluster.turns.current', '{turn}', 'Turns, by state', {
    attributes: { [ATTRIBUTE.state]: TURN_STATES },
  }),
  oldest: observe(
    'inboard.cluster.queue.oldest',
    's',
    'Time the oldest turn that could run has been waiting',
  ),
  leasesNow: observe('inboard.cluster.leases.current', '{lease}', 'Valid leases'),
  takeovers: observe(
    'inboard.cluster.takeovers',
    '{lease}',
    'Leases that expired instead of being released',
    { kind: 'counter' },
  ),
  questions: observe('inboard.cluster.questions', '{question}', 'Unanswered questions'),
  oldestQuestion: observe(
    'inboard.cluster.questions.oldest',
    's',
    'Time the oldest unanswered question has been waiting',
  ),
  spent: observe('inboard.cluster.spent', '{USD}', 'Cost of all turns', { kind: 'counter' }),
  workers: observe('inboard.cluster.workers', '{worker}', 'Workers that reported within the last minute', {
    attributes: { [ATTRIBUTE.state]: ['working', 'draining', 'silent'] },
  }),
  slots: observe('inboard.cluster.slots', '{turn}', 'Turns that the workers can run at a time, by use', {
    attributes: { [ATTRIBUTE.state]: ['used', 'free'] },
  }),
  pausesNow: observe('inboard.cluster.pauses.current', '{pause}', 'Pauses that hold back new turns now', {
    attributes: { [ATTRIBUTE.scope]: ['all', 'tenant'] },
  }),
  statsOk: observe(
    'inboard.cluster.stats.ok',
    '{check}',
    'Whether the metrics of the whole cluster could be read: 1 if they are there, 0 if they are left out',
  ),
  statsAge: observe('inboard.cluster.stats.age', 's', 'Age of the metrics of the whole cluster'),
  check: observe(
    'inboard.cluster.check',
    '{check}',
    'Checks of this process: 1 if one passes, 0 if it fails',
    {
      attributes: { [ATTRIBUTE.check]: CLUSTER_CHECKS },
    },
  ),
  loopDelay: observe(
    'inboard.cluster.loop.delay',
    's',
    'Longest time within the last minute for which the event loop of this process was held up',
  ),
} satisfies Record<string, Metric>;

interface Further {
  kind?: Metric['kind'];
  attributes?: Attributes;
}

function count(name: string, unit: string, description: string, { attributes = {} }: Further = {}): Metric {
  return { name, kind: 'counter', unit, description, attributes, isObserved: false, bounds: [] };
}

function time(name: string, description: string, { attributes = {} }: Further = {}): Metric {
  return { name, kind: 'histogram', unit: 's', description, attributes, isObserved: false, bounds: BOUNDS };
}

function observe(
  name: string,
  unit: string,
  description: string,
  { kind = 'gauge', attributes = {} }: Further = {},
): Metric {
  return { name, kind, unit, description, attributes, isObserved: true, bounds: [] };
}

function messagingAttributes(operation: string): Attributes {
  return {
    [MESSAGING.system]: ['inboard'],
    [MESSAGING.operation]: [operation],
    [MESSAGING.operationType]: [operation],
    [MESSAGING.destination]: [DESTINATION],
    [ATTRIBUTE.errorType]: OPEN,
  };
}
