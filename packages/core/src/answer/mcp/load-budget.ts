// Decides which tools the model sees from the start if their authors set no `alwaysLoad`. Tools that it sees from the start
// are part of every prompt, so there is a limit. The model finds the other tools with the CLI's tool search.
import type { ToolListing } from './tool/compiled-tool.js';

/** The most tools that the model sees from the start by default, over all in-process servers of a session. */
export const MAX_TOOLS_AT_ONCE = 40;

/** The most characters that the definitions of these tools may have together. They are about 8 000 tokens. */
export const MAX_CHARS_AT_ONCE = 32_768;

/** A tool that the model sees from the start if there is room. */
export interface LoadCandidate {
  /** The name the model knows. */
  toolName: string;
  listing: ToolListing;
}

const sizes = new WeakMap<ToolListing, number>();

/** Decides for one live CLI which tools the model sees from the start, and remembers its choice. */
export class LoadBudget {
  #loaded: ReadonlySet<string> = new Set();

  /** The names of the tools that the model sees from the start, as last chosen. */
  get loaded(): ReadonlySet<string> {
    return this.#loaded;
  }

  /**
   * Decides for the tools as they are now. Tools that were chosen before get room first, so that the prompt of a running
   * session stays the same. The others follow in their order.
   */
  choose(candidates: readonly LoadCandidate[]): ReadonlySet<string> {
    const before = this.#loaded;
    const loaded = new Set<string>();
    let chars = 0;
    const isKept = ({ toolName }: LoadCandidate): boolean => before.has(toolName);
    const inOrder = [...candidates.filter(isKept), ...candidates.filter((tool) => !isKept(tool))];
    for (const { toolName, listing } of inOrder) {
      // Leaving here saves measuring the rest, which may be thousands of tools.
      if (loaded.size >= MAX_TOOLS_AT_ONCE) break;
      const size = measure(listing);
      if (chars + size > MAX_CHARS_AT_ONCE) continue;
      loaded.add(toolName);
      chars += size;
    }
    this.#loaded = loaded;
    return loaded;
  }
}

/** The number of characters that the model gets of a tool. */
function measure(listing: ToolListing): number {
  let size = sizes.get(listing);
  if (size === undefined) {
    const { name, description, inputSchema } = listing;
    size = JSON.stringify({ name, description, inputSchema }).length;
    sizes.set(listing, size);
  }
  return size;
}
