// What the CLI says it can do. It says so twice, in the handshake's answer and at the start of each turn, and the two
// lists differ.
import type { WireObject } from '../../wire/protocol/codec.js';
import type { SDKControlInitializeResponse } from '../../wire/protocol/control/control.js';
import { knowsControl } from './control-versions.js';
import type { CliCapabilities } from './controls.js';

/** Collects the capabilities of one live CLI. */
export class CapabilityWatch {
  readonly #version: () => string | undefined;
  readonly #onReported: (version: string) => void;
  readonly #names = new Set<string>();
  #reported: string | undefined;

  /** `version` returns the CLI's version as far as it is known from outside; `onReported` is told what the CLI says of it. */
  constructor(version: () => string | undefined, onReported: (version: string) => void = () => {}) {
    this.#version = version;
    this.#onReported = onReported;
  }

  /** Watches the messages for the one that begins a turn. */
  observe(message: WireObject): void {
    if (message['type'] === 'system' && message['subtype'] === 'init') this.note(message);
  }

  /** Adds what the handshake's answer, or the first message of a turn, names. */
  note(source: WireObject | SDKControlInitializeResponse): void {
    const { capabilities, claude_code_version: version } = source as WireObject;
    if (Array.isArray(capabilities)) for (const name of capabilities) this.#names.add(String(name));
    if (typeof version !== 'string') return;
    this.#reported = version;
    this.#onReported(version);
  }

  get known(): CliCapabilities {
    return { version: this.#version() ?? this.#reported, names: [...this.#names] };
  }

  /** Whether the CLI knows a control request of this name, or named such a capability. */
  has(name: string): boolean {
    return this.#names.has(name) || knowsControl(name, this.known.version);
  }
}
