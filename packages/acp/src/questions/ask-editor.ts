// Asks the person at the editor whether a tool may run.
import type { PermissionOption, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { allow, deny } from '@inboard/core/answer/permissions/decisions.js';
import { findReach } from '@inboard/core/answer/permissions/permission-reach.js';
import { findAskedProblem } from '@inboard/core/answer/permissions/permission-questions.js';
import { whenRecorded } from '@inboard/core/answer/permissions/when-recorded.js';
import type {
  CanUseTool,
  PermissionResult,
} from '@inboard/core/wire/protocol/control/permission-question.js';
import type { PermissionMode } from '@inboard/core/wire/protocol/control/permissions.js';
import type { MessageUpdates } from '../updates/message-updates.js';
import { askQuestions } from './ask-questions.js';
import type { EditorLink } from './editor-link.js';
import { requestPermission } from './request-permission.js';

/** An option, and the decision that follows from it. */
interface Choice extends PermissionOption {
  decide: () => PermissionResult;
}

/** The permission callback of a session. `onCancelled` is called when the person stops the turn instead of answering. */
export function createEditorAsker({
  link,
  updates,
  onCancelled,
}: {
  link: EditorLink;
  updates: MessageUpdates;
  onCancelled: () => void;
}): CanUseTool {
  // The tools that are always allowed are kept here, because a CLI that is suspended forgets the rules of its session.
  const always = new Set<string>();
  return async (toolName, input, options) => {
    if (always.has(toolName)) return allow();
    const found = findAskedProblem(options.requestId, input);
    const problem = found && (await found);
    if (problem !== undefined) return deny(problem);
    await whenRecorded();
    const { call, updates: news } = updates.ask(options.toolUseID, toolName, input);
    await link.update(news);
    if (toolName === 'AskUserQuestion') return askQuestions(link, { call, input, signal: options.signal });
    const choices = toolName === 'ExitPlanMode' ? planChoices() : usualChoices(toolName, options, always);
    const answer = await askPermission(link, { call, choices, signal: options.signal });
    // A question is withdrawn when it was answered elsewhere, or when its turn or its CLI has ended. This answer is then not used.
    if (answer === 'withdrawn') return deny('The question was withdrawn.');
    if (answer === 'stopped') {
      onCancelled();
      return deny('The user stopped the turn.', { interrupt: true });
    }
    if (answer.behavior === 'allow') await link.update(updates.running(options.toolUseID));
    return answer;
  };
}

function usualChoices(toolName: string, options: Parameters<CanUseTool>[2], always: Set<string>): Choice[] {
  const reach = findReach(toolName, options);
  const choices: Choice[] = [{ optionId: 'allow', name: 'Allow', kind: 'allow_once', decide: () => allow() }];
  if (reach && reach.updates.length > 0) {
    choices.push({
      optionId: 'allow-always',
      name: `Allow in this session: ${reach.words.join('; ')}`,
      kind: 'allow_always',
      decide: () => {
        if (reach.isWholeTool) always.add(toolName);
        return allow({ remember: reach.updates });
      },
    });
  }
  const reject: Choice = {
    optionId: 'reject',
    name: 'Reject',
    kind: 'reject_once',
    decide: () => deny('The user rejected this call.'),
  };
  return [...choices, reject];
}

function planChoices(): Choice[] {
  const leaveTo = (mode: PermissionMode) => () =>
    allow({ remember: [{ type: 'setMode', mode, destination: 'session' }] });
  return [
    {
      optionId: 'accept-edits',
      name: 'Yes, and accept edits',
      kind: 'allow_always',
      decide: leaveTo('acceptEdits'),
    },
    { optionId: 'ask', name: 'Yes, and ask before edits', kind: 'allow_once', decide: leaveTo('default') },
    {
      optionId: 'keep-planning',
      name: 'No, keep planning',
      kind: 'reject_once',
      decide: () => deny('The user wants to keep planning.'),
    },
  ];
}

/** The decision of the person. `stopped`: the person stopped the turn. `withdrawn`: the question is no longer open. */
async function askPermission(
  link: EditorLink,
  { call, choices, signal }: { call: ToolCallUpdate; choices: readonly Choice[]; signal: AbortSignal },
): Promise<PermissionResult | 'stopped' | 'withdrawn'> {
  const response = await requestPermission(link, { call, options: choices.map(toOption), signal });
  // An editor that learns of the withdrawal may still answer, and then with `cancelled`.
  if (response === undefined || signal.aborted) return 'withdrawn';
  if (response.outcome.outcome === 'cancelled') return 'stopped';
  const { optionId } = response.outcome;
  const choice = choices.find((one) => one.optionId === optionId);
  if (choice) return choice.decide();
  link.note(`The editor chose "${optionId}", which was not offered; the call is denied.`);
  return deny('The user could not be asked.');
}

function toOption({ optionId, name, kind }: Choice): PermissionOption {
  return { optionId, name, kind };
}
