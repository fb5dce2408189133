// Owns the bindings of one live CLI, by server name. Servers can be swapped. Until the CLI agrees, both the old and the
// new ones answer. Calls that still run in a removed server may finish.
import { SessionClosedError } from '../../errors.js';
import type { McpSdkServerConfigWithInstance } from '../../wire/protocol/config/mcp-config.js';
import type { LinkInput } from './binding/cli-link.js';
import { checkInstance } from './foreign/is-server-instance.js';
import { LateForeignBinding } from './foreign/late-foreign-binding.js';
import { ServerBinding } from './server/server-binding.js';
import { catalogOf, ToolServer } from './server/tool-server.js';

/** In-process servers by their key in `mcpServers`. */
export type SdkServers = Readonly<Record<string, McpSdkServerConfigWithInstance>>;

/** A server's configuration and its binding to the live CLI. */
export interface BoundServer {
  config: McpSdkServerConfigWithInstance;
  binding: ServerBinding | LateForeignBinding;
}

/** A change of servers that the CLI has not agreed to yet. Old and new servers both answer. */
export interface ServerSwap {
  commit(): void;
  rollback(): void;
}

type Version = Map<string, BoundServer>;

/** All bindings of one live CLI. Its maker calls `close`. */
export class ServerTable {
  readonly #linkOf: (name: string) => LinkInput;
  readonly #retired = new Set<BoundServer['binding']>();
  #current: Version;
  #pending: Version[] = [];

  constructor(servers: SdkServers, linkOf: (name: string) => LinkInput) {
    this.#linkOf = linkOf;
    this.#current = this.#bindAll(servers, new Map());
  }

  /** The servers as they will be if the CLI agrees to everything. */
  get latest(): ReadonlyMap<string, BoundServer> {
    return this.#pending.at(-1) ?? this.#current;
  }

  find(name: string): BoundServer | undefined {
    for (let index = this.#pending.length - 1; index >= 0; index -= 1) {
      const found = this.#pending[index]?.get(name);
      if (found) return found;
    }
    return this.#current.get(name);
  }

  /** Prepares a change of all servers; finish with `commit` or `rollback`. */
  replace(servers: SdkServers): ServerSwap {
    const next = this.#bindAll(servers, this.latest);
    this.#pending.push(next);
    return {
      commit: () => {
        const index = this.#pending.indexOf(next);
        if (index === -1) return;
        // Earlier changes that are still undecided are superseded.
        const dropped = [this.#current, ...this.#pending.splice(0, index + 1)];
        this.#current = next;
        for (const version of dropped) this.#retireUnused(version);
      },
      rollback: () => {
        const index = this.#pending.indexOf(next);
        if (index === -1) return;
        this.#pending.splice(index, 1);
        this.#retireUnused(next);
      },
    };
  }

  close(reason: Error): void {
    for (const binding of [...this.#bindings(), ...this.#retired]) binding.close(reason);
    this.#retired.clear();
  }

  #bindings(): Set<BoundServer['binding']> {
    const versions = [this.#current, ...this.#pending];
    return new Set(versions.flatMap((version) => [...version.values()].map(({ binding }) => binding)));
  }

  /** Retires the bindings that no version uses any more. Their calls may finish until the table is closed. */
  #retireUnused(version: Version): void {
    const used = this.#bindings();
    for (const { binding } of version.values()) {
      if (used.has(binding)) continue;
      binding.retire();
      this.#retired.add(binding);
    }
    for (const binding of this.#retired) {
      if (!binding.isIdle) continue;
      this.#retired.delete(binding);
      // No message reaches the binding any more. Closing it tells the server that this connection is over.
      if (binding instanceof ServerBinding) binding.close(new SessionClosedError('The server was replaced'));
    }
  }

  #bindAll(servers: SdkServers, before: ReadonlyMap<string, BoundServer>): Version {
    const version: Version = new Map();
    for (const [name, config] of Object.entries(servers)) {
      const known = before.get(name);
      // A server object that keeps its name keeps its binding, with its running calls.
      const isSame = known !== undefined && known.config.instance === config.instance;
      const binding = isSame ? known.binding : bindServer(config, this.#linkOf(name));
      version.set(name, { config, binding });
    }
    return version;
  }
}

function bindServer({ instance }: McpSdkServerConfigWithInstance, link: LinkInput): BoundServer['binding'] {
  checkInstance(link.name, instance);
  const isOurs = (instance as unknown) instanceof ToolServer;
  return isOurs
    ? new ServerBinding(catalogOf(instance as unknown as ToolServer), link)
    : new LateForeignBinding(instance, link);
}
