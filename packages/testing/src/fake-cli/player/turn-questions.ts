// Asks the questions that belong to a turn: permissions, and the host's hooks. While a permission is open, the state of
// the CLI is `requires_action`.
import { randomUUID } from '@inboard/core/util/random-uuid.js';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { AskedQuestion, HostConnection } from '../host/host-connection.js';
import { findHooks, judgeHooks, type HookVerdict } from '../host/host-hooks.js';
import type { MessageWriter } from '../host/message-writer.js';
import type { RunParts } from '../run-parts.js';
import type { RunState } from '../run-state.js';
import type { Until } from '../script/fake-step.js';

/** The tool for which a hook is called, and when the question is withdrawn. */
export interface HookOccasion {
  readonly tool?: string;
  readonly toolUseId?: string;
  readonly cancelWhen?: Until | undefined;
}

export class TurnQuestions {
  readonly #state: RunState;
  readonly #host: HostConnection;
  readonly #writer: MessageWriter;
  #openPermissions = 0;

  constructor({ state, host, writer }: RunParts) {
    this.#state = state;
    this.#host = host;
    this.#writer = writer;
  }

  askPermission(request: WireObject): AskedQuestion {
    this.#openPermissions += 1;
    if (this.#openPermissions === 1) this.#writer.changeState('requires_action');
    const asked = this.#host.ask(request);
    const reply = asked.reply.then((answer) => {
      this.#openPermissions -= 1;
      if (this.#openPermissions === 0) this.#writer.changeState('running');
      return answer;
    });
    reply.catch(() => {});
    return { ...asked, reply };
  }

  /** Forgets the open permissions of a turn that was interrupted. */
  dropPermissions(): void {
    if (this.#openPermissions > 0) this.#writer.changeState('running');
    this.#openPermissions = 0;
  }

  /** Calls the hooks for an event and waits for all of them. */
  async fireHooks(
    event: string,
    input: WireObject,
    { tool, toolUseId = randomUUID(), cancelWhen }: HookOccasion = {},
  ): Promise<HookVerdict> {
    const writer = this.#writer;
    const asked = findHooks(this.#state.initialize ?? {}, event, tool).map((id) =>
      this.#host.ask({
        subtype: 'hook_callback',
        callback_id: id,
        input: {
          session_id: writer.sessionId,
          transcript_path: '',
          cwd: writer.cwd,
          permission_mode: writer.permissionMode,
          hook_event_name: event,
          ...input,
        },
        tool_use_id: toolUseId,
      }),
    );
    for (const { question } of asked) this.#host.cancelWhen(question, cancelWhen);
    const replies = await Promise.all(asked.map(({ reply }) => reply));
    if (replies.some(({ kind }) => kind === 'failure')) {
      writer.newerSystem('informational', { level: 'warning', tag: 'hook_callback_failed' });
    }
    return judgeHooks(replies);
  }
}
