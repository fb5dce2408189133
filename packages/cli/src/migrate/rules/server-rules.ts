// Rules about in-process servers, and about products that watch the official package.
import { createSdkMcpServer } from '@inboard/core/answer/mcp/server/create-sdk-mcp-server.js';
import { findCalls, type Program } from '../program/program.js';
import { stringValue } from '../tokens/string-value.js';
import type { Token } from '../tokens/token.js';
import type { RuleFinding, MigrationRule } from './rule.js';

const SERVER_INSTANCE: MigrationRule = {
  id: 'server-instance',
  weight: 'breaks',
  section: 'the-server-behind-instance',
  why: '"instance" is a ToolServer of Inboard, not an McpServer of the MCP library, whose private members no other class can have.',
  advice:
    'Use registerTool() and the other methods of the instance, or create an McpServer yourself and pass it as "instance".',
  find: (program) => {
    const { code } = program;
    const owners = findServerNames(program);
    return code.flatMap((token, index): RuleFinding[] => {
      if (token.text !== 'instance' || !isOwned(code, index, owners)) return [];
      const missing = findMissingMember(code, index, INSTANCE);
      if (missing !== undefined) return [{ offset: token.start, what: `The instance has no "${missing}".` }];
      const isCast = code[index + 1]?.text === 'as' && code[index + 2]?.text === 'McpServer';
      return isCast ? [{ offset: token.start, what: 'The instance is not an McpServer.' }] : [];
    });
  },
};

// A server of this package, in which the members are looked up.
const { instance: INSTANCE } = createSdkMcpServer({ name: 'any', tools: [] });

/** Follows the members that a program reads from a value, and returns the first path that does not exist. */
function findMissingMember(code: readonly Token[], index: number, value: unknown): string | undefined {
  const member = code[index + 1]?.text === '.' ? code[index + 2] : undefined;
  if (member?.kind !== 'name' || typeof value !== 'object' || value === null) return undefined;
  if (!(member.text in value)) return member.text;
  const inner = findMissingMember(code, index + 2, (value as Record<string, unknown>)[member.text]);
  return inner === undefined ? undefined : `${member.text}.${inner}`;
}

/** Variables that hold what createSdkMcpServer() returned. */
function findServerNames(program: Program): Set<string> {
  const { code } = program;
  return new Set(
    findCalls(program, 'createSdkMcpServer').flatMap((open) => {
      let at = open - 1;
      while (code[at]?.kind === 'name' || code[at]?.text === '.') at -= 1;
      const name = code[at]?.text === '=' ? code[at - 1] : undefined;
      return name?.kind === 'name' ? [name.text] : [];
    }),
  );
}

function isOwned(code: readonly Token[], index: number, owners: ReadonlySet<string>): boolean {
  return code[index - 1]?.text === '.' && owners.has(code[index - 2]?.text ?? '');
}

const SERVER_PER_QUERY: MigrationRule = {
  id: 'server-per-query',
  weight: 'know',
  section: 'workarounds-you-can-drop',
  why: 'One server serves any number of queries, at once or one after the other.',
  advice:
    'Create the server once. If its tools need values of this call, pass them with the option "toolContext".',
  find: (program, { options }) => {
    const { code } = program;
    const inside = options.literals;
    const found = findCalls(program, 'createSdkMcpServer').filter(
      (open) => inside.some(({ start, end }) => start < open && open < end) && isInFunction(code, open),
    );
    return found.slice(0, 1).map((open) => ({
      offset: code[open - 1]?.start ?? 0,
      what: 'A new server is created for each query.',
    }));
  },
};

// Whether the index is inside braces that follow `=>` or `)`, as the braces of a function do.
function isInFunction(code: readonly Token[], index: number): boolean {
  let depth = 0;
  for (let at = index; at >= 0; at -= 1) {
    const { text, kind } = code[at] as Token;
    if (kind !== 'punctuator') continue;
    if (text === '}') depth += 1;
    if (text === '{' && depth > 0) depth -= 1;
    else if (text === '{' && /^(?:=>|\))$/.test(code[at - 1]?.text ?? '')) return true;
  }
  return false;
}

const TRACING_BY_NAME: MigrationRule = {
  id: 'tracing-by-name',
  weight: 'differs',
  section: 'programs-that-patch-the-official-sdk',
  why: 'This product finds the official SDK by the name of its package. It does not see Inboard, and gives no sign of that.',
  advice:
    'Use a wrapper such as wrapClaudeAgentSDK() of braintrust, or the OpenTelemetry spans of inboard/otel.',
  mentions: ['dd-trace', 'braintrust/hook'],
  find: ({ code }) =>
    code
      .filter((token) => isPatch(stringValue(token) ?? ''))
      .slice(0, 1)
      .map((token) => ({
        offset: token.start,
        what: `"${stringValue(token)}" no longer traces your agents.`,
      })),
};

/** Whether a module patches the official package by its name. */
export function isPatch(specifier: string): boolean {
  return /^dd-trace(?:\/[\w./-]{1,60})?$|^braintrust\/hook(?:\.mjs)?$/.test(specifier);
}

/** The rules about servers and tracing. */
export const SERVER_RULES: readonly MigrationRule[] = [SERVER_INSTANCE, SERVER_PER_QUERY, TRACING_BY_NAME];
