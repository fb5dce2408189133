// Checks a trajectory, as matchers for vitest and jest, or as assertions for node:test and other runners. The message
// of a check explains why it fails.
import { AssertionError } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import type { Trajectory, TrajectoryToolCall } from './trajectory.js';

/** What a matcher returns to vitest and jest. */
export interface MatcherVerdict {
  pass: boolean;
  /** Explains why the check did not pass or, with `.not`, why it did. */
  message: () => string;
}

/** A tool's name, or a pattern for it. */
export type ToolPattern = string | RegExp;

/** What the input must contain: fields that must be deeply equal, or a function that decides. */
export type InputPattern = Readonly<Record<string, unknown>> | ((input: Record<string, unknown>) => boolean);

/** A call in a sequence: a tool, or a tool and its input. */
export type CallPattern = ToolPattern | { tool: ToolPattern; input?: InputPattern };

/** The matchers' names and arguments. `docs/testing.md` shows how to declare them for your runner. */
export interface TrajectoryMatchers<Returned = unknown> {
  /** The tool was called, with this input if one is given. */
  toHaveCalledTool(tool: ToolPattern, input?: InputPattern): Returned;
  /** These calls were made in this order. Others may come between them. */
  toHaveCalledToolsInOrder(calls: readonly CallPattern[]): Returned;
  /** Exactly these calls were made, in this order. */
  toHaveCalledExactly(calls: readonly CallPattern[]): Returned;
  /** Permission for the tool was asked, with this decision if one is given. */
  toHaveAskedPermission(tool: ToolPattern, decision?: 'allow' | 'deny'): Returned;
  /** The run cost no more than this many US dollars. */
  toHaveCostAtMost(usd: number): Returned;
  /** The last turn succeeded, with this text if one is given. */
  toHaveSucceeded(text?: string | RegExp): Returned;
}

type Checks = {
  [Name in keyof TrajectoryMatchers]: (
    trajectory: Trajectory,
    ...args: Parameters<TrajectoryMatchers[Name]>
  ) => MatcherVerdict;
};

/** For `expect.extend(trajectoryMatchers)`. */
export const trajectoryMatchers: Checks = {
  toHaveCalledTool(trajectory, tool, input) {
    const pass = trajectory.toolCalls.some((call) => fitsCall(call, { tool, ...(input && { input }) }));
    return judge(
      pass,
      `a call to the tool ${show(tool)}${input ? ` with ${show(input)}` : ''}`,
      listCalls(trajectory),
    );
  },
  toHaveCalledToolsInOrder(trajectory, calls) {
    let next = 0;
    for (const call of trajectory.toolCalls) {
      const wanted = calls[next];
      if (wanted !== undefined && fitsCall(call, wanted)) next += 1;
    }
    const missing = calls[next];
    const reason = missing === undefined ? '' : `${show(missing)} was not called in its turn; `;
    return judge(
      next === calls.length,
      `the calls ${show(calls)} in this order`,
      reason + listCalls(trajectory),
    );
  },
  toHaveCalledExactly(trajectory, calls) {
    const { toolCalls } = trajectory;
    const pass =
      toolCalls.length === calls.length &&
      calls.every((wanted, index) => fitsCall(toolCalls[index] as TrajectoryToolCall, wanted));
    return judge(pass, `exactly the calls ${show(calls)}`, listCalls(trajectory));
  },
  toHaveAskedPermission(trajectory, tool, decision) {
    const pass = trajectory.permissions.some(
      (asked) => fitsName(asked.toolName, tool) && (decision === undefined || asked.decision === decision),
    );
    const seen = trajectory.permissions.map((asked) => `${asked.toolName}: ${asked.decision}`);
    return judge(
      pass,
      `a permission question about ${show(tool)}${decision ? ` answered with ${decision}` : ''}`,
      `questions: ${seen.join(', ') || 'none'}`,
    );
  },
  toHaveCostAtMost({ totalCostUsd }, usd) {
    return judge(totalCostUsd <= usd, `a cost of at most ${usd} US dollars`, `it was ${totalCostUsd}`);
  },
  toHaveSucceeded({ turns }, text) {
    const last = turns.at(-1);
    const pass =
      last !== undefined &&
      last.subtype === 'success' &&
      !last.isError &&
      (text === undefined || (typeof text === 'string' ? last.text === text : last.text.search(text) !== -1));
    const seen = last ? `it ended as ${last.subtype}: ${show(last.text)}` : 'no turn has ended';
    return judge(pass, `a last turn that succeeded${text === undefined ? '' : ` with ${show(text)}`}`, seen);
  },
};

/** For test runners without matchers: throws an AssertionError unless the trajectory matches. */
export function assertTrajectory<Name extends keyof TrajectoryMatchers>(
  trajectory: Trajectory,
  matcher: Name,
  ...args: Parameters<TrajectoryMatchers[Name]>
): void {
  const check = trajectoryMatchers[matcher] as (...given: unknown[]) => MatcherVerdict;
  const { pass, message } = check(trajectory, ...args);
  if (!pass) throw new AssertionError({ message: message(), actual: trajectory, operator: matcher });
}

function judge(pass: boolean, wanted: string, seen: string): MatcherVerdict {
  return { pass, message: () => `Expected ${pass ? 'anything but ' : ''}${wanted}; ${seen}` };
}

function fitsCall(call: TrajectoryToolCall, wanted: CallPattern): boolean {
  const pattern = typeof wanted === 'string' || wanted instanceof RegExp ? { tool: wanted } : wanted;
  return fitsName(call.name, pattern.tool) && fitsInput(call.input, pattern.input);
}

/** Whether a pattern matches the name of a tool. A tool of an MCP server may be named without its server. */
function fitsName(name: string, pattern: ToolPattern): boolean {
  if (pattern instanceof RegExp) return name.search(pattern) !== -1;
  return name === pattern || (name.startsWith('mcp__') && name.endsWith(`__${pattern}`));
}

function fitsInput(input: Record<string, unknown>, pattern: InputPattern | undefined): boolean {
  if (pattern === undefined) return true;
  if (typeof pattern === 'function') return pattern(input);
  return Object.entries(pattern).every(([key, value]) => isDeepStrictEqual(input[key], value));
}

function listCalls({ toolCalls }: Trajectory): string {
  const calls = toolCalls.map(({ name, input }) => `${name}(${JSON.stringify(input)})`);
  return `calls: ${calls.join(', ') || 'none'}`;
}

function show(value: unknown): string {
  if (value instanceof RegExp) return String(value);
  if (typeof value === 'function') return 'an input that matches';
  return JSON.stringify(value, (_key, part: unknown) =>
    part instanceof RegExp ? String(part) : typeof part === 'function' ? 'fits' : part,
  );
}
