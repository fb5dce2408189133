// A folder of transcripts and what is asked about it: the same for the official functions, whose answers are
// recorded, and for ours.
import type { SDKSessionInfo, SessionMessage } from '../../../../src/wire/protocol/config/past-sessions.js';
import { createConfigFolder, type ProjectFiles } from './config-folder.js';
import { numberOf } from './entries.js';

/** The functions that read, by their name. */
export interface SessionReaders {
  listSessions: (options?: object) => Promise<SDKSessionInfo[]>;
  getSessionInfo: (sessionId: string, options?: object) => Promise<SDKSessionInfo | undefined>;
  getSessionMessages: (sessionId: string, options?: object) => Promise<SessionMessage[]>;
  listSubagents: (sessionId: string, options?: object) => Promise<string[]>;
  getSubagentMessages: (sessionId: string, agentId: string, options?: object) => Promise<SessionMessage[]>;
}

/** The name of a function, and its arguments. */
export type Question = readonly [keyof SessionReaders, ...unknown[]];

export interface SessionCase {
  readonly name: string;
  readonly files: ProjectFiles;
  /** Seconds since 1970, by file. */
  readonly times?: Readonly<Record<string, number>>;
  readonly questions: readonly Question[];
}

/** Asks all questions of a case; the answers as they are. */
export async function askCase(
  readers: SessionReaders,
  { files, times, questions }: SessionCase,
): Promise<unknown[]> {
  const folder = createConfigFolder(files, times);
  try {
    const answers: unknown[] = [];
    for (const [name, ...given] of questions) {
      const ask = readers[name] as (...given: unknown[]) => Promise<unknown>;
      answers.push(await ask(...given));
    }
    return answers;
  } finally {
    folder.remove();
  }
}

/** An answer in the form it is recorded in: messages by type and number, all else as JSON. */
export function recordAnswer(answer: unknown): unknown {
  if (Array.isArray(answer) && answer.some(isMessage)) return answer.map(recordMessage);
  return JSON.parse(JSON.stringify(answer ?? null)) as unknown;
}

function isMessage(value: unknown): value is SessionMessage {
  return typeof value === 'object' && value !== null && 'parent_tool_use_id' in value;
}

function recordMessage(message: SessionMessage): string {
  const { type, uuid, parent_tool_use_id: tool, parent_agent_id: agent } = message;
  const notes = [
    message.isCompactSummary && 'summary',
    message.is_meta && 'meta',
    message.isCompletedLocalCommand && 'command',
    message.origin && `from ${message.origin.kind}`,
    tool && `for ${tool}`,
    agent && `under ${agent}`,
  ].filter(Boolean);
  const name = /^0{8}/.test(uuid) ? String(numberOf(uuid)) : uuid.slice(0, 8);
  return [type, name, ...notes].join(' ');
}
