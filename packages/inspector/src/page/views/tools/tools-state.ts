// The reader's choices and inputs in the tools view, kept while other views are shown.
import { signal, type Signal } from '@preact/signals';
import { createDraft, type FormDraft } from '../../../model/form/form-draft.js';
import { initialObject } from '../../../model/form/initial-value.js';
import type { ActionError } from '../../../model/page-contract.js';
import type { ToolEntry } from '../../../model/tools/tool-entry.js';
import type { Store } from '../../store/store.js';

/** A call that was made by hand. */
export interface HandCall {
  id: number;
  /** Milliseconds since 1970. */
  at: number;
  input: Record<string, unknown>;
  /** Undefined while it runs, and if it gave no result. */
  result: unknown;
  durationMs: number | undefined;
  error: ActionError | undefined;
  isRunning: boolean;
}

/** The form of a tool, and the calls made with it, newest first. */
export interface HandState {
  draft: FormDraft;
  isTried: boolean;
  calls: readonly HandCall[];
}

interface ToolsState {
  filter: Signal<string>;
  /** The name of the tool that is shown, by session. */
  chosen: Signal<Readonly<Record<string, string>>>;
  hand: Map<string, Signal<HandState>>;
}

const states = new WeakMap<Store, ToolsState>();

/** The state of a page's tools view. */
export function toolsState(store: Store): ToolsState {
  let state = states.get(store);
  if (!state) states.set(store, (state = { filter: signal(''), chosen: signal({}), hand: new Map() }));
  return state;
}

/** The form and the calls by hand of a tool. */
export function handState(store: Store, session: string, tool: ToolEntry): Signal<HandState> {
  const { hand } = toolsState(store);
  const key = `${session} ${tool.toolName}`;
  let state = hand.get(key);
  if (!state) {
    const draft = createDraft(initialObject(tool.inputSchema));
    hand.set(key, (state = signal<HandState>({ draft, isTried: false, calls: [] })));
  }
  return state;
}
