// The table of hook events, one row each: the types of a hook's input and answer, the first CLI that has the event, and
// how a hook blocks. Details that concern a single event only, such as a hint about one matcher, are not here.
import type { FactsFor, HookEventFacts } from './hook-facts.js';
import type * as Inputs from './hook-inputs.js';
import type * as EnvironmentInputs from './hook-environment-inputs.js';
import type * as StopInputs from './hook-stop-inputs.js';
import type * as ToolInputs from './hook-tool-inputs.js';
import type * as Outputs from './hook-outputs.js';

type AnyInput = Inputs.BaseHookInput & { hook_event_name: string };
type OutputFor<Input extends AnyInput> = { hookEventName: Input['hook_event_name'] };

/** An event. `input` and `output` are never set; they only carry the types. */
interface HookEventRow<Input extends AnyInput, Output> extends HookEventFacts {
  name: Input['hook_event_name'];
  input?: Input;
  output?: Output;
}

function row<Input extends AnyInput, Output extends OutputFor<Input> | undefined = undefined>(
  name: Input['hook_event_name'],
  facts: FactsFor<Output>,
): HookEventRow<Input, Output> {
  return { name, ...facts };
}

const CONTEXT = { additionalContext: 'string' } as const;

const ACTION = { action: ['accept', 'decline', 'cancel'], content: 'object' } as const;

