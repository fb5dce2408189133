// What the end-to-end cases use of Inboard: the two entry points, and the one way behind them to see the wire.
export * from '../../../packages/inboard/src/index.js';
// Cases name tools by the tools themselves.
export type { QueryOptions as Options } from '../../../packages/inboard/src/index.js';
export { launchCli } from '../../../packages/core/src/live/launch.js';
export { readHost } from '../../../packages/core/src/live/launch-host.js';
export type { Launch } from '../../../packages/core/src/live/launch.js';
export { createQuery } from '../../../packages/core/src/verbs/query/query.js';
export type { Transport } from '../../../packages/core/src/wire/transport/transport.js';
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
} from '../../../packages/inboard/src/testing.js';
export type {
  IsolatedEnvironment,
  ModelRequest,
  ScriptedModel,
  ScriptedModelOptions,
} from '../../../packages/inboard/src/testing.js';
