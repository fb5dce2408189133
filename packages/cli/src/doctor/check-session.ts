// Checks the CLI in a session, in an isolated environment and with a scripted model. The CLI must complete the
// handshake, list a tool of this process and call it. That needs no account and no network.
import { countOf, messageOf } from '@inboard/core/util/message-of.js';
import { InboardError } from '@inboard/core/errors.js';
import { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
import { tool } from '@inboard/core/answer/mcp/tool/tool.js';
import type { Options } from '@inboard/core/options/options.js';
import { isSystemInit } from '@inboard/core/wire/protocol/messages/messages.js';
import { outcomeOf } from '@inboard/core/live/output/outcome.js';
import { query, type Query } from '@inboard/core/verbs/query/query.js';
import { startOffline, text, toolUse, type Offline } from '@inboard/inboard/testing.js';
import { withQuery } from '../agent/command-query.js';
import { skipCheck, type Check } from './check.js';

const PROBE = 'mcp__doctor__probe';
const HANDSHAKE = { id: 'handshake', title: 'Handshake' };
const TOOLS = { id: 'tools', title: 'Tools in this process' };

/** When a check gives up. */
export interface SessionLimits {
  signal: AbortSignal;
  /** How long the CLI may be silent at a time, in milliseconds. */
  limitMs: number;
}

/** The options of the doctor's sessions with a scripted model: this CLI, no settings files, and a limit for every wait. */
export function trialOptions(path: string, { options: { env, cwd } }: Offline, limitMs: number): Options {
  return {
    pathToClaudeCodeExecutable: path,
    env,
    cwd,
    settingSources: [],
    handshakeTimeoutMs: limitMs,
    idleTimeoutMs: limitMs,
  };
}

/** Runs one session; returns a check for the handshake and one for the tools. */
export async function checkSession(path: string, { signal, limitMs }: SessionLimits): Promise<Check[]> {
  let calls = 0;
  const garbage: string[] = [];
  const probe = tool('probe', 'Answers the doctor', { word: 'string' }, ({ word }) => {
    calls += 1;
    return `The probe received "${word}".`;
  });
  const offline = await startOffline({
    script: [toolUse(PROBE, { word: 'hello' }), text('Done.')],
    onExhausted: text('Done.'),
  });
  const q = query({
    prompt: 'Call the probe.',
    options: {
      mcpServers: { doctor: createSdkMcpServer({ name: 'doctor', tools: [probe] }) },
      allowedTools: [PROBE],
      ...trialOptions(path, offline, limitMs),
      onWarning: ({ code, message }) => {
        if (code.startsWith('MALFORMED')) garbage.push(message);
      },
    },
  });
  try {
    return await withQuery(q, signal, async () => {
      const handshake = await checkHandshake(q, garbage);
      if (handshake.status === 'failed') return [handshake, skipCheck(TOOLS.id, TOOLS.title, 'no handshake')];
      return [handshake, await checkTools(q, () => calls)];
    });
  } finally {
    await offline.close({ verify: false });
  }
}

async function checkHandshake(q: Query, garbage: readonly string[]): Promise<Check> {
  const started = performance.now();
  try {
    await q.initializationResult();
    return {
      ...HANDSHAKE,
      status: 'ok',
      detail: `answered after ${Math.round(performance.now() - started)} ms, pid ${q.pid}`,
    };
  } catch (error) {
    const [first] = garbage;
    const noise =
      first === undefined
        ? ''
        : ` It also wrote ${countOf(garbage.length, 'line')} that are not part of its protocol: ${first}`;
    const detail = `${messageOf(error)}${noise}`;
    return { ...HANDSHAKE, status: 'failed', detail, advice: adviseOn(error) };
  }
}

async function checkTools(q: Query, countCalls: () => number): Promise<Check> {
  let isListed = false;
  let ending = 'the session ended without a result';
  try {
    for await (const message of q) {
      if (isSystemInit(message)) isListed = message.tools.includes(PROBE);
      if (message.type === 'result') {
        const outcome = outcomeOf(message);
        ending = outcome.ok ? '' : `the run ended as "${outcome.kind}": ${outcome.text}`;
      }
    }
  } catch (error) {
    ending = messageOf(error);
  }
  if (isListed && countCalls() === 1 && ending === '') {
    return { ...TOOLS, status: 'ok', detail: 'a probe was listed, called and answered' };
  }
  const detail = [
    isListed ? '' : 'the probe was not listed',
    countCalls() === 1 ? '' : `the probe was called ${countCalls()} times instead of once`,
    ending,
  ];
  return {
    ...TOOLS,
    status: 'failed',
    detail: detail.filter(Boolean).join('; '),
    advice: 'Update the CLI. If it is new, report the output of "inboard demo --offline --wire".',
  };
}

function adviseOn(error: unknown): string {
  const reinstall =
    'Install the CLI again: "npm install @anthropic-ai/claude-code". If INBOARD_CLI or --cli names it, check that ' +
    'it is the Claude CLI.';
  if (!(error instanceof InboardError)) return reinstall;
  if (error.code === 'HANDSHAKE_TIMEOUT') {
    return `It started but does not answer. If it is only slow, give it more time with --timeout <seconds>. ${reinstall}`;
  }
  return reinstall;
}
