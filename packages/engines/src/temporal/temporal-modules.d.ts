// The modules of Temporal's SDK that are imported by their names. What is used of them is described in `activity-library.ts` and
// `workflow/workflow-library.ts`, so that neither this project nor the published declarations need the SDK. `test/engines/types`
// compares the descriptions with the real packages.
declare module '@temporalio/activity' {
  const library: import('./activity-library.js').ActivityLibrary;
  export = library;
}

declare module '@temporalio/workflow' {
  const library: import('./workflow/workflow-library.js').WorkflowLibrary;
  export = library;
}
