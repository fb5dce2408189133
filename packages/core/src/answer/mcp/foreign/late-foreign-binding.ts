// A foreign server bound to a live CLI, of which only the name is known until somebody has a message for it: what
// speaks with foreign servers is 20 kB, and few programs have one.
import { LateModule } from '../../../util/late-module.js';
import { loadPart } from '../../../util/load-part.js';
import type { AnswerContext } from '../../../wire/protocol/answer.js';
import type { McpServerInstance, McpServerManifest } from '../../../wire/protocol/config/mcp-config.js';
import type { LinkInput } from '../binding/cli-link.js';
import type { RpcReply } from '../binding/route-message.js';
import type { ForeignBinding } from './foreign-binding.js';

/** Ends by `close`. Messages reach the server in the order they came in, also those that came while it was loaded. */
export class LateForeignBinding {
  readonly #binding: LateModule<ForeignBinding>;
  #waiting = 0;
  #retired = false;
  #closedBy: Error | undefined;

  constructor(instance: McpServerInstance, input: LinkInput) {
    this.#binding = new LateModule(async () => {
      const { ForeignBinding } = await loadPart(() => import('./foreign-binding.js'));
      const binding = new ForeignBinding(instance, input);
      if (this.#retired) binding.retire();
      return binding;
    });
  }

  /** The tools as the server last listed them; undefined before it was asked. */
  get listings(): unknown[] | undefined {
    return this.#binding.loaded?.listings;
  }

  /** The reply to a message, if it has one. */
  answer(message: unknown, carrier?: AnswerContext): RpcReply | Promise<RpcReply> {
    if (this.#closedBy) throw this.#closedBy;
    return this.#use((binding) => binding.answer(message, carrier));
  }

  /** What it would answer to the CLI's handshake; undefined when it is slow, fails, or speaks another version. */
  async captureManifest(clientVersion: string): Promise<McpServerManifest | undefined> {
    const { captureManifest } = await loadPart(() => import('./capture-manifest.js'));
    return await this.#use((binding) => captureManifest(binding, clientVersion));
  }

  get isIdle(): boolean {
    return this.#waiting === 0 && (this.#binding.loaded?.isIdle ?? true);
  }

  /** Stops notifications; leaves the server when what runs has finished. */
  retire(): void {
    this.#retired = true;
    this.#binding.loaded?.retire();
  }

  /** Cancels what runs and leaves the server; later messages are refused with `reason`. */
  close(reason: Error): void {
    this.#closedBy ??= reason;
    // Behind the messages that wait: they came before, and get the answer of a server that is closed.
    if (this.#waiting > 0)
      void this.#binding.load().then(
        (binding) => binding.close(reason),
        () => {},
      );
    else this.#binding.loaded?.close(reason);
  }

  #use<Result>(use: (binding: ForeignBinding) => Result): Result | Promise<Result> {
    const used = this.#binding.use(use);
    if (this.#binding.loaded) return used;
    this.#waiting += 1;
    return Promise.resolve(used).finally(() => (this.#waiting -= 1));
  }
}
