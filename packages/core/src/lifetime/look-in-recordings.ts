// Searches files that contain the ids of their sessions: traces, pages made from traces, and the CLI's logs of MCP
// servers.
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { checkTraceHeader, decodeTraceEvent } from '../record/trace/read-trace.js';
import { PAGE_DATA_ELEMENT } from '../record/trace/trace-event.js';
import { parseRecord } from '../util/guards.js';
import { messageOf } from '../util/message-of.js';
import { createLineSplitter } from '../wire/protocol/line-splitter.js';
import { foundFile, listNames, type FoundItem, type Search } from './search.js';
import type { SessionDataKind } from './session-data.js';

/** Searches the traces and pages that the caller named, or else those that INBOARD_TRACE names. */
export async function lookInTraces(search: Search): Promise<FoundItem[]> {
  const { traces = search.env['INBOARD_TRACE'] ?? [] } = search.options;
  const found: FoundItem[] = [];
  for (const given of typeof traces === 'string' ? [traces] : traces) {
    const isFolder = (await stat(given).catch(() => undefined))?.isDirectory();
    // A missing file may have been deleted before. A missing folder was more likely misspelled.
    if (isFolder === undefined && !/\.(?:jsonl|gz|html?)$/.test(given)) {
      search.problems.push({ place: given, message: 'The folder does not exist' });
      continue;
    }
    const files = isFolder ? (await listNames(given, search)).map((name) => join(given, name)) : [given];
    for (const file of files)
      found.push(...(await lookInRecording(file, isFolder === true ? given : undefined, search)));
  }
  return found;
}

async function lookInRecording(
  file: string,
  folder: string | undefined,
  search: Search,
): Promise<FoundItem[]> {
  const kind: SessionDataKind | undefined = /\.html?$/.test(file)
    ? 'trace-page'
    : folder === undefined || /\.jsonl(?:\.gz)?$/.test(file)
      ? 'trace'
      : undefined;
  if (kind === undefined) return [];
  try {
    const sessions = kind === 'trace' ? await readTraceSessions(file) : await readPageSessions(file);
    return await foundShared(search, { kind, file, root: folder ?? join(file, '..'), sessions });
  } catch (error) {
    // A file that was deleted meanwhile is no problem. Any other failure is reported, also for a file in a folder.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') search.problems.push({ place: file, message: messageOf(error) });
    return [];
  }
}

/**
 * The sessions with frames in a trace. Throws a TraceError for a file that is not a trace, or whose format is newer
 * than this package can read.
 */
async function readTraceSessions(file: string): Promise<Set<string>> {
  const sessions = new Set<string>();
  let isFirst = true;
  await scanLines(file, (line) => {
    const event = decodeTraceEvent(line);
    if (isFirst) checkTraceHeader(event, file);
    isFirst = false;
    if (event?.type !== 'frame') return;
    const id = event.frame?.['session_id'];
    if (typeof id === 'string' && id !== '') sessions.add(id.toLowerCase());
  });
  return sessions;
}

/** A page has about 25 MB at most, unless its maker asked for more. */
const MOST_PAGE_BYTES = 256 * 1024 * 1024;

async function readPageSessions(file: string): Promise<Set<string>> {
  const stats = await stat(file);
  // Reading a pipe could wait forever.
  if (!stats.isFile()) return new Set();
  if (stats.size > MOST_PAGE_BYTES) throw new Error('The page is too large to be searched');
  const text = await readFile(file, 'utf8');
  // A page without this element was not made from a trace. It may mention a session, but does not belong to it.
  const at = text.indexOf(PAGE_DATA_ELEMENT);
  if (at === -1) return new Set();
  const ids = text.slice(at).matchAll(/"session_id":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/gi);
  return new Set([...ids].map(([, id = '']) => id.toLowerCase()));
}

/** Searches the CLI's logs of MCP servers, by project and server. */
export async function lookInMcpLogs(search: Search): Promise<FoundItem[]> {
  const root = findLogFolder(search);
  const found: FoundItem[] = [];
  for (const project of await listNames(root, search)) {
    for (const server of await listNames(join(root, project), search)) {
      if (!server.startsWith('mcp-logs-')) continue;
      const folder = join(root, project, server);
      for (const name of await listNames(folder, search)) {
        const file = join(folder, name);
        const sessions = await readLogSessions(file, search);
        found.push(...(await foundShared(search, { kind: 'mcp-log', file, root, sessions })));
      }
    }
  }
  return found;
}

function findLogFolder({ env }: Search): string {
  const home = env['HOME'] || env['USERPROFILE'] || homedir();
  const name = 'claude-cli-nodejs';
  if (process.platform === 'darwin') return join(home, 'Library', 'Caches', name);
  if (process.platform === 'win32')
    return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), name, 'Cache');
  return join(env['XDG_CACHE_HOME'] || join(home, '.cache'), name);
}

async function readLogSessions(file: string, { problems }: Search): Promise<Set<string>> {
  const sessions = new Set<string>();
  try {
    await scanLines(file, (line) => {
      const id = parseRecord(line)?.['sessionId'];
      if (typeof id === 'string') sessions.add(id.toLowerCase());
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      problems.push({ place: file, message: messageOf(error) });
  }
  return sessions;
}

interface Recording {
  readonly kind: SessionDataKind;
  readonly file: string;
  readonly root: string;
  readonly sessions: ReadonlySet<string>;
}

async function foundShared(search: Search, recording: Recording): Promise<FoundItem[]> {
  const { kind, file, root, sessions } = recording;
  const sessionIds = [...sessions].filter((id) => search.ids.has(id));
  const [sessionId] = sessionIds;
  if (sessionId === undefined) return [];
  const others = [...sessions].filter((id) => !search.ids.has(id));
  const sharedWith = others.length > 0 ? others : undefined;
  const item = await foundFile({ sessionId, kind, ...(sharedWith && { sharedWith }) }, file, root);
  return item ? [{ ...item, sessionIds }] : [];
}

async function scanLines(file: string, onLine: (line: string) => void): Promise<void> {
  if (!(await stat(file)).isFile()) return;
  const splitter = createLineSplitter({ onLine, onOversized: () => {} });
  const bytes = createReadStream(file);
  const stream = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes;
  bytes.once('error', (error) => stream.destroy(error));
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) splitter.push(chunk);
  } finally {
    bytes.destroy();
  }
  splitter.end();
}
