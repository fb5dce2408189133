// Decides whether sessions without a permission callback put their questions on the inspector's page. They do so only if an
// inspector asks for it, because without one nobody would answer and the program would wait for ever.
import type { Options } from '../../options/options.js';

type Asked = 'canUseTool' | 'permissionPromptToolName' | 'onElicitation';

let wanted = 0;

/** Makes sessions that start from now on ask on the page. The returned function ends that. */
export function askHere(): () => void {
  wanted += 1;
  let isWanted = true;
  return () => {
    if (isWanted) wanted -= 1;
    isWanted = false;
  };
}

/**
 * Returns the options for a session that is about to start. They are unchanged if no inspector wants the questions, or if the
 * session answers them itself.
 */
export function askHereIfWanted<Given extends Pick<Options, Asked>>(options: Given): Given {
  if (wanted === 0) return options;
  const { canUseTool, permissionPromptToolName, onElicitation } = options;
  const leaveOpen = async (): Promise<null> => null;
  return {
    ...options,
    ...(canUseTool === undefined && permissionPromptToolName === undefined && { canUseTool: leaveOpen }),
    ...(onElicitation === undefined && { onElicitation: leaveOpen }),
  };
}
