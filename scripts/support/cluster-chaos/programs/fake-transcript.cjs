// The transcript of the fake CLI: a file as the real one keeps it, told to the host in beats.
'use strict';
const { randomUUID } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

/** Milliseconds between two reports; the real CLI has about 100. */
const beatMs = Number(process.env.CHAOS_BEAT_MS ?? 30);
/** Whether entries are in the file only with their beat, as with the real one: what a killed CLI has not written is lost. */
const isLate = process.env.FAULTS_LATE_FILE === '1';
// Results that end nothing: the model makes such a call again, as it is told to.
const TO_MAKE_AGAIN = /its outcome is unknown|Make the call again if it is still needed/;

const blocksOf = ({ message }) => (Array.isArray(message?.content) ? message.content : []);
const textOf = (entry) =>
  typeof entry.message?.content === 'string'
    ? entry.message.content
    : blocksOf(entry)
        .map(({ text }) => text ?? '')
        .join('');

/** Opens a new one, or the one to be resumed; undefined where there is none. `onBeat` is given the file and its new entries. */
function openTranscript({ projects, sessionId, isResumed, onBeat }) {
  const file = isResumed ? findFile(projects, sessionId) : makeFile(projects, sessionId);
  if (file === undefined) return undefined;
  const entries = isResumed ? readEntries(file) : [];
  let beat;
  let timer;
  const unsaved = [];
  const save = () => {
    const lines = unsaved.splice(0).map((entry) => `${JSON.stringify(entry)}\n`);
    if (lines.length > 0) fs.appendFileSync(file, lines.join(''));
  };
  const report = () => {
    clearTimeout(timer);
    timer = undefined;
    const told = beat;
    beat = undefined;
    save();
    if (told) onBeat(file, told);
  };
  const keep = (entry) => {
    const parentUuid = entries.findLast(({ uuid }) => uuid !== undefined)?.uuid ?? null;
    const known = { parentUuid, isSidechain: false, uuid: randomUUID(), timestamp: new Date().toISOString() };
    const whole = { ...known, sessionId, cwd: process.cwd(), version: '2.1.325', ...entry };
    entries.push(whole);
    beat ??= [];
    beat.push(whole);
    unsaved.push(whole);
    // A message is in the file long before the model answers it.
    if (!isLate || (entry.type === 'user' && textOf(entry) !== '')) save();
    timer ??= setTimeout(report, beatMs);
    return whole;
  };
  return {
    keep,
    report,
    entries: () => entries,
    has: (uuid) => entries.some((entry) => entry.uuid === uuid),
    lastTurn: () => readLastTurn(entries),
  };
}

function findFile(projects, sessionId) {
  const folders = fs.existsSync(projects) ? fs.readdirSync(projects) : [];
  return folders
    .map((name) => path.join(projects, name, `${sessionId}.jsonl`))
    .find((file) => fs.existsSync(file));
}

function makeFile(projects, sessionId) {
  const folder = path.join(projects, process.cwd().replaceAll(/[^a-zA-Z0-9]/g, '-'));
  fs.mkdirSync(folder, { recursive: true });
  return path.join(folder, `${sessionId}.jsonl`);
}

function readEntries(file) {
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      // Empty, or torn by a host that was killed while it wrote.
      return [];
    }
  });
}

/** The last message of the user, and what has become of it: `done` calls have ended, `made` were made, and `read` is what the model read of them. */
function readLastTurn(entries) {
  const at = entries.findLastIndex(
    (entry) => entry.type === 'user' && entry.isMeta !== true && textOf(entry).includes('chaos {'),
  );
  if (at === -1) return undefined;
  const after = entries.slice(at + 1);
  const blocks = after.flatMap(blocksOf);
  const results = blocks.filter(
    ({ type, content }) => type === 'tool_result' && !TO_MAKE_AGAIN.test(JSON.stringify(content)),
  );
  const ended = new Set(results.map((block) => block.tool_use_id));
  const calls = blocks.filter(({ type }) => type === 'tool_use');
  const done = calls.filter(({ id }) => ended.has(id)).length;
  const read = blocks
    .filter(({ type }) => type === 'tool_result')
    .map(({ content }) => JSON.stringify(content));
  const isOver = after.some(
    (entry) => entry.message?.stop_reason === 'end_turn' || textOf(entry).startsWith('[Request interrupted'),
  );
  const text = textOf(entries[at]);
  const isTogether = text.includes('"together":true');
  const isCalled = calls.length > 0;
  return { uuid: entries[at].uuid, text, done, made: calls.length, read, isOver, isTogether, isCalled };
}

module.exports = { openTranscript, textOf };
