// What the CLI says it can do. It says so twice, in the handshake's answer and at the start of each turn, and
// not the same both times.
import type { WireObject } from '../../wire/protocol/codec.js';
import type { SDKControlInitializeResponse } from '../../wire/protocol/control/control.js';
import { knowsControl } from './control-versions.js';

/** Which CLI it is and what it says it can do. */
export interface CliCapabilities {
  /** Undefined when neither its place nor the CLI itself tells. */
  version: string | undefined;
  /** As the CLI names them, like `interrupt_receipt_v1`; some are told only with the first turn. CLIs before 2.1.289 tell none in the handshake. */
  names: string[];
}

/** Collects them; one per session. */
export class CapabilityWatch {
  readonly #version: () => string | undefined;
  readonly #names = new Set<string>();
  #reported: string | undefined;

  /** `version` gives what is known of the CLI before it speaks. */
  constructor(version: () => string | undefined) {
    this.#version = version;
  }

  /** Follows the messages: each turn begins with one that tells. */
  observe(message: WireObject): void {
    if (message['type'] === 'system' && message['subtype'] === 'init') this.note(message);
  }

  /** Notes what the handshake's answer, or the first message of a turn, tells. */
  note(told: WireObject | SDKControlInitializeResponse): void {
    const { capabilities, claude_code_version: version } = told as WireObject;
    if (Array.isArray(capabilities)) for (const name of capabilities) this.#names.add(String(name));
    if (typeof version === 'string') this.#reported = version;
  }

  get known(): CliCapabilities {
    return { version: this.#version() ?? this.#reported, names: [...this.#names] };
  }

  /** Whether a control request is known to the CLI, or a capability is among those it named. */
  has(name: string): boolean {
    return this.#names.has(name) || knowsControl(name, this.known.version);
  }
}
