// The transcript of a long session, as the CLI leaves it: turns with a call and its result, up to a size. The last turn is over, or
// was cut off with its call open.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TOOL = 'mcp__bench__lookup';
const FOUND = 'name=Widget price=12.50 stock=7; '.repeat(100);
const ANSWER = 'Here is what was found, and what would have to change for there to be more. '.repeat(8);

/** Writes one for the session in the project of `cwd`; gives the id of its last message, and that of its last call. */
export function writeLongTranscript({ configFolder, cwd, sessionId, bytes, isCut }) {
  const { lines, ...last } = composeLongTranscript({ cwd, sessionId, bytes, isCut });
  return { folder: saveTranscript({ configFolder, cwd, sessionId, lines }), ...last };
}

/** The same without writing it: its lines besides. */
export function composeLongTranscript({ cwd, sessionId, bytes, isCut }) {
  const writer = new TranscriptWriter(sessionId, cwd);
  while (writer.length < bytes) writer.addTurn();
  const last = isCut ? writer.addCall() : writer.addTurn();
  return { lines: writer.lines, ...last };
}

/** Puts a transcript where the CLI looks for it; gives the folder for what else belongs to the session. */
export function saveTranscript({ configFolder, cwd, sessionId, lines }) {
  const folder = join(configFolder, 'projects', cwd.replaceAll(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${sessionId}.jsonl`), lines.join(''));
  return join(folder, sessionId);
}

class TranscriptWriter {
  lines = [];
  length = 0;
  #turns = 0;
  #parentUuid = null;
  #context;

  constructor(sessionId, cwd) {
    const version = '2.1.325';
    this.#context = { isSidechain: false, userType: 'external', cwd, sessionId, version, gitBranch: 'main' };
  }

  /** A question and the call that the model makes. */
  addCall() {
    this.#turns += 1;
    const toolUseId = `toolu_bench_${this.#turns}`;
    const message = this.#add('user', { role: 'user', content: `Question ${this.#turns}: what is there?` });
    const input = { id: `item-${this.#turns}` };
    const call = { type: 'tool_use', id: toolUseId, name: TOOL, input };
    const assistant = this.#addReply('call', [call], 'tool_use');
    return { message, assistant, toolUseId, toolName: TOOL, input };
  }

  addTurn() {
    const called = this.addCall();
    const { toolUseId, assistant } = called;
    const content = [{ type: 'text', text: FOUND }];
    this.#add(
      'user',
      { role: 'user', content: [{ tool_use_id: toolUseId, type: 'tool_result', content }] },
      { toolUseResult: content, sourceToolAssistantUUID: assistant },
    );
    this.#addReply('answer', [{ type: 'text', text: ANSWER }], 'end_turn');
    return called;
  }

  #addReply(what, content, stopReason) {
    return this.#add('assistant', {
      id: `msg_${what}_${this.#turns}`,
      type: 'message',
      role: 'assistant',
      model: 'fake-model',
      content,
      stop_reason: stopReason,
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 50 },
    });
  }

  #add(type, message, more) {
    const uuid = `${this.#turns.toString(16).padStart(8, '0')}-0000-4000-8000-${String(this.lines.length).padStart(12, '0')}`;
    const timestamp = new Date(1_700_000_000_000 + this.lines.length * 1000).toISOString();
    const parentUuid = this.#parentUuid;
    const line = `${JSON.stringify({ parentUuid, ...this.#context, type, message, ...more, uuid, timestamp })}\n`;
    this.lines.push(line);
    this.length += line.length;
    this.#parentUuid = uuid;
    return uuid;
  }
}
