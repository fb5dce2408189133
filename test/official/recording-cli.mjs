#!/usr/bin/env node
// A CLI that writes down how it was started and what it was told, answers every control request with what RECORD_REPLY
// holds, or refuses it, and ends each turn at once.
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const { RECORD_FILE, RECORD_REPLY, RECORD_REFUSAL } = process.env;
// What one SDK writes on the command line the other puts into a private file: what counts is the content.
const readPrivate = (word) =>
  /[\\/]inboard-launch-[^\\/]+[\\/]/.test(word) ? readFileSync(word, 'utf8') : word;
const record = {
  argv: process.argv.slice(2).map(readPrivate),
  env: process.env,
  cwd: process.cwd(),
  lines: [],
};
const save = () => writeFileSync(RECORD_FILE, JSON.stringify(record));
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const ids = {
  session_id: '5e551011-0000-4000-8000-000000000000',
  uuid: '11111111-0000-4000-8000-000000000000',
};
const initialized = {
  commands: [{ name: 'c', description: 'd', argumentHint: '' }],
  agents: [{ name: 'a', description: 'd' }],
  output_style: 'default',
  available_output_styles: ['default'],
  models: [{ value: 'm', displayName: 'M', description: 'd' }],
  account: { email: 'a@b.c' },
  pid: 1,
  capabilities: ['reload_plugins_refuse_if_busy_v1'],
  hooks_applied: true,
  hook_on_failure_supported: true,
  plugins_applied: true,
};

function answer({ request_id, request }) {
  const isRefused = RECORD_REFUSAL !== undefined && request.subtype !== 'initialize';
  say({
    type: 'control_response',
    response: isRefused
      ? { subtype: 'error', request_id, error: RECORD_REFUSAL }
      : {
          subtype: 'success',
          request_id,
          response: request.subtype === 'initialize' ? initialized : JSON.parse(RECORD_REPLY ?? '{}'),
        },
  });
}

save();
createInterface({ input: process.stdin })
  .on('line', (line) => {
    record.lines.push(line);
    save();
    const message = JSON.parse(line);
    if (message.type === 'control_request') answer(message);
    if (message.type !== 'user') return;
    say({
      type: 'system',
      subtype: 'init',
      tools: [],
      mcp_servers: [],
      model: 'm',
      permissionMode: 'default',
      ...ids,
    });
    say({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'ok',
      num_turns: 1,
      usage: {},
      modelUsage: {},
      permission_denials: [],
      total_cost_usd: 0,
      duration_ms: 1,
      duration_api_ms: 1,
      stop_reason: null,
      ...ids,
    });
  })
  .on('close', () => process.exit(0));
