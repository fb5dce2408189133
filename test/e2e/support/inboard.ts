// What the end-to-end cases use of Inboard: the two doors, and the one way behind them to see the wire.
export * from '../../../src/index.js';
// Cases name tools by the tools themselves.
export type { QueryOptions as Options } from '../../../src/index.js';
export { launchCli } from '../../../src/query/launch.js';
export type { Launch } from '../../../src/query/launch.js';
export { createQuery } from '../../../src/query/query.js';
export type { Transport } from '../../../src/transport/transport.js';
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
} from '../../../src/testing/index.js';
export type {
  IsolatedEnvironment,
  ModelRequest,
  ScriptedModel,
  ScriptedModelOptions,
} from '../../../src/testing/index.js';
