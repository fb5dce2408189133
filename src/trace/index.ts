// The door `inboard/trace`: record what passes between a program and the CLI, replay it, look at it.
export { tapTransport } from './tap-transport.js';
export type { WireListener } from './tap-transport.js';
