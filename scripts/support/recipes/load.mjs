// "To load something on first use", played: a part that a program imports in a plain way, and then as the recipe has it.

const LOADER = 'packages/inboard/src/load-on-use.ts';
const PART = '@inboard/core/record/settings/lamp-part.js';
const SCENE = 'settings without a part';
const TEST = 'test/package/lazy-parts.test.ts';

export const LOAD = {
  id: 'load',
  title: 'To load something on first use',
  given: [
    {
      file: 'packages/core/src/record/settings/lamp-part.ts',
      create:
        '// A part.\n\n/** Says that it is there. */\nexport function isLampThere(): boolean {\n  return true;\n}\n',
    },
    {
      file: LOADER,
      before:
        "  return await (\n    await loadPart(() => import('@inboard/core/record/settings/resolve-settings.js'))",
      put: `  (await import('${PART}')).isLampThere();\n`,
    },
  ],
  steps: [
    {
      name: 'the helper, in its form',
      edits: [
        {
          file: LOADER,
          instead: `await import('${PART}')`,
          put: `await loadPart(() => import('${PART}'))`,
        },
      ],
      red: [TEST],
    },
    {
      name: 'a scene without the part',
      edits: [
        {
          file: 'test/package/parts/scenes.mjs',
          before: "  'worker thread without descriptors': async",
          put: `  '${SCENE}': () =>
    twice(
      () => hide('lamp-part'),
      async () => Object.keys(await inboard.resolveSettings()),
    ),
`,
        },
      ],
      red: [TEST],
    },
    {
      name: 'what the scene sees',
      edits: [
        {
          file: TEST,
          before: "  'worker thread without descriptors': [NO",
          put: `  '${SCENE}': [MISSING, expect.any(Array)],\n`,
        },
      ],
      red: [TEST],
    },
  ],
};
