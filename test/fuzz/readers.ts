// All readers of foreign bytes that are tried.
import type { FuzzedReader } from './fuzzed-reader.js';
import {
  CHAT_POSTS,
  CHAT_ROUTES,
  INSPECTOR_POSTS,
  INSPECTOR_REQUESTS,
  TOOL_REQUESTS,
} from './served-readers.js';
import { APPROVALS, CALLS, ROWS, STORE_ENTRIES, TRACES, TRANSCRIPT_FILES } from './stored-readers.js';
import { CLI_LINES, EDITOR_MESSAGES, LINKS, MCP_LINES, REMOTE_FRAMES } from './wire-readers.js';

export const READERS: readonly FuzzedReader[] = [
  CLI_LINES,
  REMOTE_FRAMES,
  LINKS,
  EDITOR_MESSAGES,
  MCP_LINES,
  CHAT_POSTS,
  CHAT_ROUTES,
  INSPECTOR_POSTS,
  INSPECTOR_REQUESTS,
  TOOL_REQUESTS,
  TRACES,
  APPROVALS,
  CALLS,
  TRANSCRIPT_FILES,
  STORE_ENTRIES,
  ROWS,
];
