// What the end-to-end cases use of Inboard: the two doors, and the one way behind them to see the wire.
export * from '../../../src/doors/index.js';
// Cases name tools by the tools themselves.
export type { QueryOptions as Options } from '../../../src/doors/index.js';
export { launchCli } from '../../../src/live/launch.js';
export { readHost } from '../../../src/live/launch-host.js';
export type { Launch } from '../../../src/live/launch.js';
export { createQuery } from '../../../src/verbs/query/query.js';
export type { Transport } from '../../../src/wire/transport/transport.js';
export {
  apiError,
  createIsolatedEnvironment,
  gate,
  held,
  reply,
  startScriptedModel,
  text,
  thinking,
  toolUse,
} from '../../../src/doors/testing.js';
export type {
  IsolatedEnvironment,
  ModelRequest,
  ScriptedModel,
  ScriptedModelOptions,
} from '../../../src/doors/testing.js';
