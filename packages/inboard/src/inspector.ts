// The entry point `inboard/inspector`: a page on which the sessions of a program are watched and steered.
export { inspect } from '@inboard/inspector/inspect.js';
export type { InspectableObject, Inspector } from '@inboard/inspector/inspect.js';
export type { InspectOptions } from '@inboard/inspector/inspect-options.js';
export { InspectorError } from '@inboard/core/errors.js';
export type { InspectorFault } from '@inboard/core/errors.js';
