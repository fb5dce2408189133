// The modules of DBOS that are imported by their names. What is used of them is described in `dbos-library.ts`, so that neither this
// project nor the published declarations need DBOS.
/* oxlint-disable consistent-type-imports -- a declaration of a module cannot import a file by its path */
declare module '@dbos-inc/dbos-sdk' {
  type Library = import('./dbos-library.js').DbosLibrary;
  export const DBOS: Library['DBOS'];
}

declare module '@dbos-inc/dbos-sdk/datasource' {
  type Library = import('./dbos-library.js').DbosLibrary;
  export const assertStillOwnsWorkflow: Library['assertStillOwnsWorkflow'];
}
