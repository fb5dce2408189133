// The message union and its guards. What only the type checker can see is checked by `npm run types`.
import { anything, assert, property } from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  isAssistantMessage,
  isResultMessage,
  isSessionStateChanged,
  isSystemInit,
  isUserMessage,
  type SDKActiveGoalMessage,
  type SDKAssistantMessage,
  type SDKMessage,
  type SDKResultError,
  type SDKResultMessage,
  type SDKResultSuccess,
  type SDKSystemMessage,
  type SDKUserMessage,
  type SDKUserMessageReplay,
} from '../../packages/core/src/wire/protocol/messages/messages.js';

describe('SDKMessage', () => {
  it('is a union that the checker can take apart completely', () => {
    expectTypeOf<SDKMessage>().not.toBeAny();
    expectTypeOf<SDKMessage>().not.toBeNever();
    expectTypeOf<SDKMessage['type']>().toEqualTypeOf<
      | 'assistant'
      | 'user'
      | 'result'
      | 'system'
      | 'stream_event'
      | 'tool_progress'
      | 'auth_status'
      | 'tool_use_summary'
      | 'rate_limit_event'
      | 'prompt_suggestion'
      | 'conversation_reset'
    >();
    expectTypeOf<Extract<SDKMessage, { type: 'system' }>['subtype']>().toEqualTypeOf<
      | 'init'
      | 'compact_boundary'
      | 'status'
      | 'api_retry'
      | 'control_request_progress'
      | 'model_refusal_fallback'
      | 'model_refusal_no_fallback'
      | 'local_command_output'
      | 'hook_started'
      | 'hook_progress'
      | 'hook_response'
      | 'plugin_install'
      | 'task_started'
      | 'task_progress'
      | 'task_updated'
      | 'task_notification'
      | 'background_tasks_changed'
      | 'thinking_tokens'
      | 'session_state_changed'
      | 'worker_shutting_down'
      | 'commands_changed'
      | 'notification'
      | 'files_persisted'
      | 'memory_recall'
      | 'elicitation_complete'
      | 'permission_denied'
      | 'mirror_error'
      | 'informational'
      | 'session_writes_lost'
    >();
    expectTypeOf<SDKActiveGoalMessage>().not.toExtend<SDKMessage>();
  });

  it('leaves nothing over after a switch on type, and a default branch still runs for what is newer', () => {
    function describeMessage(message: SDKMessage): string {
      switch (message.type) {
        case 'assistant':
          return message.message.model;
        case 'user':
          return message.message.role;
        case 'result':
          return message.subtype === 'success' ? message.result : message.errors.join();
        case 'system':
          return message.subtype === 'init' ? message.cwd : message.subtype;
        case 'stream_event':
          return message.event.type;
        case 'tool_progress':
          return message.tool_name;
        case 'auth_status':
          return message.output.join();
        case 'tool_use_summary':
          return message.summary;
        case 'rate_limit_event':
          return message.rate_limit_info.status;
        case 'prompt_suggestion':
          return message.suggestion;
        case 'conversation_reset':
          return message.new_conversation_id;
        default: {
          expectTypeOf(message).toBeNever();
          return 'newer than this';
        }
      }
    }
    const newer: unknown = { type: 'from_the_future' };
    expect(describeMessage(newer as SDKMessage)).toBe('newer than this');
  });

  it('lets a wire object be read as a plain record', () => {
    expectTypeOf<SDKAssistantMessage>().toExtend<Record<string, unknown>>();
    expectTypeOf<SDKMessage>().toExtend<Record<string, unknown>>();
  });
});

describe('SDKResultMessage', () => {
  it('discriminates on subtype', () => {
    expectTypeOf<Extract<SDKResultMessage, { subtype: 'success' }>>().toEqualTypeOf<SDKResultSuccess>();
    expectTypeOf<Exclude<SDKResultMessage, { subtype: 'success' }>>().toEqualTypeOf<SDKResultError>();
    expectTypeOf<SDKResultSuccess>().not.toHaveProperty('errors');
    expectTypeOf<SDKResultError>().not.toHaveProperty('result');
    expectTypeOf<SDKResultError['subtype']>().toEqualTypeOf<
      | 'error_during_execution'
      | 'error_max_turns'
      | 'error_max_budget_usd'
      | 'error_max_structured_output_retries'
    >();
  });

  it('has every token count, so that sums need no null checks', () => {
    expectTypeOf<SDKResultMessage['usage']['input_tokens']>().toEqualTypeOf<number>();
    expectTypeOf<SDKResultMessage['usage']['cache_read_input_tokens']>().toEqualTypeOf<number>();
    expectTypeOf<SDKResultMessage['modelUsage'][string]['costUSD']>().toEqualTypeOf<number>();
  });
});

