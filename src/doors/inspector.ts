// The door `inboard/inspector`: a page on which the sessions of a program are watched and steered.
export { inspect } from '../inspector/inspect.js';
export type { InspectableObject, Inspector } from '../inspector/inspect.js';
export type { InspectOptions } from '../inspector/inspect-options.js';
export { InspectorError } from '../errors.js';
export type { InspectorFault } from '../errors.js';
