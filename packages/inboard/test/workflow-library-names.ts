// What workflows import of Temporal's library when they are loaded. It is not installed here, so tests put something in its place.
export const WORKFLOW_LIBRARY = [
  'allHandlersFinished',
  'ApplicationFailure',
  'CancellationScope',
  'CancelledFailure',
  'condition',
  'continueAsNew',
  'defineQuery',
  'defineSignal',
  'defineUpdate',
  'isCancellation',
  'log',
  'proxyActivities',
  'setHandler',
  'sleep',
  'TemporalFailure',
  'workflowInfo',
];
