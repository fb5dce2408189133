// Describes in a sentence which permission "always" would add.
import type {
  PermissionUpdate,
  PermissionUpdateDestination,
} from '@inboard/core/wire/protocol/control/permissions.js';

const WHERE: Readonly<Record<PermissionUpdateDestination, string>> = {
  session: 'for this session',
  localSettings: 'in this project, for you',
  projectSettings: 'in this project, for everybody',
  userSettings: 'in all your projects',
  cliArg: 'for this run',
};

/** One sentence about a change of the permissions. */
export function describeSuggestion(update: PermissionUpdate): string {
  const where = WHERE[update.destination] ?? `in ${update.destination}`;
  switch (update.type) {
    case 'addRules':
    case 'replaceRules':
    case 'removeRules': {
      const rules = (update.rules ?? []).map(({ toolName, ruleContent }) =>
        ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`,
      );
      const what =
        update.type === 'removeRules' ? `No longer ${update.behavior}` : `Always ${update.behavior}`;
      return `${what} ${rules.join(', ')} ${where}`;
    }
    case 'setMode':
      return `Change to the mode ${update.mode} ${where}`;
    case 'addDirectories':
      return `Let tools use ${(update.directories ?? []).join(', ')} ${where}`;
    case 'removeDirectories':
      return `No longer let tools use ${(update.directories ?? []).join(', ')} ${where}`;
    default:
      return `Remember it ${where}`;
  }
}
