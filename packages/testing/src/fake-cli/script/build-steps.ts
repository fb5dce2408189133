// Builds the steps of a fake CLI's script. A turn begins with the first step that needs one, as soon as there is a prompt.
// It ends with `endTurn()`, before the next `expectPrompt()`, or with the script. `say`, `think`, `useTool` and `useTools` leave a turn
// open: our own tests need that. Users have the vocabulary that the scripted model plays, too (`script/reply.ts`).
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type {
  FakeStep,
  PromptMatcher,
  RequestTest,
  TaskStart,
  ToolCall,
  ToolCallOptions,
  TurnEnd,
  Until,
} from './fake-step.js';

/** The model says something. If the host asked for partial messages, each entry of a list is streamed as one delta. */
export function say(text: string | readonly string[]): FakeStep {
  return { do: 'say', text };
}

/** The model thinks, before it says or calls something. */
export function think(text: string): FakeStep {
  return { do: 'think', text };
}

/**
 * The model calls a tool. Hooks, permission, call and result follow as in the real CLI. Later steps find the answer in
 * their context.
 */
export function useTool(
  name: string,
  input: Readonly<Record<string, unknown>> = {},
  options: ToolCallOptions = {},
): FakeStep {
  return { do: 'useTools', calls: [{ ...options, name, input }], together: false };
}

/**
 * The model calls several tools in one message. The read-only and parallel tools at the front run concurrently, and all others one by
 * one, as in the real CLI. With `together`, all of them run concurrently.
 */
export function useTools(calls: readonly ToolCall[], { together = false } = {}): FakeStep {
  return { do: 'useTools', calls, together };
}

/** Asks the host whether a tool may be used. No tool is called, but later steps find the answer in their context. */
export function askPermission(
  tool: string,
  input: WireObject = {},
  { cancelWhen, ...fields }: { readonly cancelWhen?: Until; readonly [field: string]: unknown } = {},
): FakeStep {
  return { do: 'askPermission', tool, input, fields, ...(cancelWhen && { cancelWhen }) };
}

/**
 * Calls the hooks that the host registered for an event. Hooks for prompts, tools and the end of a turn are called
 * without this step.
 */
export function fireHook(
  event: string,
  input: WireObject = {},
  options: { readonly cancelWhen?: Until } = {},
): FakeStep {
  return { do: 'fireHook', event, input, ...options };
}

/** Asks the host for input on behalf of a server. */
export function elicit(request: {
  readonly serverName: string;
  readonly message: string;
  readonly requestedSchema?: WireObject;
  readonly url?: string;
}): FakeStep {
  const { serverName, message, requestedSchema, url } = request;
  return ask({
    subtype: 'elicitation',
    mcp_server_name: serverName,
    message,
    mode: url === undefined ? 'form' : 'url',
    ...(requestedSchema && { requested_schema: requestedSchema }),
    ...(url !== undefined && { url }),
  });
}

/** Sends the host any control request and waits for its answer. */
export function ask(request: WireObject, options: { readonly cancelWhen?: Until } = {}): FakeStep {
  return { do: 'ask', request, ...options };
}

/** Starts an agent or a shell in the background. */
export function startTask(task: TaskStart): FakeStep {
  return { do: 'startTask', task };
}

/**
 * Ends a background task, by default the last one started. The CLI then begins a turn of its own, in which the next
 * steps play.
 */
export function finishTask(
  id?: string,
  { status = 'completed', summary = 'Done.' }: { readonly status?: string; readonly summary?: string } = {},
): FakeStep {
  return { do: 'finishTask', id, status, summary };
}

/** Compacts the conversation. Outside a turn, this is the answer to a prompt such as `/compact`. */
export function compact(): FakeStep {
  return { do: 'compact' };
}

/** Sends any message. The session id and a uuid are filled in. */
export function send(message: WireObject): FakeStep {
  return { do: 'send', message };
}

/** Ends the turn: with success, with another result subtype, or with a detailed ending. */
export function endTurn(end: string | TurnEnd = {}): FakeStep {
  return { do: 'endTurn', end: typeof end === 'string' ? { subtype: end } : end };
}

/** Ends the turn if one is open, and waits for the next prompt. If the prompt does not match, `verify()` throws. */
export function expectPrompt(matcher?: PromptMatcher): FakeStep {
  return { do: 'expectPrompt', matcher };
}

/** Waits until the host has sent a control request. The request is answered as usual. */
export function expectControl(subtype: string, matcher?: RequestTest): FakeStep {
  return { do: 'expectControl', subtype, matcher };
}
