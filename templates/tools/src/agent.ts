// The tools in process: an agent of this program, on behalf of the user that it is given.
import { run, type QueryOptions, type RunOutcome } from 'inboard';
import type { Caller } from './callers.ts';
import { notes } from './tools.ts';

/** Runs the agent to its end. If it ends without an answer, throws a RunError whose code says how it ended. */
export function runAgent(prompt: string, caller: Caller, options: QueryOptions = {}): Promise<RunOutcome> {
  return run({
    prompt,
    options: {
      mcpServers: { notes },
      toolContext: caller,
      allowedTools: [notes], // both run without asking
      hookFailure: 'refuse', // a hook that you add and that fails is a no
      tools: [], // none of the CLI's own: no shell, no files
      settingSources: [], // no settings, hooks or CLAUDE.md of this machine
      systemPrompt: 'You keep the notes of a person. Use the tools, and answer in one sentence.',
      maxTurns: 10,
      ...options,
    },
  });
}
