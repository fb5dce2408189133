// What the end-to-end cases use of Inboard: the two doors, and the one way behind them to see the wire.
export * from '../../../src/index.js';
export { launchCli } from '../../../src/query/launch.js';
export type { Launch, Launched } from '../../../src/query/launch.js';
export { createQuery } from '../../../src/query/query.js';
export type { Transport, TransportReceiver } from '../../../src/transport/transport.js';
export {
  apiError,
  createIsolatedEnvironment,
  cut,
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
  Step,
} from '../../../src/testing/index.js';
