// People copy the templates and the examples: a hook that they add there must not fail open.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const STARTS =
  /\b(?:query|run|openSession|createSessionGroup|createWarmPool|startup|createCluster|serveAcp)\b/;

const isProgram = (file: string): boolean =>
  /^(?:templates\/[^/]+\/src\/|examples\/(?:[^/]+\/src\/)?)[^/]+\.(?:js|mjs|ts)$/.test(file);

/** The files of our own programs that import something from the package which starts a CLI. */
const programs = ['templates', 'examples']
  .flatMap((folder) => listFiles(folder))
  .filter(isProgram)
  .filter((file) => {
    const text = readFileSync(`${root}${file}`, 'utf8');
    return [...text.matchAll(/import \{([^}]*)\} from 'inboard(?:\/cluster|\/acp)?';/g)].some(
      ([, names = '']) => STARTS.test(names.replaceAll(/\btype \w+/g, '')),
    );
  });

function listFiles(folder: string): string[] {
  return readdirSync(`${root}${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : listFiles(path);
    return entry.isFile() ? [path] : [];
  });
}

it('finds them', () => {
  expect(programs.length).toBeGreaterThanOrEqual(10);
});

it.each([...programs, 'packages/cli/src/run/run-options.ts'])('%s has failed hooks refuse', (file) => {
  expect(readFileSync(`${root}${file}`, 'utf8')).toContain("hookFailure: 'refuse'");
});
