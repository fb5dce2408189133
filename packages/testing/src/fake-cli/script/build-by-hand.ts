// Builds the steps with which a script reads the host's lines one by one and answers them itself. They are meant for a
// fake with the option `byHand`, but also work while the fake answers by itself.
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { FakeStep, LineMatcher } from './fake-step.js';

/**
 * Waits for a line from the host and reads it. `respond` and `refuse` find a control request by `name`, by default its
 * subtype.
 */
export function expectLine(matcher: LineMatcher, name?: string): FakeStep {
  return { do: 'expectLine', matcher, name };
}

/** Waits until the host has ended the input. */
export function expectEnd(): FakeStep {
  return { do: 'expectEnd' };
}

/**
 * Answers a control request that `expectLine` read: the last one, or the one named `to`. `fields` are added beside
 * `response`.
 */
export function respond(
  response?: unknown,
  { to, fields = {} }: { readonly to?: string; readonly fields?: WireObject } = {},
): FakeStep {
  return { do: 'respond', to, body: { subtype: 'success', response, ...fields } };
}

/** Refuses a control request that `expectLine` read: the last one, or the one named `to`. The answer is an error. */
export function refuse(
  error: string,
  { to, code }: { readonly to?: string; readonly code?: string } = {},
): FakeStep {
  return { do: 'respond', to, body: { subtype: 'error', error, error_code: code } };
}
