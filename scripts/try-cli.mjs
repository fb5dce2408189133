// Tries a version of the Claude CLI that is not supported yet, or any other: installs it in a folder of its own, compares it
// with the newest supported one, and says whether Inboard works with it. Offline but for the installation. After `npm run build`:
//   npm run try-cli -- --help
import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { TrialError } from './support/try-cli/trial-error.mjs';

const root = realpathSync(fileURLToPath(new URL('..', import.meta.url)));
const cache = join(root, 'node_modules', '.cache', 'inboard-try-cli');
const PARTS = ['flags', 'session', 'frames', 'behaviours'];
const HELP = `Usage: npm run try-cli -- [version...] [options]

Installs Claude CLIs in the project's cache, compares each with the newest supported
one, and says whether something that Inboard uses is missing or broken. Without a
version it tries the newest one in the registry. Run "npm run build" first.

  --only <parts>   some parts, separated by commas: ${PARTS.join(', ')}
  --json           print the reports as JSON
  --write <path>   also write them as Markdown
  --remove         delete the installed versions afterwards; each takes hundreds of MB
  --help           print this

Exit code: 0 if nothing that Inboard uses is missing or broken, 1 if something is,
2 if a version could not be tried, 130 after Ctrl-C.

Example:
  npm run try-cli -- 2.1.300 2.1.200 --only flags,frames
`;

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => stopping.abort(new Error('stopped by a signal')));

try {
  process.exitCode = await main();
} catch (error) {
  if (stopping.signal.aborted) {
    console.error('Stopped. What was started has ended, and half an installation is removed.');
    process.exitCode = 130;
  } else {
    console.error(error instanceof TrialError ? error.message : error.stack);
    process.exitCode = 2;
  }
}

async function main() {
  const { versions: wanted, parts, json, write, remove, help } = readArguments();
  if (help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (!existsSync(join(root, 'dist', 'entry', 'index.js')))
    throw new TrialError('There is no build to try with. Run "npm run build" first.');
  // They import the build.
  const { chooseVersions, installCli } = await import('./support/try-cli/install-cli.mjs');
  const { readProject } = await import('./support/try-cli/read-project.mjs');
  const { tryVersion } = await import('./support/try-cli/try-version.mjs');
  const { writeMarkdown, writeText } = await import('./support/try-cli/report.mjs');
  const { signal } = stopping;
  mkdirSync(cache, { recursive: true });
  const project = await readProject(root, cache);
  const say = (words) => process.stderr.write(`${words}\n`);
  const reports = [];
  const known = { version: project.newest, path: findKnown() };
  for (const version of await chooseVersions(wanted, { cache, signal })) {
    say(`${version}: installing`);
    try {
      const path = version === known.version ? known.path : await installCli(version, { cache, signal });
      const tried = { version, path };
      const onStep = (words) => say(`${version}: ${words}`);
      reports.push(await tryVersion({ tried, known, project, root, parts, say: onStep, signal }));
    } finally {
      if (remove) rmSync(join(cache, version), { recursive: true, force: true });
    }
    if (!json) process.stdout.write(`\n${writeText(reports.at(-1))}\n`);
  }
  if (json) process.stdout.write(`${JSON.stringify(reports, null, 2)}\n`);
  if (write !== undefined) {
    const title = `# Claude CLIs tried with \`npm run try-cli\`\n\nCompared with ${known.version}.\n\n`;
    writeFileSync(write, title + reports.map(writeMarkdown).join('\n'));
  }
  return reports.some(({ faults }) => faults.length > 0) ? 1 : 0;
}

function readArguments() {
  let parsed;
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        only: { type: 'string' },
        json: { type: 'boolean', default: false },
        write: { type: 'string' },
        remove: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new TrialError(`${error.message}\n\n${HELP}`);
  }
  const { only, ...values } = parsed.values;
  const parts = only === undefined ? PARTS : only.split(',').map((part) => part.trim());
  const unknown = parts.filter((part) => !PARTS.includes(part));
  if (unknown.length > 0)
    throw new TrialError(
      `--only does not know "${unknown.join('", "')}". The parts are ${PARTS.join(', ')}.`,
    );
  return { versions: parsed.positionals, parts, ...values };
}

/** The supported CLI that the project itself has installed. */
function findKnown() {
  const name = `claude-code-${process.platform}-${process.arch}`;
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const path = join(root, 'node_modules', '@anthropic-ai', name, `claude${suffix}`);
  if (!existsSync(path))
    throw new TrialError(`The known CLI is not installed: ${path} is missing. Run "npm install" first.`);
  return path;
}
