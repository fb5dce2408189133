// What this project says of CLIs, out of its own sources: the supported range, what is written on the command line of a
// version, and since when a request is known. The sources are bundled for that, as the build has no file for each of them.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const SOURCES = {
  plan: 'packages/core/src/options/launch/launch-plan.ts',
  hooks: 'packages/core/src/answer/hooks/hook-registry.ts',
  controls: 'packages/core/src/live/controls/control-table.ts',
  versions: 'packages/core/src/options/supported-versions.ts',
  compare: 'packages/core/src/wire/process/find/compare-versions.ts',
  errors: 'packages/core/src/errors.ts',
  variants: 'test/fixtures/option-variants.ts',
};

/** Loads the sources of the project in `root`; `cache` is where the bundle lies meanwhile. */
export async function readProject(root, cache) {
  const folder = mkdtempSync(join(cache, 'project-'));
  try {
    await build({
      cwd: root,
      input: SOURCES,
      platform: 'node',
      logLevel: 'silent',
      external: [/^[^./]/],
      resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
      output: {
        dir: folder,
        format: 'esm',
        entryFileNames: '[name].mjs',
        chunkFileNames: '[name]-[hash].mjs',
      },
    });
    const load = (name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href);
    const [plan, hooks, controls, versions, compare, errors, variants] = await Promise.all(
      Object.keys(SOURCES).map(load),
    );
    return {
      newest: versions.NEWEST_VERSION,
      oldest: versions.OLDEST_VERSION,
      compareVersions: compare.compareVersions,
      planFlags: (version) => planFlags(version, { root, plan, hooks, errors, variants }),
      requestVersions: requestVersions(controls),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Every flag with its value that Inboard writes for a version, over all variants of options it does not refuse. */
function planFlags(version, { root, plan, hooks, errors, variants }) {
  const table = variants.readOptionVariants(join(root, 'test', 'fixtures', 'option-variants.json'));
  const flags = new Map();
  const refused = new Set();
  for (const { options, sdkServers, error } of table.variants) {
    // What is wrong for every CLI, and flags of the user's own.
    if (error || options.extraArgs) continue;
    try {
      const { declared } = hooks.createHookRegistry(options.hooks);
      const made = plan.planLaunch({ options, version, hostEnv: {}, hooks: declared, sdkServers });
      for (const file of made.files) file.place(file.content);
      for (const words of pairUp(made.args.slice(table.baseline.argv.length)))
        flags.set(words.join(' '), words);
    } catch (thrown) {
      if (!(thrown instanceof errors.UnsupportedOptionError)) throw thrown;
      refused.add(thrown.option);
    }
  }
  return { first: table.baseline.argv, flags: [...flags.values()], refused: [...refused] };
}

/** A value may stand behind its flag as a word of its own. */
function pairUp(args) {
  const pairs = [];
  for (const word of args) {
    if (word.startsWith('--')) pairs.push([word]);
    else pairs.at(-1)?.push(word);
  }
  return pairs;
}

/** The first version that knows each control request; undefined where no number is known. */
function requestVersions({ CONTROLS, UNLISTED_CONTROLS, SINCE_WITHOUT_METHOD }) {
  const rows = Object.values({ ...UNLISTED_CONTROLS, ...CONTROLS }).filter(({ subtype }) => subtype);
  return new Map([
    ...Object.entries(SINCE_WITHOUT_METHOD),
    ...rows.filter(({ since }) => since !== undefined).map(({ subtype, since }) => [subtype, since]),
  ]);
}
