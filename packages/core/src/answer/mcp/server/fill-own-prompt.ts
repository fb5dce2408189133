// Fills in a prompt for the program that owns the server. No session is needed.
import { InvalidOptionsError } from '../../../errors.js';
import type { FilledPrompt } from '../prompts/prompts.js';
import type { ServerCatalog } from './server-catalog.js';
import { loadPart } from '../../../util/load-part.js';

/** Fills in a prompt. Rejects with an InvalidOptionsError for a wrong name or wrong arguments. */
export async function fillOwnPrompt(
  catalog: ServerCatalog,
  { name, args, signal }: { name: string; args: unknown; signal: AbortSignal | undefined },
): Promise<FilledPrompt> {
  const { fillPrompt, withPromptText } = await loadPart(() => import('../prompts/fill-prompt.js'));
  signal?.throwIfAborted();
  const context = {
    signal: signal ?? new AbortController().signal,
    sessionId: undefined,
    server: catalog.options.name,
    context: catalog.options.context,
  };
  const outcome = await fillPrompt(catalog, { name, args, context });
  if ('problem' in outcome) throw new InvalidOptionsError(['prompts'], outcome.problem);
  return withPromptText(outcome.result);
}
