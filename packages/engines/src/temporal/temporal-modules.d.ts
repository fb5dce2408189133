// The modules of Temporal's SDK that are imported by their names. What is used of them is described in `activity-library.ts` and
// `workflow/workflow-library.ts`, so that neither this project nor the published declarations need the SDK. `test/engines/temporal`
// runs both on the real packages.
declare module '@temporalio/activity' {
  import type { ActivityLibrary as Library } from '@inboard/engines/temporal/activity-library.js';
  export const ApplicationFailure: Library['ApplicationFailure'];
  export const Context: Library['Context'];
}

declare module '@temporalio/workflow' {
  import type { WorkflowLibrary as Library } from '@inboard/engines/temporal/workflow/workflow-library.js';
  export const allHandlersFinished: Library['allHandlersFinished'];
  export const ApplicationFailure: Library['ApplicationFailure'];
  export const CancellationScope: Library['CancellationScope'];
  export const CancelledFailure: Library['CancelledFailure'];
  export const condition: Library['condition'];
  export const continueAsNew: Library['continueAsNew'];
  export const defineQuery: Library['defineQuery'];
  export const defineSignal: Library['defineSignal'];
  export const defineUpdate: Library['defineUpdate'];
  export const isCancellation: Library['isCancellation'];
  export const log: Library['log'];
  export const proxyActivities: Library['proxyActivities'];
  export const setHandler: Library['setHandler'];
  export const sleep: Library['sleep'];
  export const TemporalFailure: Library['TemporalFailure'];
  export const workflowInfo: Library['workflowInfo'];
}
