// Finds out which calls the CLI would no longer ask about after the answer "always". The permission is kept only for the
// session, even if the CLI would store it, because an answer in a terminal or an editor must not change settings files.
import type { CanUseToolOptions } from '../../wire/protocol/control/permission-question.js';
import type { PermissionUpdate } from '../../wire/protocol/control/permissions.js';

/** The meaning of "always" for one question. */
export interface PermissionReach {
  /** The changes for the CLI. If there are none, only the caller of `findReach` can remember the answer. */
  updates: PermissionUpdate[];
  /** Descriptions of the calls that the CLI will no longer ask about. */
  words: string[];
  /** Whether the permission covers every call of the tool. */
  isWholeTool: boolean;
}

/** The reach of "always". Undefined if "always" must not be offered. */
export function findReach(
  name: string,
  {
    suggestions = [],
    suppressAlwaysAllowRule,
  }: Pick<CanUseToolOptions, 'suggestions' | 'suppressAlwaysAllowRule'>,
): PermissionReach | undefined {
  if (suppressAlwaysAllowRule === true) return undefined;
  const rules = suggestions.filter((update) => update.type === 'addRules' && update.behavior === 'allow');
  const wider = suggestions.filter(({ type }) => type === 'setMode' || type === 'addDirectories');
  // A rule names the calls that it covers. A mode or a folder allows much more.
  const updates = (rules.length > 0 ? rules : wider).map((update) => ({
    ...update,
    destination: 'session' as const,
  }));
  if (updates.length === 0) {
    // The CLI suggests nothing for a call that it does not understand. Then "always" covers only calls with this input.
    return { updates, words: [`calls to ${name} with exactly this input`], isWholeTool: false };
  }
  return {
    updates,
    words: updates.flatMap(describeUpdate),
    isWholeTool: updates.some(
      (update) =>
        update.type === 'addRules' &&
        update.rules.some(({ toolName, ruleContent }) => toolName === name && ruleContent === undefined),
    ),
  };
}

function describeUpdate(update: PermissionUpdate): string[] {
  switch (update.type) {
    case 'setMode':
      return [
        update.mode === 'acceptEdits'
          ? 'all changes to files in its working folders (mode acceptEdits)'
          : `whatever the mode ${update.mode} allows`,
      ];
    case 'addDirectories':
      return update.directories.map((folder) => `work in the folder ${folder}`);
    case 'addRules':
      return update.rules.map(({ toolName, ruleContent }) =>
        ruleContent === undefined
          ? nameWhole(toolName)
          : `${toolName} calls like ${toolName}(${ruleContent})`,
      );
    default:
      return [];
  }
}

function nameWhole(name: string): string {
  return `every call to ${name}, whatever its input`;
}
