// How many tools load at once where their authors set no `alwaysLoad`. Every tool that the model sees from the start is
// part of every prompt, so there is a limit. The tools beyond it stay behind the CLI's tool search.
import type { ToolListing } from './tool/compiled-tool.js';

/** How many tools load at once by default, over all in-process servers of a session. */
export const MAX_TOOLS_AT_ONCE = 40;

/** How many characters the definitions of those tools may have together: about 8 000 tokens. */
export const MAX_CHARS_AT_ONCE = 32_768;

/** A tool that loads at once if there is room. */
export interface LoadCandidate {
  /** The name the model knows. */
  toolName: string;
  listing: ToolListing;
}

const sizes = new WeakMap<ToolListing, number>();

/** Decides for one live CLI which tools load at once, first come first served. */
export class LoadBudget {
  #loaded: ReadonlySet<string> = new Set();

  /** The names of the tools that load at once. */
  get loaded(): ReadonlySet<string> {
    return this.#loaded;
  }

  /**
   * Decides again. A tool that the CLI was told to load keeps its place, so that the prompt of a running session is
   * stable.
   */
  choose(candidates: readonly LoadCandidate[]): ReadonlySet<string> {
    const before = this.#loaded;
    const loaded = new Set<string>();
    let chars = 0;
    const isKept = ({ toolName }: LoadCandidate): boolean => before.has(toolName);
    const inOrder = [...candidates.filter(isKept), ...candidates.filter((tool) => !isKept(tool))];
    for (const { toolName, listing } of inOrder) {
      // With thousands of tools, most need not be measured.
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
