// All cases whose official answers are recorded, and the real transcripts among them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FOLDER_CASES } from './folder-cases.js';
import { INFO_CASES } from './info-cases.js';
import { MESSAGE_CASES } from './message-cases.js';
import type { Question, SessionCase } from './session-case.js';

const TRANSCRIPTS = fileURLToPath(new URL('../../../../../../test/fixtures/transcripts', import.meta.url));

/** By group and name. */
export const RECORDED_CASES: Readonly<Record<string, readonly SessionCase[]>> = {
  facts: INFO_CASES,
  messages: MESSAGE_CASES,
  folders: FOLDER_CASES,
  'real transcripts': readdirSync(TRANSCRIPTS).sort().map(createRealCase),
};

// Transcripts that this version of the CLI has written, without what is long in them.
function createRealCase(version: string): SessionCase {
  const root = join(TRANSCRIPTS, version);
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();
  const questions = paths.flatMap((path): Question[] => {
    const [, sessionId = '', agentId] =
      /^[^/]+\/([^/.]+)(?:\/subagents\/agent-(\w+))?\.jsonl$/.exec(path) ?? [];
    if (sessionId === '') return [];
    if (agentId !== undefined) return [['getSubagentMessages', sessionId, agentId]];
    return [
      ['getSessionMessages', sessionId],
      ['getSessionMessages', sessionId, { includeSystemMessages: true, limit: 4, offset: 1 }],
      ['listSubagents', sessionId],
    ];
  });
  return {
    name: `of CLI ${version}`,
    files: Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')])),
    times: Object.fromEntries(paths.map((path, index) => [path, 1_700_000_000 + index])),
    questions: [['listSessions'], ...questions],
  };
}
