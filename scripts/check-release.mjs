// Rehearses a release: judges manifest, change log and packed files, publishes the tarball to a registry on loopback with the
// real npm, installs it from there in an empty project, and starts the command. Nothing leaves this machine.
//   node scripts/check-release.mjs                rehearse; needs a build and no network
//     --final         fail also for what only a public repository can give (its address)
//     --tag v1.2.3    fail unless this tag is the version's
//     --print-channel only print where the version goes: "latest", or "next" for one such as 1.0.0-rc.1
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import {
  findFileFaults,
  findManifestFaults,
  findMissingAddresses,
} from './support/release/release-faults.mjs';
import { packPackage, publishedManifest } from './support/pack-package.mjs';
import { PUBLICATION } from './support/release/publication.mjs';
import { startRegistry } from './support/release/stand-in-registry.mjs';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
const isWindows = process.platform === 'win32';
const runFile = promisify(execFile);
const { values } = parseArgs({
  options: { final: { type: 'boolean' }, tag: { type: 'string' }, 'print-channel': { type: 'boolean' } },
});
const manifest = readJson(join(root, 'package.json'));
const channel = manifest.version.includes('-') ? 'next' : 'latest';
if (values['print-channel']) {
  console.log(channel);
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'inboard-release-'));

try {
  const faults = findManifestFaults(manifest, readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  if (values.tag !== undefined && values.tag !== `v${manifest.version}`)
    faults.push(`The tag ${values.tag} is not that of version ${manifest.version}.`);
  const missing = findMissingAddresses(publishedManifest(manifest));
  if (values.final && missing.length > 0)
    faults.push(
      `The manifest has no ${missing.join(', ')}: set "repository" of PUBLICATION in scripts/support/release/publication.mjs.`,
    );
  if (values.final && !PUBLICATION.isOnRegistry)
    faults.push(
      'The pages say that the package is not on the registry: set "isOnRegistry" of PUBLICATION, and run node scripts/write-reference-pages.mjs.',
    );

  const tarball = packPackage(mkdtempSync(join(folder, 'pack-')));
  const needed = await pack(Object.keys(manifest.dependencies ?? {}).map(locate));
  const unpacked = await unpack(tarball);
  const files = listFiles(unpacked).map((path) => [path, readFileSync(join(unpacked, path), 'latin1')]);
  faults.push(...findFileFaults({ files, manifest, places: listPlaces() }));
  report(faults);
  console.log(`${files.length} files, ${Math.round(statSync(tarball).size / 1024)} KiB packed: no fault`);

  await rehearse(tarball, needed);
  if (missing.length > 0)
    console.log(
      `Before the first public release the manifest needs: ${missing.join(', ')} (checked by --final)`,
    );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Publishes to a registry of our own, then installs from it what it says is the newest. */
async function rehearse(tarball, needed) {
  const given = await Promise.all(
    needed.map(async (file) => ({
      manifest: readJson(join(await unpack(file), 'package.json')),
      tarball: readFileSync(file),
    })),
  );
  const registry = await startRegistry(given);
  try {
    const settings = join(folder, 'npmrc');
    const host = registry.url.replace('http:', '');
    writeFileSync(settings, `registry=${registry.url}/\n${host}/:_authToken=rehearsal\n`);
    const options = [
      '--no-update-notifier',
      '--userconfig',
      settings,
      '--registry',
      registry.url,
      '--cache',
      join(folder, 'cache'),
    ];
    await npm(['publish', tarball, '--tag', channel, '--ignore-scripts', ...options], folder);
    const { document } = registry.read(manifest.name) ?? {};
    expectEqual(document?.['dist-tags']?.[channel], manifest.version, `the channel "${channel}"`);
    expectEqual(
      document.versions[manifest.version].bin?.inboard?.replace(/^\.\//, ''),
      'dist/cli/main.js',
      'the command',
    );
    console.log(`published to a registry on loopback: ${manifest.name}@${manifest.version} (${channel})`);

    const project = join(folder, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true }\n');
    await npm(['install', `${manifest.name}@${channel}`, '--no-audit', '--no-fund', ...options], project);
    const installed = readJson(join(project, 'node_modules', manifest.name, 'package.json'));
    expectEqual(installed.version, manifest.version, 'the installed version');
    const command = join(project, 'node_modules', '.bin', `inboard${isWindows ? '.cmd' : ''}`);
    const { stdout } = await runFile(command, ['--version'], { cwd: project, shell: isWindows });
    expectEqual(stdout.trim().split(/\s+/).at(-1), manifest.version, '"inboard --version"');
    // Peers are optional: npm asks what there is of them, and installs none.
    const found = readJson(join(project, 'node_modules', '.package-lock.json')).packages;
    const names = Object.keys(found).map((path) => path.replace('node_modules/', ''));
    const expected = [manifest.name, ...Object.keys(manifest.dependencies ?? {})];
    expectEqual(sortNames(names), sortNames(expected), 'what was installed');
    console.log(`installed from it: ${names.join(', ')}; "inboard --version" prints ${manifest.version}`);
  } finally {
    await registry.close();
  }
}

/** What would tell where the package was made: the checkout, the user's home, a registry of one's own. */
function listPlaces() {
  const registry = process.env.npm_config_registry;
  const host = registry === undefined ? undefined : new URL(registry).host;
  return [`${root}/`, `${homedir()}/`, host].filter((place) => place?.length > 2);
}

function locate(name) {
  return join(root, 'node_modules', name);
}

// As it is built and installed: another build is not this script's to make.
async function pack(sources) {
  const target = mkdtempSync(join(folder, 'pack-'));
  const words = ['pack', ...sources, '--pack-destination', target, '--json', '--ignore-scripts'];
  const printed = JSON.parse(await npm(words, folder));
  // A list, or in newer versions of npm an object by name.
  return Object.values(printed).map(({ filename }) =>
    join(target, filename.replace('@', '').replace('/', '-')),
  );
}

async function unpack(tarball) {
  const target = mkdtempSync(join(folder, 'files-'));
  await runFile('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
  return target;
}

function listFiles(place) {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath ?? entry.path, entry.name)
        .slice(place.length + 1)
        .replaceAll('\\', '/'),
    );
}

async function npm(words, cwd) {
  // npm is a batch file on Windows, which only a shell starts.
  const { stdout } = await runFile('npm', [...words, '--loglevel=error'], {
    cwd,
    shell: isWindows,
    maxBuffer: 64 << 20,
  });
  return stdout;
}

function sortNames(names) {
  return names.toSorted((a, b) => a.localeCompare(b)).join(', ');
}

function expectEqual(found, expected, what) {
  if (found !== expected)
    throw new Error(`${what} is ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
}

function report(faults) {
  if (faults.length === 0) return;
  rmSync(folder, { recursive: true, force: true });
  console.error(`Not ready for a release:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
  process.exit(1);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
