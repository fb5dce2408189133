// Whether sessions without a permission callback put their questions on the inspector's page. Off unless an inspector wants it:
// a program without one would wait for ever.
import type { Options } from '../../options/options.js';

type Asked = 'canUseTool' | 'permissionPromptToolName' | 'onElicitation';

let wanted = 0;

/** Has sessions that are started from now on ask on the page; the returned function ends that. */
export function askHere(): () => void {
  wanted += 1;
  let isWanted = true;
  return () => {
    if (isWanted) wanted -= 1;
    isWanted = false;
  };
}

/** The options of a session that is about to start: unchanged where no inspector wants its questions, or it answers them itself. */
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
