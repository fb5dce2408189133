// Which messages the lines of observed-lines.test.ts show: a type that no line was held to is a guess.
import { expect, it } from 'vitest';
import { names } from '../../scripts/support/protocol/protocol-names.mjs';
import { readProjectFile } from '../package/project.js';

const lines = readProjectFile('test/types/observed-lines.test.ts');

/** Types from before this list, which no line is held to yet. A new type belongs here only if no CLI was made to send it. */
const WITHOUT_LINE = new Set([
  'system/compact_boundary',
  'system/model_refusal_fallback',
  'system/model_refusal_no_fallback',
  'system/thinking_tokens',
  'system/memory_recall',
  'system/local_command_output',
  'system/plugin_install',
  'system/notification',
  'system/files_persisted',
  'system/elicitation_complete',
  'system/permission_denied',
  'system/mirror_error',
  'system/informational',
  'system/init',
  'system/status',
  'system/control_request_progress',
  'system/worker_shutting_down',
  'system/commands_changed',
  'system/session_writes_lost',
  'system/task_started',
  'system/task_progress',
  'system/task_updated',
  'system/background_tasks_changed',
  'system/hook_started',
  'system/hook_progress',
  'system/hook_response',
  'tool_progress',
  'tool_use_summary',
  'prompt_suggestion',
  'conversation_reset',
  'auth_status',
  'rate_limit_event',
  'active_goal',
]);

function isShown(kind: string): boolean {
  const [type, subtype] = kind.split('/');
  return lines.includes(subtype === undefined ? `type: '${type}'` : `subtype: '${subtype}'`);
}

it('has a line for every message type but those that are named', () => {
  const kinds = names.messages();
  expect(kinds.length).toBeGreaterThan(35);
  expect(kinds.filter((kind) => !isShown(kind) && !WITHOUT_LINE.has(kind))).toEqual([]);
});

it('names no type that has a line, or that is gone', () => {
  const kinds = new Set(names.messages());
  expect([...WITHOUT_LINE].filter((kind) => isShown(kind) || !kinds.has(kind))).toEqual([]);
});
