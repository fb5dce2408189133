// Collects what the CLI says it can do. The CLI says so in the handshake's answer and at the start of each turn. The
// two lists differ, so both are kept.
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

  /**
   * `version` returns the CLI's version if the live CLI knows it. `onReported` gets the version that the CLI reports.
   */
  constructor(version: () => string | undefined, onReported: (version: string) => void = () => {}) {
    this.#version = version;
    this.#onReported = onReported;
  }

  /** Watches the messages for the one that begins a turn. */
  observe(message: WireObject): void {
    if (message['type'] === 'system' && message['subtype'] === 'init') this.note(message);
  }

  /** Adds the capabilities and the version named in the handshake's answer or in the first message of a turn. */
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
