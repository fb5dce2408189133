// All readers of foreign bytes that are tried.
import type { FuzzedReader } from './fuzzed-reader.js';
import {
  CHAT_POSTS,
  CHAT_ROUTES,
  INSPECTOR_POSTS,
  INSPECTOR_REQUESTS,
  TOOL_REQUESTS,
} from './served-readers.js';
import { HEADERS, LEFT_FILES } from './left-readers.js';
import { LIVE_MESSAGES, SESSION_MESSAGES } from './live-readers.js';
import { APPROVALS, CALLS, ROWS, STORE_ENTRIES, TRACES, TRANSCRIPT_FILES } from './stored-readers.js';
import {
  CLI_LINES,
  EDITOR_MESSAGES,
  LINKS,
  MCP_LINES,
  REMOTE_FRAMES,
  REMOTE_MESSAGES,
} from './wire-readers.js';

export const READERS: readonly FuzzedReader[] = [
  CLI_LINES,
  LIVE_MESSAGES,
  SESSION_MESSAGES,
  REMOTE_FRAMES,
  REMOTE_MESSAGES,
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
  LEFT_FILES,
  HEADERS,
];

const COPY = 'a value of this process, copied as JSON or written by itself before';

/** Files and folders that take bytes apart and are reached by no reader, with the reason why none is needed. */
export const NOT_FOREIGN: Readonly<Record<string, string>> = {
  'packages/testing/src/': 'what a test and its own processes say to each other',
  'packages/inspector/src/page/': "what the page's own server sends",
  'packages/inspector/src/model/':
    'the page reads as text what people and models wrote; its tests have properties of their own',
  'packages/cli/src/agent/': 'requests of the CLI that the command started',
  'packages/cli/src/call/': 'what the caller of the command typed',
  'packages/cli/src/calls/': 'what the caller of the command typed',
  'packages/cli/src/cluster/': 'what the caller of the command typed',
  'packages/cli/src/demo/': 'frames of the demo itself',
  'packages/cli/src/init/': 'files of the package itself',
  'packages/cli/src/migrate/': "the program's own package.json",
  'packages/cli/src/play/': 'requests of the CLI that the command started',
  'packages/cli/src/tools-file/': 'the manifest of the package itself',
  'packages/cli/src/tools/': 'a schema that the program made',
  'packages/engines/src/restate/json-serde.ts':
    'values of the package; what anybody may send is FOREIGN_JSON, and has its tests',
  'packages/cluster/src/journal/memory/copy-json.ts': COPY,
  'packages/cluster/src/postgres/contents/remove-contents.ts':
    'numbers that a function of the tables returns',
  'packages/cluster/src/work/session/call-journal.ts': COPY,
  'packages/core/src/answer/mcp/result/to-tool-result.ts': COPY,
  'packages/core/src/answer/schema/':
    'schemas of the program, and values that the CLI sends; random-schemas.test.ts has the properties',
  'packages/core/src/calls/result/oversized-notice.ts': COPY,
  'packages/core/src/lifetime/look-in-recordings.ts':
    'lines of logs, for an id; what is no JSON counts as none',
  'packages/core/src/live/output/read-output.ts': COPY,
  'packages/core/src/options/rows/settings.ts': 'an option of the program',
  'packages/core/src/record/history/store/copy-user-config.ts':
    "the user's own configuration, whose other reader is the CLI",
  'packages/core/src/record/settings/change-permissions.ts': 'settings that the package has written',
  'packages/core/src/record/trace/recorder/':
    'lines that pass on their way into a trace; redact.test.ts has the properties',
  'packages/core/src/record/trace/replay/json-diff.ts': COPY,
  'packages/core/src/verbs/conversation/completion/': COPY,
  'packages/durable/src/attempt/': COPY,
  'packages/durable/src/ledger/memory-ledger.ts': COPY,
  'packages/inspector/src/sources/': COPY,
  'packages/inspector/src/stream/cut-event.ts': COPY,
  'packages/ui/src/chat/chunk-log.ts': 'a private file that the same process has written',
};
