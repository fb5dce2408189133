// Binds a foreign server (one that this library did not create) to a live CLI. It loads the code for that
// (`foreign-binding`) on first use, because the code has 20 kB and few programs have a foreign server.
import { LateModule } from '../../../util/late-module.js';
import { loadPart } from '../../../util/load-part.js';
import type { AnswerContext } from '../../../wire/protocol/answer.js';
import type { McpServerInstance, McpServerManifest } from '../../../wire/protocol/config/mcp-config.js';
import type { LinkInput } from '../binding/cli-link.js';
import type { RpcReply } from '../binding/route-message.js';
import type { ForeignBinding } from './foreign-binding.js';

/** A foreign server's binding. Messages that come while its code loads keep their order. Its owner calls `close`. */
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

  /** The tools as the server last listed them; undefined before its first list. */
  get listings(): unknown[] | undefined {
    return this.#binding.loaded?.listings;
  }

  /** The reply to a message, if it has one. */
  answer(message: unknown, carrier?: AnswerContext): RpcReply | Promise<RpcReply> {
    if (this.#closedBy) throw this.#closedBy;
    return this.#use((binding) => binding.answer(message, carrier));
  }

  /**
   * The server's answers to the CLI's MCP handshake. Undefined when the server is slow, fails, or speaks another version
   * of the protocol.
   */
  async captureManifest(clientVersion: string): Promise<McpServerManifest | undefined> {
    const { captureManifest } = await loadPart(() => import('./capture-manifest.js'));
    return await this.#use((binding) => captureManifest(binding, clientVersion));
  }

  get isIdle(): boolean {
    return this.#waiting === 0 && (this.#binding.loaded?.isIdle ?? true);
  }

  /** Stops broadcasts to the CLI. Leaves the server when the running calls have finished. */
  retire(): void {
    this.#retired = true;
    this.#binding.loaded?.retire();
  }

  /** Cancels the running calls and leaves the server. Later messages are refused with `reason`. */
  close(reason: Error): void {
    this.#closedBy ??= reason;
    // Messages that wait for the code came before the close. They are delivered first, and then the close cancels them.
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
