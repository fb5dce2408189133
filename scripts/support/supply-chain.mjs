// What a lockfile and its package.json must say so that an install brings what was reviewed, and nothing else.

// Packages that may run a program while they are installed, and why.
const KNOWN_SCRIPTS = new Map([
  ['@anthropic-ai/claude-code', 'links the program of this machine, from a package of its own'],
  ['node', 'links the runtime of the tests'],
  ['bun', 'links the runtime of the tests'],
  ['deno', 'links the runtime of the tests'],
  ['msgpackr-extract', 'of bullmq: takes a prebuilt part, and does without where there is none'],
  ['esbuild', 'checks that the program of this machine is there'],
  ['@swc/core', 'of the bundler of Temporal: checks that the program of this machine is there'],
  ['protobufjs', 'of Temporal: warns of a range of versions in the package that wants it'],
]);

const KNOWN_LICENCES = new Set([
  'MIT',
  'MIT-0',
  'MIT/X11', // how old packages write MIT
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'CC-BY-4.0',
  'Python-2.0',
  'Unlicense',
]);

// Used unchanged, in development alone; nothing of them is shipped.
const DEVELOPMENT_LICENCES = new Set(['MPL-2.0', 'LGPL-3.0-or-later']);

// Packages whose licence is a file of theirs: read, and for development alone.
const READ_LICENCES = [/^@anthropic-ai\/claude-(code|agent-sdk)(-|$)/, /^claude-code-[\d.]+$/];

// Packages of tests whose licence is none of the known ones, or is not named: each was read. Nothing of them is shipped.
const LICENCES_OF_TESTS = new Map([
  // The Business Source License: the server of Restate, which runs unchanged beside the tests of an adapter.
  ['@restatedev/restate-server-linux-arm64', 'BSL'],
  ['@restatedev/restate-server-linux-x64', 'BSL'],
  // The Unlicense, in a file.
  ['unionfs', undefined],
]);

const EXACT = /^\d+\.\d+\.\d+(-[\w.-]+)?$/;

/**
 * Lists what is wrong, as sentences.
 * @param {{ manifest: Record<string, any>, lock: Record<string, any> }} given
 */
export function findSupplyChainFaults({ manifest, lock }) {
  const faults = [];
  for (const section of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    for (const [name, range] of Object.entries(manifest[section] ?? {})) {
      if (!isExact(range) && !isThisProject(name, range))
        faults.push(`${section}: ${name} is "${range}", not one exact version.`);
    }
  }
  if (lock.lockfileVersion !== 3) faults.push(`The lockfile has version ${lock.lockfileVersion}, not 3.`);
  for (const [path, entry] of Object.entries(lock.packages ?? {})) {
    const isOwn =
      path === '' ||
      isWorkspace(path, entry, manifest) ||
      isThisProject(nameOf(path, entry), entry.resolved ?? `file:${path}`);
    if (!isOwn) faults.push(...findEntryFaults(path, entry));
  }
  return faults;
}

// An example is linked to the checkout it lies in.
function isThisProject(name, place) {
  return name === 'inboard' && (place === '../..' || place === 'file:../..');
}

// A folder of the checkout that package.json names as a workspace, or the link to one.
function isWorkspace(path, entry, { workspaces = [] }) {
  const place = entry.link === true ? entry.resolved : path;
  const parent = place?.slice(0, place.lastIndexOf('/'));
  return !place?.includes('node_modules') && workspaces.includes(`${parent}/*`);
}

function nameOf(path, entry) {
  return entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function isExact(range) {
  return EXACT.test(range) || EXACT.test(/^npm:(?:@[\w.-]+\/)?[\w.-]+@(.+)$/.exec(range)?.[1] ?? '');
}

function findEntryFaults(path, entry) {
  const faults = [];
  const name = nameOf(path, entry);
  const say = (fault) => faults.push(`${path}: ${fault}`);
  if (!EXACT.test(entry.version ?? '')) say(`has the version "${entry.version}"`);
  if (!/^sha512-[A-Za-z\d+/]{86}==$/.test(entry.integrity ?? '') && !isUnpublished(entry))
    say('has no sha512 integrity');
  if (entry.link) say('is a link');
  if (entry.resolved !== undefined && !isRegistryTarball(entry.resolved, name))
    say('does not come from a registry');
  if (entry.hasInstallScript && !KNOWN_SCRIPTS.has(name)) say('runs a script when it is installed');
  const licence = entry.license;
  if (LICENCES_OF_TESTS.has(name) && LICENCES_OF_TESTS.get(name) === licence) return faults;
  if (licence === undefined && !entry.optional) say('names no licence');
  else if (licence !== undefined && !isKnownLicence(licence, name, entry))
    say(`has the licence "${licence}"`);
  return faults;
}

/**
 * Whether an entry is a program of a development tool for one system that no registry we could reach has. npm then writes no
 * hash for it. Other systems do not install it.
 */
export function isUnpublished(entry) {
  const isForOneSystem = entry.os !== undefined || entry.cpu !== undefined || entry.libc !== undefined;
  return entry.integrity === undefined && entry.dev === true && entry.optional === true && isForOneSystem;
}

// A tarball by name and version, over TLS: not a repository, a folder or another web page.
function isRegistryTarball(resolved, name) {
  const url = URL.canParse(resolved) ? new URL(resolved) : undefined;
  return url?.protocol === 'https:' && url.pathname.includes(`/${name}/-/`) && url.pathname.endsWith('.tgz');
}

function isKnownLicence(licence, name, entry) {
  const isForDevelopment = Boolean(entry.dev || entry.devOptional || entry.optional || entry.peer);
  const isKnown = (part) =>
    KNOWN_LICENCES.has(part) ||
    (isForDevelopment && DEVELOPMENT_LICENCES.has(part)) ||
    (part.startsWith('SEE LICENSE IN ') && READ_LICENCES.some((pattern) => pattern.test(name)));
  // Of several to choose from, one that is known is enough.
  const parts = licence.replaceAll(/[()]/g, '').split(' AND ');
  return parts.every((part) => part.split(' OR ').some(isKnown));
}
