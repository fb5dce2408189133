// The words a scripted CLI is written in: steps, and the messages it sends.
import type { Step } from '../fixtures/children/play-script.mjs';

export type { Step } from '../fixtures/children/play-script.mjs';

const SESSION = { session_id: 'session-1' };

/** What a CLI answers to the handshake, as far as anybody looks at it. */
export const INITIALIZE_REPLY = {
  commands: [{ name: 'help', description: 'Help', argumentHint: '' }],
  agents: [{ name: 'Explore', description: 'Looks around' }],
  output_style: 'default',
  available_output_styles: ['default'],
  models: [{ value: 'default', displayName: 'Default', description: 'The default' }],
  account: { tokenSource: 'none' },
  hook_on_failure_supported: true,
};

export const expectLine = (match: string | object, as?: string): Step => ({ do: 'expect', match, as });
export const reply = (response?: unknown, to?: string): Step => ({ do: 'reply', response, to });
export const refuse = (error: string, code?: string): Step => ({ do: 'refuse', error, code });
export const emit = (...messages: object[]): Step => ({ do: 'emit', messages });
export const ask = (id: string, request: object): Step => ({ do: 'ask', id, request });
export const answered = (id: string): Step => ({ do: 'answered', id });
export const mark = (name: string): Step => ({ do: 'mark', name });
export const exit = (code: number): Step => ({ do: 'exit', code });
export const AWAIT_END: Step = { do: 'awaitEnd' };
export const HANG: Step = { do: 'hang' };

/** Takes the handshake and answers it. */
export const handshake = (more: object = {}): Step[] => [
  expectLine('initialize'),
  reply({ ...INITIALIZE_REPLY, ...more }, 'initialize'),
];

export const init = (): object => ({
  type: 'system',
  subtype: 'init',
  model: 'scripted',
  tools: [],
  ...SESSION,
});
export const state = (value: 'idle' | 'running' | 'requires_action', more: object = {}): object => ({
  type: 'system',
  subtype: 'session_state_changed',
  state: value,
  sdk_host_only: true,
  ...SESSION,
  ...more,
});
export const assistant = (text: string): object => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
  parent_tool_use_id: null,
  ...SESSION,
});
export const result = (more: object = {}): object => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'done',
  num_turns: 1,
  ...SESSION,
  ...more,
});
export const badResult = (more: object = {}): object =>
  result({ is_error: true, result: 'API Error: 400', terminal_reason: 'api_error', ...more });
export const lifecycle = (uuid: string, value: string): object => ({
  type: 'command_lifecycle',
  command_uuid: uuid,
  state: value,
  ...SESSION,
});

/** A turn as a CLI that reports its state plays it, from the user line to idle. */
export const turn = (text = 'hello', more: object = {}): Step[] => [
  expectLine('user'),
  emit(state('running'), init(), assistant(text)),
  emit(result(more)),
  emit(state('idle')),
];

/** A turn as a CLI that reports nothing plays it. */
export const oldTurn = (text = 'hello'): Step[] => [
  expectLine('user'),
  emit(init(), assistant(text), result()),
];

export const canUseTool = (more: object = {}): object => ({
  subtype: 'can_use_tool',
  tool_name: 'Bash',
  input: { command: 'ls' },
  tool_use_id: 'toolu_1',
  ...more,
});
export const hookCallback = (more: object = {}): object => ({
  subtype: 'hook_callback',
  callback_id: 'hook_0',
  input: { hook_event_name: 'PreToolUse', tool_name: 'Bash' },
  tool_use_id: 'toolu_1',
  ...more,
});
