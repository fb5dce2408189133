// Keeps what a person can choose for a session: the permission mode and the model. Editors with older versions of the protocol
// know only modes, and newer ones know a list of options, so the editor gets both.
import type { SessionConfigOption, SessionMode, SessionModeState } from '@agentclientprotocol/sdk';
import type { ModelInfo } from '@inboard/core/wire/protocol/control/initialize-reply.js';
import type { PermissionMode } from '@inboard/core/wire/protocol/control/permissions.js';
import { AcpRefusal } from './acp-refusal.js';

const MODES: Readonly<Record<PermissionMode, Omit<SessionMode, 'id'>>> = {
  default: { name: 'Ask', description: 'Asks before it changes files or runs commands' },
  acceptEdits: {
    name: 'Accept edits',
    description: 'Changes files without asking, asks before it runs commands',
  },
  plan: { name: 'Plan', description: 'Reads and plans, and changes nothing' },
  dontAsk: {
    name: 'Do not ask',
    description: 'Does what the rules allow, and denies the rest without asking',
  },
  auto: { name: 'Automatic', description: 'A classifier decides in place of a person where it can' },
  bypassPermissions: { name: 'Bypass permissions', description: 'Runs everything without asking' },
};

/** The modes that every session has. */
const USUAL: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan'];

/** The chosen mode and model of one session, and those that can be chosen. */
export class SessionConfig {
  readonly #modes: PermissionMode[];
  readonly #models: readonly ModelInfo[];
  #mode: PermissionMode;
  #model: string;

  constructor(chosen: {
    mode: PermissionMode;
    /** Whether the session may be switched to `bypassPermissions`. */
    mayBypass: boolean;
    models: readonly ModelInfo[];
    model: string | undefined;
  }) {
    this.#mode = chosen.mode;
    this.#modes = [
      ...new Set([...USUAL, chosen.mode, ...(chosen.mayBypass ? (['bypassPermissions'] as const) : [])]),
    ];
    const [first] = chosen.models;
    this.#model = chosen.model ?? first?.value ?? 'default';
    const isListed = chosen.models.some(({ value }) => value === this.#model);
    const unlisted = { value: this.#model, displayName: this.#model, description: '' };
    this.#models = isListed ? chosen.models : [unlisted, ...chosen.models];
  }

  /** Notes the current mode. Returns false if it has not changed. */
  noteMode(mode: PermissionMode): boolean {
    if (mode === this.#mode) return false;
    this.#mode = mode;
    if (!this.#modes.includes(mode)) this.#modes.push(mode);
    return true;
  }

  /** Notes that the model changed. */
  noteModel(model: string): void {
    this.#model = model;
  }

  /** Reads a mode. Throws an AcpRefusal for a mode that cannot be chosen. */
  readMode(id: unknown): PermissionMode {
    const mode = this.#modes.find((one) => one === id);
    if (mode !== undefined) return mode;
    const hint =
      id === 'bypassPermissions'
        ? ' It is available if the agent is started with allowDangerouslySkipPermissions.'
        : '';
    throw new AcpRefusal(
      'invalidParams',
      `This session has no mode "${String(id)}"; it has ${this.#modes.join(', ')}.${hint}`,
    );
  }

  /** Reads a model. Throws an AcpRefusal for a model that cannot be chosen. */
  readModel(value: unknown): string {
    const model = this.#models.find((one) => one.value === value);
    if (model !== undefined) return model.value;
    const names = this.#models.map((one) => one.value).join(', ');
    throw new AcpRefusal('invalidParams', `There is no model "${String(value)}". The models are ${names}.`);
  }

  /** The modes, in the form that older editors take. */
  get modes(): SessionModeState {
    return {
      currentModeId: this.#mode,
      availableModes: this.#modes.map((id) => ({ id, ...MODES[id] })),
    };
  }

  /** Everything that can be chosen. */
  get options(): SessionConfigOption[] {
    const mode: SessionConfigOption = {
      type: 'select',
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      currentValue: this.#mode,
      options: this.#modes.map((value) => ({ value, ...MODES[value] })),
    };
    const model: SessionConfigOption = {
      type: 'select',
      id: 'model',
      name: 'Model',
      category: 'model',
      currentValue: this.#model,
      options: this.#models.map(({ value, displayName, description }) => ({
        value,
        name: displayName,
        description,
      })),
    };
    return [mode, model];
  }
}
