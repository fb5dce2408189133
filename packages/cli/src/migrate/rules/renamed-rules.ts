// Rules about names of this package that were others before it was published. They are for programs that used a clone of it.
import { findModuleLinks, type ModuleLink } from '../program/module-links.js';
import type { Program } from '../program/program.js';
import { MOVED_NAMES, RENAMED_NAMES } from '../surface-changes.js';
import { stringValue } from '../tokens/string-value.js';
import type { MigrationRule, RuleFinding } from './rule.js';

const PACKAGE = 'inboard';
const SECTION = 'programs-that-used-a-clone';

/** Where a program names an entry point of this package. */
function findOwnLinks({ code }: Program): ModuleLink[] {
  return findModuleLinks(code, []).filter(
    ({ specifier }) => specifier === PACKAGE || specifier.startsWith(`${PACKAGE}/`),
  );
}

function judgeExport(entryPoint: string, name: string): Pick<RuleFinding, 'what' | 'advice'> | undefined {
  const renamed = RENAMED_NAMES.find(
    ({ kind, of, from }) => kind === 'export' && of === entryPoint && from === name,
  );
  if (renamed) {
    return {
      what: `"${entryPoint}" has no "${name}" any more.`,
      advice: `Use ${renamed.to}.`,
    };
  }
  const moved = MOVED_NAMES.find(({ from, names }) => from === entryPoint && names.includes(name));
  return (
    moved && { what: `"${name}" is no longer in "${entryPoint}".`, advice: `Import it from "${moved.to}".` }
  );
}

const RENAMED_EXPORT: MigrationRule = {
  id: 'renamed-export',
  weight: 'breaks',
  section: SECTION,
  why: 'Names of Inboard were renamed or moved to another entry point before its first publication.',
  advice: 'See the table of public names in docs/surface.md.',
  mentions: [PACKAGE],
  find: (program) =>
    findOwnLinks(program).flatMap(({ specifier, names }) =>
      names.flatMap(({ imported, start }) => {
        const found = judgeExport(specifier, imported);
        return found ? [{ offset: start, ...found }] : [];
      }),
    ),
};

const RENAMED_MEMBER: MigrationRule = {
  id: 'renamed-member',
  weight: 'know',
  section: SECTION,
  why: 'Properties of what Inboard hands out were renamed before its first publication, and this one has such a name.',
  advice: 'See the table of public names in docs/surface.md.',
  mentions: [PACKAGE],
  find: (program) => {
    if (findOwnLinks(program).length === 0) return [];
    return program.code.flatMap((token, index): RuleFinding[] => {
      const before = program.code[index - 1]?.text ?? '';
      const renamed = RENAMED_NAMES.find(({ kind, from }) =>
        kind === 'value' ? stringValue(token) === from : kind === 'member' && token.text === from,
      );
      if (!renamed || !isPlace(renamed.from, before, program.code[index - 2]?.text ?? '')) return [];
      return [
        {
          offset: token.start,
          what: `"${renamed.from}" of ${renamed.of} is ${renamed.to} now.`,
          advice: `If it is meant, change it to ${renamed.to}.`,
        },
      ];
    });
  },
};

// Test libraries have a `waitFor` of their own: only a property of what handlers usually call it, or one that is taken out of it, counts.
function isPlace(name: string, before: string, owner: string): boolean {
  if (name === 'waitFor') return before === '.' ? /^(?:extra|context)$/.test(owner) : before === '{';
  return before === '.' || before === '?.' || before === '{' || before === ',' || before === ':';
}

/** The rules about names that were others. */
export const RENAMED_RULES: readonly MigrationRule[] = [RENAMED_EXPORT, RENAMED_MEMBER];
