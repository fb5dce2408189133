// Explains in a sentence why a tool was not called, or did not run, from the diagnosis of the SDK and from the events.
import { diagnoseTool, type ToolFacts } from '@inboard/core/answer/diagnosis/diagnose-tool.js';
import { formatCountOf } from '../format.js';
import type { ObservedCall, ToolEntry } from './tool-entry.js';

/** Facts about the session. */
export interface SilenceFacts {
  facts: ToolFacts;
  hasTurn: boolean;
  searches: number;
  found: ReadonlySet<string>;
  isMentioned: (name: string) => boolean;
}

type Tool = Pick<ToolEntry, 'toolName' | 'name' | 'server' | 'isDeferred' | 'calls'>;

/** The explanation; undefined for a tool that ran. */
export function explainSilence(tool: Tool, known: SilenceFacts): ToolEntry['silence'] {
  if (tool.calls.length > 0) return explainRefusals(tool.calls);
  if (!known.hasTurn) return say('No turn has begun yet.');
  const { causes } = diagnoseTool(tool.toolName, known.facts);
  const cause = causes.find(({ kind }) => kind !== 'renamed' && kind !== 'deferred');
  if (cause) return say(`${capital(cause.reason)}.`, cause.advice);
  if (tool.isDeferred) return explainDeferral(tool, known);
  const saw = 'The model saw it from the start, but did not choose it';
  return known.isMentioned(tool.name)
    ? say(`${saw}, though its name was mentioned.`)
    : say(
        `${saw}; its name was never mentioned.`,
        'Name it in the prompt, or say in its description when to use it.',
      );
}

function explainRefusals(calls: readonly ObservedCall[]): ToolEntry['silence'] {
  if (!calls.every(({ state }) => state === 'denied')) return undefined;
  const times =
    calls.length === 1 ? 'once, and was refused' : `${calls.length} times, and was refused each time`;
  const reason = calls.at(-1)?.error;
  return say(`The model asked for it ${times}${reason === undefined || reason === '' ? '.' : `: ${reason}`}`);
}

function explainDeferral({ toolName }: Tool, { searches, found, facts }: SilenceFacts): ToolEntry['silence'] {
  const advice = diagnoseTool(toolName, facts).causes.find(({ kind }) => kind === 'deferred')?.advice;
  if (found.has(toolName)) return say('The model found it by a search, but did not choose it.');
  const deferred = 'It is deferred: the model does not see it until it searches for it';
  return searches === 0
    ? say(`${deferred}, and it never searched.`, advice)
    : say(`${deferred}. It searched ${formatCountOf(searches, 'time')}, but did not find it.`, advice);
}

function say(text: string, advice?: string): ToolEntry['silence'] {
  return { text, advice };
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
