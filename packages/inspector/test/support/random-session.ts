// Sessions made of random steps, in any order that a wire, a crash or a file put together by hand could bring.
import * as fc from 'fast-check';
import type { WireObject } from '@inboard/core/wire/protocol/codec.js';
import type { NumberedEvent } from '../../src/stream/inspector-event.js';
import { EventMaker } from './make-events.js';

/** What can happen; the number chooses which of the calls it happens to. */
const STEPS = [
  'prompt',
  'init',
  'text',
  'pieces',
  'stream',
  'call',
  'own-call',
  'inner-call',
  'ask',
  'allow',
  'edit',
  'deny',
  'cancel',
  'run',
  'return',
  'hook',
  'hook-denies',
  'done',
  'failed',
  'refused',
  'started',
  'task-done',
  'completed',
  'turn-end',
  'turn-failed',
  'turn-denied',
  'turn-unpaid',
  'interrupt',
  'fault',
  'end',
  'crash',
  'header',
  'let-go',
  'pend',
  'pending-ends',
  'withdraw',
  'wait',
] as const;
type Step = (typeof STEPS)[number];

/** A list of steps, each with a number. */
export const randomSteps = fc.array(fc.tuple(fc.constantFrom(...STEPS), fc.nat(5)), {
  minLength: 1,
  maxLength: 60,
});

/**
 * The events of a session. With `isLive`, questions are also reported beside the wire, as a live source does, and the
 * CLI is let go while something waits.
 */
