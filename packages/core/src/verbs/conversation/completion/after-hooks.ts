// Runs the program's hooks after a call that ran without a CLI. What they return has the same effect as with a CLI, as far as
// the result in the transcript can show it. Hooks of settings files do not run here: only a CLI runs those.
import { createHookRegistry } from '../../../answer/hooks/hook-registry.js';
import { matchesTool } from '../../../answer/hooks/matches.js';
import type { Options } from '../../../options/options.js';
import type { WarningReporter } from '../../../options/check/warning-reporter.js';
import { isRecord } from '../../../util/guards.js';
import { randomUUID } from '../../../util/random-uuid.js';
import type { RecordedResult } from '../../../wire/protocol/config/call-records.js';

export interface AfterHooksInput {
  readonly options: Options;
  readonly warnings: WarningReporter;
  readonly sessionId: string;
  readonly signal: AbortSignal;
}

/** A call that has ended. */
export interface EndedCall {
  readonly toolUseId: string;
  readonly toolName: string;
  readonly input: Record<string, unknown>;
}

/** What the model gets after the hooks. */
export interface ReviewedResult {
  readonly result: RecordedResult;
  /** A hook returned `continue: false`: the turn ends. */
  readonly isStopped: boolean;
}

/** Runs the hooks after a call. A hook that fails changes nothing, and is reported as it is with a CLI. */
export async function runAfterHooks(
  { options, warnings, sessionId, signal }: AfterHooksInput,
  call: EndedCall,
  result: RecordedResult,
): Promise<ReviewedResult> {
  const event = result.isError === true ? 'PostToolUseFailure' : 'PostToolUse';
  const registry = createHookRegistry(options.hooks, {
    onFailure: (error) => warnings.report(error, `${error.code} ${error.hook}`),
    hookFailure: options.hookFailure,
  });
  const ids = (registry.declared?.[event] ?? [])
    .filter(({ matcher }) => matchesTool(matcher, call.toolName))
    .flatMap(({ hookCallbackIds }) => hookCallbackIds);
  const outcome =
    result.isError === true ? { error: textOfResult(result) } : { tool_response: result.content };
  const input = {
    session_id: sessionId,
    cwd: options.cwd ?? process.cwd(),
    hook_event_name: event,
    tool_name: call.toolName,
    tool_input: call.input,
    tool_use_id: call.toolUseId,
    ...outcome,
  };
  let reviewed: ReviewedResult = { result, isStopped: false };
  for (const callback_id of ids) {
    const request = { subtype: 'hook_callback', callback_id, input, tool_use_id: call.toolUseId };
    try {
      const answer = await registry.answer(request, { requestId: `completion_${randomUUID()}`, signal });
      reviewed = applyAnswer(reviewed, answer);
    } catch {
      // The registry has reported the failure. A CLI goes on without a hook that fails, and so does this.
    }
  }
  return reviewed;
}

function applyAnswer({ result, isStopped }: ReviewedResult, answer: unknown): ReviewedResult {
  if (!isRecord(answer)) return { result, isStopped };
  const { decision, reason, continue: goesOn, hookSpecificOutput } = answer;
  const { additionalContext, updatedToolOutput, updatedMCPToolOutput } = isRecord(hookSpecificOutput)
    ? hookSpecificOutput
    : {};
  const replaced = replaceOutput(result, updatedToolOutput ?? updatedMCPToolOutput);
  const said = [
    ...(decision === 'block' && typeof reason === 'string' ? [reason] : []),
    ...(typeof additionalContext === 'string' ? [additionalContext] : []),
  ];
  return { result: addTexts(replaced, said), isStopped: isStopped || goesOn === false };
}

function replaceOutput(result: RecordedResult, output: unknown): RecordedResult {
  if (output === undefined) return result;
  const { structuredContent: _structured, ...rest } = result;
  if (Array.isArray(output)) return { ...rest, content: output };
  if (isRecord(output) && Array.isArray(output['content'])) return { ...rest, ...output };
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  return { ...rest, content: [{ type: 'text', text }] };
}

function addTexts(result: RecordedResult, texts: readonly string[]): RecordedResult {
  if (texts.length === 0) return result;
  return {
    ...result,
    content: [...(result.content ?? []), ...texts.map((text) => ({ type: 'text', text }))],
  };
}

function textOfResult({ content }: RecordedResult): string {
  return (content ?? [])
    .flatMap((block) => (isRecord(block) && typeof block['text'] === 'string' ? [block['text']] : []))
    .join('\n');
}
