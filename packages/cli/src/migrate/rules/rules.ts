// The table of rules. docs/coming-from-the-official-sdk.md lists each rule with the section that explains it.
import { ERROR_RULES } from './error-rules.js';
import { LIFETIME_RULES } from './lifetime-rules.js';
import { MODULE_RULES } from './module-rules.js';
import { OPTION_RULES } from './option-rules.js';
import { RENAMED_RULES } from './renamed-rules.js';
import type { MigrationRule } from './rule.js';
import { SERVER_RULES } from './server-rules.js';

/** All rules that read programs. */
export const MIGRATION_RULES: readonly MigrationRule[] = [
  ...MODULE_RULES,
  ...OPTION_RULES,
  ...ERROR_RULES,
  ...LIFETIME_RULES,
  ...SERVER_RULES,
  ...RENAMED_RULES,
];

/** Rules about package.json. They have no `find`, because a package.json is not a program. */
export const PACKAGE_RULES = {
  dependency: {
    id: 'package-dependency',
    weight: 'know',
    section: 'import-and-install',
    why: 'Only a package manager can change a dependency together with its lockfile.',
    advice: 'Run the command at the end of the summary; change a peer dependency by hand.',
  },
  tracing: MIGRATION_RULES.find(({ id }) => id === 'tracing-by-name') as MigrationRule,
} as const satisfies Record<string, Omit<MigrationRule, 'find'>>;
