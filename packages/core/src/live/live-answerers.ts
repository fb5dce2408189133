// Makes the parts that answer a live CLI's questions: tools, hooks, permissions and dialogs. If a group limits the
// CLI, a slot watch follows whether a question waits for this process or for a person.
import { createHookRegistry, type HookRegistry } from '../answer/hooks/hook-registry.js';
import { DialogQuestions } from '../answer/permissions/dialog-questions.js';
import { PermissionQuestions } from '../answer/permissions/permission-questions.js';
import { HookError, type InboardError } from '../errors.js';
import type { WarningReporter } from '../options/check/warning-reporter.js';
import type { Answerer } from '../wire/protocol/answer.js';
import type { RequestSender } from './control-requests.js';
import type { InputLifetime } from './input/input-lifetime.js';
import type { LiveCliOptions } from './live-cli-options.js';
import type { Basis } from './live-wire.js';
import { SlotWatch } from './slot-watch.js';
import type { CallLedger } from './tooling/call-ledger.js';
import { LiveTools } from './tooling/live-tools.js';
import { ParallelGuard } from './tooling/parallel-guard.js';

/** The input for making the answerers. */
export interface AnswererInput extends Pick<LiveCliOptions, 'slot' | 'recorder' | 'unrecorded'> {
  warnings: WarningReporter;
  calls: CallLedger;
  request: RequestSender;
  lifetime: InputLifetime;
  sessionId: () => string | undefined;
}

export interface Answerers {
  /** Undefined for a CLI that is in no group. */
  slots: SlotWatch | undefined;
  tools: LiveTools;
  hooks: HookRegistry;
  permissions: PermissionQuestions;
  dialogs: DialogQuestions;
}

/** Makes the answerers and registers each for the requests it answers. */
export function createAnswerers(basis: Basis, input: AnswererInput): Answerers {
  const { channel, answerers } = basis.wire;
  const { calls, sessionId, warnings } = input;
  const { canUseTool, hooks: given, hookFailure, onElicitation, onUserDialog } = basis.options;
  // A process warning is emitted once for each callback, whatever its errors are.
  const onFailure = (error: InboardError): void =>
    warnings.report(error, `${error.code} ${error instanceof HookError ? error.hook : ''}`);
  const watch = input.slot && new SlotWatch(input.slot);
  const write = (requestId: string, response: unknown, notice?: Error): boolean => {
    const answer = (): boolean => channel.answer(requestId, response, notice);
    return watch ? watch.release(requestId, answer) : answer();
  };
  const guard = new ParallelGuard();
  const tools = createTools(basis, input, watch, guard);
  const hooks = createHookRegistry(guard.addHook(given), {
    onFailure,
    hookFailure,
    agentIdOf: (toolUseId) => tools.agentIdOf(toolUseId),
  });
  const permissions = new PermissionQuestions({
    canUseTool,
    sessionId,
    identify: (call) => calls.identify(call),
    onUnavailable: (error, toolName) =>
      warnings.emit({
        code: 'PERMISSION_UNAVAILABLE',
        message: `The permission question about ${toolName} stays open because nobody can answer it at the moment; the error says why`,
        error,
      }),
    onFailure,
    findInputProblem: (toolName, toolInput) => tools.findInputProblem(toolName, toolInput),
    write,
  });
  const dialogs = new DialogQuestions({ onElicitation, onUserDialog, onFailure, write });

  const asWork = (answer: Answerer): Answerer => watch?.work(answer) ?? answer;
  const asQuestion = (answer: Answerer): Answerer => watch?.person(answer) ?? answer;
  const answerPermission: Answerer = (asked, context) => {
    guard.noteQuestion(asked);
    return permissions.answer(asked, context);
  };
  answerers.can_use_tool = asQuestion(guard.isNeeded ? answerPermission : permissions.answer);
  answerers.hook_callback = asWork(hooks.answer);
  answerers.mcp_message = asWork(tools.answer);
  answerers.elicitation = asQuestion(dialogs.elicitation);
  answerers.request_user_dialog = asQuestion(dialogs.dialog);
  return { slots: watch, tools, hooks, permissions, dialogs };
}

function createTools(
  { options, state: { prompt, end } }: Basis,
  { warnings, calls, request, lifetime, sessionId, recorder, unrecorded }: AnswererInput,
  watch: SlotWatch | undefined,
  guard: ParallelGuard,
): LiveTools {
  return new LiveTools({
    options,
    warnings,
    sessionId,
    identify: (call) => calls.identify(call),
    hasMessage: () => prompt.isAtHand || lifetime.hasWritten,
    request,
    wait: watch && ((requestId, answer) => watch.wait(requestId, answer)),
    onMissing: (error) => end.request({ kind: 'failed', error }),
    recorder,
    unrecorded,
    guard,
    keepsHandlers: () => (end.cause ? end.cause.kind === 'released' : end.isOver),
  });
}