describe('SDKUserMessage', () => {
  it('is accepted with and without a session id', () => {
    const without: SDKUserMessage = {
      type: 'user',
      message: { role: 'user', content: 'hi' },
      parent_tool_use_id: null,
    };
    const withId: SDKUserMessage = {
      type: 'user',
      message: { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      parent_tool_use_id: null,
      session_id: '',
    };
    expect(isUserMessage(without)).toBe(true);
    expect(isUserMessage(withId)).toBe(true);
  });

  it('takes pictures and tool results as content', () => {
    const message = {
      type: 'user',
      message: {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok', is_error: false },
        ],
      },
      parent_tool_use_id: null,
    } satisfies SDKUserMessage;
    expect(message.message.content).toHaveLength(2);
  });

  it('refuses what the CLI would refuse', () => {
    // @ts-expect-error A message without content ends the CLI.
    const missing: SDKUserMessage = { type: 'user', parent_tool_use_id: null };
    const unknownRole = { type: 'user', message: { role: 'tool', content: '' }, parent_tool_use_id: null };
    expectTypeOf(unknownRole).not.toExtend<SDKUserMessage>();
    expect(missing.message).toBeUndefined();
  });

  it('tells a replay by its flag', () => {
    const check = (message: SDKUserMessage | SDKUserMessageReplay): void => {
      if ('isReplay' in message) expectTypeOf(message).toExtend<SDKUserMessageReplay>();
      // A replay is a user message, too: what takes the one takes the other.
      expectTypeOf(message).toExtend<SDKUserMessage>();
    };
    expectTypeOf(check).returns.toBeVoid();
    expectTypeOf<
      SDKUserMessageReplay['uuid']
    >().toEqualTypeOf<`${string}-${string}-${string}-${string}-${string}`>();
    expectTypeOf<SDKUserMessageReplay['session_id']>().toEqualTypeOf<string>();
  });
});

describe('guards', () => {
  const guards = { isResultMessage, isSystemInit, isSessionStateChanged, isAssistantMessage, isUserMessage };

  it('never throw and refuse everything that is no message', () => {
    for (const value of [null, undefined, 0, '', 'result', true, Symbol('result'), () => 'result', [], {}]) {
      for (const guard of Object.values(guards)) expect(guard(value)).toBe(false);
    }
    assert(
      property(anything(), (value) => {
        for (const guard of Object.values(guards)) expect(typeof guard(value)).toBe('boolean');
      }),
    );
  });

  it('look at type and subtype only', () => {
    expect(isResultMessage({ type: 'result', subtype: 'error_of_tomorrow' })).toBe(true);
    expect(isSystemInit({ type: 'system', subtype: 'init', unheard: 1 })).toBe(true);
    expect(isSystemInit({ type: 'system', subtype: 'status' })).toBe(false);
    expect(isSystemInit({ type: 'result', subtype: 'init' })).toBe(false);
    expect(isSessionStateChanged({ type: 'system', subtype: 'session_state_changed' })).toBe(true);
    expect(isSessionStateChanged({ type: 'session_state_changed' })).toBe(false);
    expect(isAssistantMessage({ type: 'assistant' })).toBe(true);
    expect(isAssistantMessage({ type: ['assistant'] })).toBe(false);
    expect(isUserMessage({ type: 'user', isReplay: true })).toBe(true);
  });

  it('narrow an unknown value', () => {
    const value: unknown = { type: 'system', subtype: 'init', cwd: '/somewhere' };
    if (!isSystemInit(value)) throw new Error('not recognised');
    expectTypeOf(value).toEqualTypeOf<SDKSystemMessage>();
    expect(value.cwd).toBe('/somewhere');
  });
});
