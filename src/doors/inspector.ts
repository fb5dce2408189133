// The door `inboard/inspector`: a page on which the sessions of a program are watched and steered.
export { inspect } from '../inspector/inspect.js';
export type { InspectableObject, InspectOptions, Inspector } from '../inspector/inspect.js';
