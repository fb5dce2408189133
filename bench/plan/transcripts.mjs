// Thousands of past sessions on disk, as the CLI leaves them, for the rows about listing.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TURNS = 12;
const TEXT = 'Here is what the file does, and what would have to change for it to do more. '.repeat(8);

/** Writes `count` transcripts of about 20 kB below `parent`; gives the configuration folder and the project they are of. */
export function writeTranscripts(parent, count) {
  const projectFolder = join(parent, 'project');
  const configFolder = join(parent, 'config');
  const folder = join(configFolder, 'projects', projectFolder.replaceAll(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(projectFolder);
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < count; index += 1) {
    const sessionId = createId(0, index);
    writeFileSync(join(folder, `${sessionId}.jsonl`), createTranscript(sessionId, projectFolder, index));
  }
  return { projectFolder, configFolder };
}

function createTranscript(sessionId, cwd, index) {
  const lines = [];
  let parentUuid = null;
  const add = (type, message) => {
    const uuid = createId(lines.length + 1, index);
    const timestamp = new Date(1_700_000_000_000 + index * 60_000 + lines.length * 1000).toISOString();
    const context = { isSidechain: false, userType: 'external', cwd, sessionId, version: '2.1.325' };
    lines.push({ parentUuid, ...context, gitBranch: 'main', type, message, uuid, timestamp });
    parentUuid = uuid;
  };
  for (let turn = 0; turn < TURNS; turn += 1) {
    add('user', { role: 'user', content: `Question ${turn} of session ${index}: what does this file do?` });
    add('assistant', {
      id: `msg_${index}_${turn}`,
      type: 'message',
      role: 'assistant',
      model: 'fake-model',
      content: [{ type: 'text', text: TEXT }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 50 },
    });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function createId(line, index) {
  const pad = (number, length) => number.toString(16).padStart(length, '0');
  return `${pad(index, 8)}-0000-4000-8000-${pad(line, 12)}`;
}
