// Checks the Kubernetes manifests of the template `cluster` against the schemas of Kubernetes, as kubernetes-models has them: values by
// its validator, and names of fields by its types, because the schemas allow any further field. test/deployment has a lockfile of its own.
//   node scripts/check-manifests.mjs --install   install only (needs the registry)
//   node scripts/check-manifests.mjs             install if need be, then check (needs no network once installed)
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installLocked } from './support/install-locked.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const place = join(root, 'test', 'deployment');
const folder = join(root, 'templates', 'cluster', 'deploy', 'kubernetes');

installLocked(place, ['--ignore-scripts']);
if (process.argv.includes('--install')) process.exit();

const { loadKinds, parseAllDocuments } = await import('../test/deployment/libraries.mjs');
const faults = [];
const found = [...readFiles(), ...readRendered()];
for (const { where, manifest } of found) await checkValues(where, manifest);
checkFields(found);
for (const fault of faults) console.error(fault);
console.log(`${found.length} objects, ${faults.length} faults`);
process.exitCode = faults.length === 0 && found.length > 0 ? 0 : 1;

/** The objects of all files, but those of kustomize itself and its patch. */
function readFiles() {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.yaml') && !path.endsWith('kustomization.yaml'))
    .filter((path) => path !== join('remote', 'worker.yaml'))
    .flatMap((path) => readText(path, readFileSync(join(folder, path), 'utf8')));
}

function readText(where, text) {
  return parseAllDocuments(text).map((document) => {
    for (const { message } of [...document.errors, ...document.warnings]) faults.push(`${where}: ${message}`);
    return { where, manifest: document.toJS() };
  });
}

/** What kustomize makes of them, without and with the component `remote`. */
function readRendered() {
  if (spawnSync('kubectl', ['version', '--client']).status !== 0) {
    console.log('kubectl kustomize: not run, because there is no kubectl');
    return [];
  }
  const copy = mkdtempSync(join(tmpdir(), 'inboard-manifests-'));
  try {
    cpSync(folder, copy, { recursive: true });
    const render = () => execFileSync('kubectl', ['kustomize', copy], { encoding: 'utf8' });
    const plain = readText('kustomize', render());
    const path = join(copy, 'kustomization.yaml');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('# components:\n#   - remote', 'components:\n  - remote'));
    const remote = readText('kustomize with remote', render());
    const isThere = (name) => remote.some(({ manifest }) => manifest.metadata.name === name);
    if (!isThere('agent-remote') || isThere('agent-model'))
      faults.push('The component "remote" does not do what it says');
    return [...plain, ...remote];
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function checkValues(where, manifest) {
  const { apiVersion, kind, metadata } = manifest;
  const { [kind]: Model } = await loadKinds(apiVersion);
  try {
    new Model(manifest).validate();
  } catch (error) {
    faults.push(`${where}, ${kind} ${metadata?.name}: ${error.message}`);
  }
}

/** A field that a type does not have is an error of the compiler where an object is written out. */
function checkFields(all) {
  const cache = join(place, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const file = join(cache, 'manifests.ts');
  const lines = all.map(({ manifest }, index) => {
    const type = `import('kubernetes-models/${manifest.apiVersion}').I${manifest.kind}`;
    return `export const m${index}: ${type} = ${JSON.stringify(manifest)};`;
  });
  writeFileSync(file, `${lines.join('\n')}\n`);
  const flags = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--types',
    '',
  ];
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...flags, '--ignoreConfig', file], {
    encoding: 'utf8',
  });
  for (const line of stdout.split('\n')) {
    const [, row, message] = /manifests\.ts\((\d+),\d+\): error (.+)$/.exec(line) ?? [];
    const { where, manifest } = all[Number(row) - 1] ?? {};
    if (message !== undefined)
      faults.push(`${where}, ${manifest?.kind} ${manifest?.metadata.name}: ${message}`);
  }
  if (status !== 0 && faults.length === 0) faults.push(`The compiler failed:\n${stdout}`);
}
