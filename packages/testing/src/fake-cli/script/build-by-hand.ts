// Builds the steps of a script that takes the host's lines one by one and answers them itself. They are meant for a fake
// that is played by hand (`byHand`), and also work beside the fake's own answers.
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { FakeStep, LineMatcher } from './fake-step.js';

/** Waits for a line from the host and takes it. `respond` and `refuse` find a control request by this name (default: its subtype). */
export function expectLine(matcher: LineMatcher, name?: string): FakeStep {
  return { do: 'expectLine', matcher, name };
}

/** Waits until the host has ended the input. */
export function expectEnd(): FakeStep {
  return { do: 'expectEnd' };
}

/** Answers a control request that `expectLine` took: the last one, or the one named `to`. `fields` stand beside the response. */
export function respond(
  response?: unknown,
  { to, fields = {} }: { readonly to?: string; readonly fields?: WireObject } = {},
): FakeStep {
  return { do: 'respond', to, body: { subtype: 'success', response, ...fields } };
}

/** Answers a control request that `expectLine` took with an error: the last one, or the one named `to`. */
export function refuse(
  error: string,
  { to, code }: { readonly to?: string; readonly code?: string } = {},
): FakeStep {
  return { do: 'respond', to, body: { subtype: 'error', error, error_code: code } };
}
