// "To add a hook event", played: an event with an answer of its own that blocks, which CLIs have since a version in between.

const HOOKS = 'packages/core/src/wire/protocol/hooks';
const INDEX = 'packages/inboard/src/index.ts';
const EXPORTS_TEST = 'test/types/exported-types.test.ts';
const PAGE_TEST = 'test/docs/hooks-doc.test.ts';
const TYPES_TEST = 'test/types/hooks.test.ts';

export const HOOK = {
  id: 'hook',
  title: 'To add a hook event',
  steps: [
    {
      name: 'the input',
      edits: [
        {
          file: `${HOOKS}/hook-environment-inputs.ts`,
          after: "  source: 'register_repo_root' | 'slash_command';\n};\n",
          put: "\n/** A lamp is about to be lit. */\nexport type LampLitHookInput = HookEventInput<'LampLit'> & { lamp: string };\n",
        },
      ],
      red: ['compiler'],
    },
    {
      name: 'the answer',
      edits: [
        {
          file: `${HOOKS}/hook-outputs.ts`,
          after: "hookEventName: 'WorktreeCreate'; worktreePath: string };\n",
          put: "\n/** May leave the lamp dark. */\nexport type LampLitHookSpecificOutput = { hookEventName: 'LampLit'; action?: 'accept' | 'decline' | 'cancel' | undefined };\n",
        },
      ],
      red: ['compiler'],
    },
    {
      name: 'the row',
      edits: [
        {
          file: `${HOOKS}/hook-events.ts`,
          before: '  row<EnvironmentInputs.MessageDisplayHookInput',
          put: "  row<EnvironmentInputs.LampLitHookInput, Outputs.LampLitHookSpecificOutput>('LampLit', {\n    since: '2.1.300',\n    blockedBy: ['action'],\n    failsClosed: ['unreadable'],\n    accepts: { action: ACTION.action },\n  }),\n",
        },
      ],
      red: [TYPES_TEST],
    },
    {
      name: 'the name of the input',
      edits: [{ file: INDEX, before: '  MessageDisplayHookInput,\n', put: '  LampLitHookInput,\n' }],
      red: [EXPORTS_TEST],
    },
    {
      name: 'the name of the answer',
      edits: [
        {
          file: INDEX,
          before: '  MessageDisplayHookSpecificOutput,\n',
          put: '  LampLitHookSpecificOutput,\n',
        },
      ],
      red: [EXPORTS_TEST],
    },
    {
      name: 'whose names they are',
      edits: [
        {
          file: 'test/fixtures/official-surface.json',
          before: '    "ListSessionsOptions",\n',
          put: '    "LampLitHookInput",\n    "LampLitHookSpecificOutput",\n',
        },
      ],
      red: ['test/reference/surface-page.test.ts'],
    },
    {
      name: 'the page of public names',
      scripts: ['scripts/write-reference-pages.mjs'],
      writes: ['docs/surface.md'],
      red: ['test/reference/surface-page.test.ts'],
    },
    {
      name: 'the count on the page',
      edits: [{ file: 'docs/hooks.md', every: /(?<=of all )\d+(?= events are typed)/, count: 1 }],
      red: [PAGE_TEST],
    },
    {
      name: 'that it can be stopped',
      edits: [
        {
          file: 'docs/hooks.md',
          after: '`ElicitationResult`)',
          put: ', and the lamp stays dark (`LampLit`)',
        },
      ],
      red: [PAGE_TEST],
    },
    {
      name: 'the line in the table of versions',
      edits: [
        { file: 'docs/cli-versions.md', before: '| `MessageDisplay` |', put: '| `LampLit` | 2.1.300 |\n' },
      ],
      red: ['packages/core/test/options/cli-versions-doc.test.ts'],
    },
    {
      name: 'the count of events',
      edits: [{ file: TYPES_TEST, every: /(?<=names |toHaveLength\(|size\)\.toBe\()33/, count: 1 }],
      red: [TYPES_TEST],
    },
  ],
};
