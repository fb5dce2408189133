// Holds what each open call of the live turn does: whether its handler works, or what it waits for. `recorded-calls` reports
// it, and `waiting-release` decides by it whether the CLI is needed meanwhile.

/**
 * What an open call does. `working`: its handler runs and needs the CLI. `person`: its handler waits for a person. `pending`:
 * its handler has ended, and the result comes later. `detached`: its handler runs and does not need the CLI.
 */
export type CallActivity = 'working' | 'person' | 'pending' | 'detached';

/** One per conversation. */
export class OpenWaits {
  readonly #calls = new Map<string, CallActivity>();
  /** Called after each change. */
  onChange: (() => void) | undefined;

  /** Notes that the call has begun, or does something else from now on. */
  set(callKey: string, activity: CallActivity): void {
    if (this.#calls.get(callKey) === activity) return;
    this.#calls.set(callKey, activity);
    this.onChange?.();
  }

  /** Undefined for a call that is not open. */
  get(callKey: string): CallActivity | undefined {
    return this.#calls.get(callKey);
  }

  /** Notes that the call has a result, or will have none. */
  end(callKey: string): void {
    if (this.#calls.delete(callKey)) this.onChange?.();
  }
}