const ROWS = [
  row<ToolInputs.PreToolUseHookInput, Outputs.PreToolUseHookSpecificOutput>('PreToolUse', {
    matchedBy: 'tool name',
    blockedBy: ['permissionDecision', 'decision'],
    // The newest CLI itself treats a late answer as a refusal, too. 2.1.33 would continue.
    failsClosed: ['late', 'unreadable'],
    accepts: {
      permissionDecision: ['allow', 'deny', 'ask', 'defer'],
      permissionDecisionReason: 'string',
      updatedInput: 'object',
      additionalContext: 'string',
    },
  }),
  // The tool has run already. With `decision` the model would still see its result, so only `continue` blocks.
  row<ToolInputs.PostToolUseHookInput, Outputs.PostToolUseHookSpecificOutput>('PostToolUse', {
    matchedBy: 'tool name',
    blockedBy: ['continue'],
    accepts: {
      additionalContext: 'string',
      updatedToolOutput: 'anything',
      updatedMCPToolOutput: 'anything',
      classifierContext: 'string',
    },
  }),
  row<ToolInputs.PostToolUseFailureHookInput, Outputs.PostToolUseFailureHookSpecificOutput>(
    'PostToolUseFailure',
    { matchedBy: 'tool name', accepts: CONTEXT },
  ),
  row<ToolInputs.PostToolBatchHookInput, Outputs.PostToolBatchHookSpecificOutput>('PostToolBatch', {
    since: '2.1.118',
    matchedBy: 'nothing',
    blockedBy: ['continue'],
    accepts: CONTEXT,
  }),
  row<Inputs.NotificationHookInput, Outputs.NotificationHookSpecificOutput>('Notification', {
    accepts: CONTEXT,
  }),
  row<Inputs.UserPromptSubmitHookInput, Outputs.UserPromptSubmitHookSpecificOutput>('UserPromptSubmit', {
    matchedBy: 'nothing',
    blockedBy: ['decision'],
    failsClosed: ['late', 'unreadable'],
    accepts: { additionalContext: 'string', sessionTitle: 'string', suppressOriginalPrompt: 'boolean' },
  }),
  row<Inputs.UserPromptExpansionHookInput, Outputs.UserPromptExpansionHookSpecificOutput>(
    'UserPromptExpansion',
    {
      since: '2.1.116',
      blockedBy: ['decision'],
      failsClosed: ['unreadable'],
      accepts: { additionalContext: 'string', suppressOriginalPrompt: 'boolean' },
    },
  ),
  row<Inputs.SessionStartHookInput, Outputs.SessionStartHookSpecificOutput>('SessionStart', {
    accepts: {
      additionalContext: 'string',
      initialUserMessage: 'string',
      sessionTitle: 'string',
      watchPaths: 'strings',
      reloadSkills: 'boolean',
    },
  }),
  row<Inputs.SessionEndHookInput>('SessionEnd', {}),
  row<StopInputs.StopHookInput, Outputs.StopHookSpecificOutput>('Stop', {
    matchedBy: 'nothing',
    accepts: CONTEXT,
  }),
  row<StopInputs.StopFailureHookInput>('StopFailure', { since: '2.1.78' }),
  row<StopInputs.SubagentStartHookInput, Outputs.SubagentStartHookSpecificOutput>('SubagentStart', {
    accepts: CONTEXT,
  }),
  row<StopInputs.SubagentStopHookInput, Outputs.SubagentStopHookSpecificOutput>('SubagentStop', {
    accepts: CONTEXT,
  }),
  row<Inputs.PreCompactHookInput>('PreCompact', { blockedBy: ['decision'] }),
  row<Inputs.PostCompactHookInput>('PostCompact', { since: '2.1.76' }),
  row<EnvironmentInputs.PreModelSwitchHookInput, Outputs.PreModelSwitchHookSpecificOutput>('PreModelSwitch', {
    since: '2.1.251',
    blockedBy: ['permissionDecision', 'decision'],
    failsClosed: ['unreadable'],
    accepts: { permissionDecision: ['allow', 'deny', 'ask'], permissionDecisionReason: 'string' },
  }),
  row<EnvironmentInputs.PostModelSwitchHookInput, Outputs.PostModelSwitchHookSpecificOutput>(
    'PostModelSwitch',
    { since: '2.1.251', accepts: CONTEXT },
  ),
  row<ToolInputs.PermissionRequestHookInput, Outputs.PermissionRequestHookSpecificOutput>(
    'PermissionRequest',
    {
      matchedBy: 'tool name',
      blockedBy: ['behavior'],
      failsClosed: ['unreadable'],
      accepts: { decision: 'permission decision' },
    },
  ),
  row<ToolInputs.PermissionDeniedHookInput, Outputs.PermissionDeniedHookSpecificOutput>('PermissionDenied', {
    since: '2.1.88',
    matchedBy: 'tool name',
    accepts: { retry: 'boolean' },
  }),
  row<EnvironmentInputs.SetupHookInput, Outputs.SetupHookSpecificOutput>('Setup', {
    accepts: CONTEXT,
  }),
  row<EnvironmentInputs.TeammateIdleHookInput>('TeammateIdle', {}),
  row<EnvironmentInputs.TaskCreatedHookInput>('TaskCreated', { since: '2.1.84' }),
  row<EnvironmentInputs.TaskCompletedHookInput>('TaskCompleted', {}),
  row<EnvironmentInputs.ElicitationHookInput, Outputs.ElicitationHookSpecificOutput>('Elicitation', {
    since: '2.1.63',
    blockedBy: ['action'],
    failsClosed: ['unreadable'],
    accepts: ACTION,
  }),
  row<EnvironmentInputs.ElicitationResultHookInput, Outputs.ElicitationResultHookSpecificOutput>(
    'ElicitationResult',
    {
      since: '2.1.63',
      blockedBy: ['action'],
      accepts: ACTION,
    },
  ),
  row<EnvironmentInputs.ConfigChangeHookInput>('ConfigChange', { since: '2.1.48' }),
  row<EnvironmentInputs.WorktreeCreateHookInput, Outputs.WorktreeCreateHookSpecificOutput>('WorktreeCreate', {
    since: '2.1.50',
    accepts: { worktreePath: 'string' },
  }),
  row<EnvironmentInputs.WorktreeRemoveHookInput>('WorktreeRemove', { since: '2.1.50' }),
  row<EnvironmentInputs.InstructionsLoadedHookInput>('InstructionsLoaded', { since: '2.1.69' }),
  row<EnvironmentInputs.CwdChangedHookInput, Outputs.CwdChangedHookSpecificOutput>('CwdChanged', {
    since: '2.1.83',
    accepts: { watchPaths: 'strings' },
  }),
  row<EnvironmentInputs.FileChangedHookInput, Outputs.FileChangedHookSpecificOutput>('FileChanged', {
    since: '2.1.83',
    accepts: { watchPaths: 'strings' },
  }),
  row<EnvironmentInputs.DirectoryAddedHookInput>('DirectoryAdded', { since: '2.1.219' }),
  row<EnvironmentInputs.MessageDisplayHookInput, Outputs.MessageDisplayHookSpecificOutput>('MessageDisplay', {
    since: '2.1.152',
    matchedBy: 'nothing',
    accepts: { displayContent: 'string' },
  }),
] as const;

type Row = (typeof ROWS)[number];

type NamesOf<List extends readonly { name: string }[]> = { [Index in keyof List]: List[Index]['name'] };

/** All events a hook can be registered for. */
export const HOOK_EVENTS = ROWS.map(({ name }) => name) as unknown as NamesOf<typeof ROWS>;

/** The name of an event a hook can be registered for. */
export type HookEvent = Row['name'];

/** The input of a hook, by event name. */
export type HookInputMap = { [Event in Row as Event['name']]: Exclude<Event['input'], undefined> };

/** The input of any hook; narrow it by `hook_event_name`. */
export type HookInput = HookInputMap[HookEvent];

/** The part of an answer that only its event has. */
export type HookSpecificOutput = Exclude<Row['output'], undefined>;

/** The facts about an event, by its name; undefined for an unknown name. */
export function findHookEvent(name: string): HookEventFacts | undefined {
  return ROWS.find((event) => event.name === name);
}