export function makeRandomSession(
  steps: readonly (readonly [Step, number])[],
  { isLive = false } = {},
): NumberedEvent[] {
  const maker = new EventMaker().open();
  const names = new Map<string, string>();
  const asked: string[] = [];
  const pending: string[] = [];
  let made = 0;
  let cost = 0;
  const fresh = (kind: string): string => `${kind}_${(made += 1)}`;
  const pick = (at: number): string => [...names.keys()][at % Math.max(1, names.size)] ?? 'toolu_unseen';
  const call = (name: string, parent: string | null = null): void => {
    const id = fresh('toolu');
    names.set(id, name);
    maker.assistant({ type: 'tool_use', id, name, input: { amount: 84 } }, { parent });
  };
  const answer = (at: number, value: (id: string) => WireObject, outcome: 'allowed' | 'denied'): void => {
    const id = asked.splice(at % Math.max(1, asked.length), 1)[0];
    if (id === undefined) return;
    if (isLive) maker.settled(`q-${id}`, { outcome });
    maker.answers(`q-${id}`, value(id));
  };
  const turnEnd = (fields: WireObject, paid = true): void => {
    cost += 0.25;
    maker.turnEnd('So be it.', {
      costUsd: cost,
      fields: { ...fields, ...(!paid && { total_cost_usd: undefined }) },
    });
  };
  const play: Record<Step, (at: number) => unknown> = {
    prompt: () => maker.prompt('Go on.'),
    init: () => maker.init(),
    text: () => maker.assistant({ type: 'text', text: 'Yes.' }),
    pieces: () => maker.pieces('text', 'Well'),
    stream: () => {
      const id = fresh('toolu');
      names.set(id, 'Bash');
      maker.streamed({ type: 'message_start', message: { id: fresh('msg'), usage: { input_tokens: 7 } } });
      maker.streamed({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id, name: 'Bash' },
      });
    },
    call: () => call('Bash'),
    'own-call': () => call('mcp__shop__refund'),
    'inner-call': (at) => call('Read', pick(at)),
    ask: (at) => {
      const id = pick(at);
      if (asked.includes(id)) return;
      asked.push(id);
      const request = { tool_name: names.get(id) ?? 'Bash', input: { amount: 84 }, tool_use_id: id };
      maker.asks(`q-${id}`, { subtype: 'can_use_tool', ...request });
      if (isLive) maker.asked({ id: `q-${id}`, subject: request.tool_name, toolUseId: id });
    },
    allow: (at) => answer(at, () => ({ behavior: 'allow', updatedInput: { amount: 84 } }), 'allowed'),
    edit: (at) => answer(at, () => ({ behavior: 'allow', updatedInput: { amount: 50 } }), 'allowed'),
    deny: (at) => answer(at, () => ({ behavior: 'deny', message: 'No.' }), 'denied'),
    cancel: (at) => {
      const id = asked.splice(at % Math.max(1, asked.length), 1)[0];
      if (id === undefined) return;
      if (isLive) maker.settled(`q-${id}`, { outcome: 'withdrawn', by: undefined });
      maker.in({ type: 'control_cancel_request', request_id: `q-${id}` });
    },
    run: (at) => {
      const id = pick(at);
      const params = {
        name: 'refund',
        arguments: { amount: 50 },
        _meta: at === 0 ? {} : { 'claudecode/toolUseId': id },
      };
      const message = { jsonrpc: '2.0', id: at, method: 'tools/call', params };
      maker.asks(`run-${id}`, { subtype: 'mcp_message', server_name: 'shop', message });
    },
    return: (at) =>
      maker.answers(`run-${pick(at)}`, { mcp_response: { jsonrpc: '2.0', id: 1, result: { content: [] } } }),
    hook: (at) =>
      maker.asks(`h-${pick(at)}`, {
        subtype: 'hook_callback',
        input: { hook_event_name: 'PreToolUse' },
        tool_use_id: pick(at),
      }),
    'hook-denies': (at) =>
      maker.answers(`h-${pick(at)}`, { hookSpecificOutput: { permissionDecision: 'deny' } }),
    done: (at) => maker.result(pick(at), 'ok'),
    failed: (at) => maker.result(pick(at), 'It broke', { isError: true }),
    refused: (at) => {
      const id = pick(at);
      maker.in({
        type: 'user',
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: id, content: 'No', is_error: true }],
        },
        tool_result_meta: [{ id, permission_decision: { decision: 'reject' } }],
      });
    },
    started: (at) =>
      maker.in({
        type: 'user',
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: pick(at), content: 'begun' }],
        },
        tool_use_result: { isAsync: true },
      }),
    'task-done': (at) =>
      maker.in({
        type: 'system',
        subtype: 'task_notification',
        tool_use_id: pick(at),
        status: at % 2 ? 'completed' : 'failed',
      }),
    completed: (at) => {
      const toolUseId = pick(at);
      const how = (['ran', 'recorded', 'denied', 'notRun', 'unknown'] as const)[at % 5];
      const content = [
        { type: 'tool_result', tool_use_id: toolUseId, content: 'x', ...(at > 2 && { is_error: true }) },
      ];
      const completed = {
        callKey: 'k',
        toolUseId,
        toolName: names.get(toolUseId) ?? 'Bash',
        input: {},
        how,
        delivered: true,
      };
      const frame = { type: 'user', message: { role: 'user', content }, completed };
      maker.push({ type: 'completed', t: maker.t, frame });
    },
    'turn-end': () => turnEnd({}),
    'turn-failed': () => turnEnd({ subtype: 'error_max_turns', is_error: true }),
    'turn-denied': (at) => turnEnd({ permission_denials: [{ tool_use_id: pick(at) }] }),
    'turn-unpaid': () => turnEnd({ modelUsage: undefined }, false),
    interrupt: () =>
      maker.out({ type: 'control_request', request_id: fresh('i'), request: { subtype: 'interrupt' } }),
    fault: () => maker.push({ type: 'fault', t: maker.t, code: 'X', message: 'x' }),
    end: () => maker.end(),
    crash: () => maker.end(null, 'SIGKILL'),
    header: () => {
      cost = 0;
      asked.length = 0;
      maker.header();
    },
    'let-go': (at) => {
      if (!isLive) return;
      if (at < 4) maker.push({ type: 'terminate', t: maker.t }).end(143);
      const waitsFor = ([[], ['person'], ['pending'], ['detached'], ['person', 'pending']] as const)[at % 5];
      maker.wait(20).push({ type: 'suspended', t: maker.t, waitsFor: waitsFor ?? [] });
    },
    pend: (at) => {
      const id = pick(at);
      if (!isLive || pending.includes(id)) return;
      pending.push(id);
      const subject = names.get(id) ?? 'mcp__shop__refund';
      maker.asked({ id: `p-${id}`, kind: 'pending', subject, toolUseId: id, callKey: 'k' });
    },
    'pending-ends': (at) => {
      const id = pending.splice(at % Math.max(1, pending.length), 1)[0];
      const outcome = (['completed', 'failed', 'over'] as const)[at % 3] ?? 'over';
      if (id !== undefined) maker.settled(`p-${id}`, { outcome });
    },
    withdraw: (at) => {
      const id = asked.splice(at % Math.max(1, asked.length), 1)[0];
      if (isLive && id !== undefined) maker.settled(`q-${id}`, { outcome: 'withdrawn', by: undefined });
    },
    wait: (at) => maker.wait(at * 1000),
  };
  for (const [step, at] of steps) play[step](at);
  return maker.over().events;
}
