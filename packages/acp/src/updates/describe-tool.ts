// Describes a tool call as an editor shows it: its kind, a title, the files it touches, and what it would change in them.
import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import type { ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import { cutText } from '@inboard/core/util/bounded-text.js';
import { asString, isRecord } from '@inboard/core/util/guards.js';

/** A tool call as it is shown before it has a result. */
export interface ToolDescription {
  name: string;
  title: string;
  kind: ToolKind;
  locations: ToolCallLocation[];
  content: ToolCallContent[];
}

type Input = Readonly<Record<string, unknown>>;

/** For a larger file, the difference leaves out the old text. */
const MAX_OLD_BYTES = 1_000_000;
const MAX_TITLE = 160;
const MCP = 'mcp__';

const KINDS: Readonly<Record<string, ToolKind>> = {
  Read: 'read',
  NotebookRead: 'read',
  TaskOutput: 'read',
  ReadMcpResource: 'read',
  Edit: 'edit',
  MultiEdit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
  Glob: 'search',
  Grep: 'search',
  LS: 'search',
  ToolSearch: 'search',
  ListMcpResources: 'search',
  Bash: 'execute',
  PowerShell: 'execute',
  Monitor: 'execute',
  TaskStop: 'execute',
  WebFetch: 'fetch',
  WebSearch: 'fetch',
  Task: 'think',
  Agent: 'think',
  EnterPlanMode: 'switch_mode',
  ExitPlanMode: 'switch_mode',
};

/** For each tool, the field of its input that describes a call best. */
const TELLING: Readonly<Record<string, string>> = {
  Bash: 'command',
  PowerShell: 'command',
  Glob: 'pattern',
  Grep: 'pattern',
  LS: 'path',
  WebFetch: 'url',
  WebSearch: 'query',
  Task: 'description',
  Agent: 'description',
  Skill: 'skill',
};

/** Where a call is made, and when. */
export interface EditorCallPlace {
  /** The folder to which the shown paths are relative. */
  cwd: string;
  /** Whether the call was made in an earlier run. The files may have changed since. */
  isPast?: boolean;
}

/** Describes a call for the editor. */
export function describeTool(
  name: string,
  input: Input,
  { cwd, isPast = false }: EditorCallPlace,
): ToolDescription {
  const path = pathOf(input, cwd);
  return {
    name,
    title: titleOf(name, input, path === undefined ? undefined : shortPath(path, cwd)),
    kind: KINDS[name] ?? 'other',
    locations: path === undefined ? [] : [locate(path, input)],
    content: contentOf(name, input, { path, isPast }),
  };
}

/** Whether a tool changes a file in a way that the editor shows as a difference. */
export function isEdit(name: string): boolean {
  return name === 'Edit' || name === 'MultiEdit' || name === 'Write';
}

function titleOf(name: string, input: Input, path: string | undefined): string {
  if (name.startsWith(MCP)) return titleOfMcp(name);
  if (name === 'ExitPlanMode') return 'Carry out the plan';
  if (name === 'AskUserQuestion') return 'Ask a question';
  const telling = asString(input[TELLING[name] ?? '']);
  if (telling !== undefined && KINDS[name] === 'execute') return shorten(telling);
  const rest = telling ?? path;
  return rest === undefined || rest === '' ? name : shorten(`${name} ${rest}`);
}

function titleOfMcp(name: string): string {
  const [server = '', ...tool] = name.slice(MCP.length).split('__');
  return tool.length === 0 ? name : `${tool.join('__')} (${server})`;
}

function shorten(text: string): string {
  const whole = text.trim();
  const [line = ''] = whole.split('\n', 1);
  // Further lines are marked with an ellipsis, as the rest of a long line is.
  return cutText(line === whole ? line : `${line}…`, MAX_TITLE);
}

function pathOf(input: Input, cwd: string): string | undefined {
  const path = asString(input['file_path']) ?? asString(input['notebook_path']) ?? asString(input['path']);
  return path === undefined || path === '' ? undefined : resolve(cwd, path);
}

function shortPath(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
}

function locate(path: string, { offset }: Input): ToolCallLocation {
  return typeof offset === 'number' && offset > 0 ? { path, line: Math.floor(offset) } : { path };
}

function contentOf(
  name: string,
  input: Input,
  { path, isPast }: { path: string | undefined; isPast: boolean },
): ToolCallContent[] {
  if (name === 'ExitPlanMode') return textContent(asString(input['plan']));
  if (name === 'Task' || name === 'Agent') return textContent(asString(input['prompt']));
  if (path === undefined || !isEdit(name)) return [];
  if (name === 'Write') {
    return [
      {
        type: 'diff',
        path,
        oldText: isPast ? null : readOld(path),
        newText: asString(input['content']) ?? '',
      },
    ];
  }
  const edits = Array.isArray(input['edits']) ? input['edits'].filter(isRecord) : [input];
  return edits.map((edit) => ({
    type: 'diff',
    path,
    oldText: asString(edit['old_string']) ?? '',
    newText: asString(edit['new_string']) ?? '',
  }));
}

/** A text as the content of a call. Empty for an empty text. */
export function textContent(text: string | undefined): ToolCallContent[] {
  return text === undefined || text === '' ? [] : [{ type: 'content', content: { type: 'text', text } }];
}

// With the old text, the person sees what would change, and not only the new text.
function readOld(path: string): string | null {
  try {
    const facts = statSync(path);
    return facts.isFile() && facts.size <= MAX_OLD_BYTES ? readFileSync(path, 'utf8') : null;
  } catch {
    // The file does not exist yet, or cannot be read.
    return null;
  }
}
