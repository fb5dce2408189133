// Runs in a process of its own: makes each lazy import of a built package fail, and then lets it work. Arguments: the folder
// `dist`, what is taken away ("files" or "descriptors"), and the imports as JSON. Prints what it found as JSON.
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [dist, taken, given] = process.argv.slice(2);
const { helper, parts, packages } = JSON.parse(given);
const faults = [];
let failures = 0;
process.on('unhandledRejection', (error) => faults.push(`nobody caught ${String(error)}`));

const load = (file) => import(pathToFileURL(join(dist, file)).href);
// What runs an import has loaded this much.
for (const file of new Set(parts.flatMap(({ present }) => present))) await load(file);
// Under a short name, in a file that all share.
const shared = Object.values(await load(helper)).filter((value) => typeof value === 'function');
const [loadPart, loadPackage] = ['loadPart', 'loadPackage'].map((name) =>
  shared.find((value) => value.name === name),
);
const { PartLoadError } = await load('entry/index.js');

// The calls as the package has them, in a module beside its files.
const calls = parts.map(({ call }) => `  (loadPart) => loadPart(${call}),\n`);
writeFileSync(join(dist, 'shared', 'calls.js'), `export default [\n${calls.join('')}];\n`);
const { default: functions } = await load('shared/calls.js');
rmSync(join(dist, 'shared', 'calls.js'));

const loaded = new Set();
for (const [index, { target, files }] of parts.entries()) {
  const call = () => functions[index](loadPart);
  const mustFail = !loaded.has(target);
  if (taken === 'descriptors') await withoutDescriptors(target, call, { mustFail });
  else for (const file of files) await withoutFile(file, call, { mustFail });
  await expectModule(target, call);
  loaded.add(target);
}
if (taken === 'descriptors') {
  for (const { name, room } of packages) {
    const call = () => loadPackage({ name, room }, () => import(name));
    await withoutDescriptors(name, call, { mustFail: true, room });
  }
}
console.log(JSON.stringify({ faults, failures }));

/** What is loaded stays, whatever becomes of its files. */
async function withoutFile(file, call, { mustFail }) {
  const path = join(dist, file);
  renameSync(path, `${path}.gone`);
  const error = await errorOf(call);
  renameSync(`${path}.gone`, path);
  if (!mustFail && error !== undefined)
    faults.push(`without ${file}: ${error.message}, although it was loaded`);
  if (!mustFail) return;
  judge(error, { what: `without ${file}`, code: 'PART_MISSING', text: /ENOENT.*restart the program/, path });
}

/** With none at all, and then with as many as it is said to need. */
async function withoutDescriptors(name, call, { mustFail, room }) {
  const held = holdAll();
  const error = await errorOf(call);
  for (const descriptor of held.splice(0, room)) closeSync(descriptor);
  if (room !== undefined) await expectModule(`${name}, with ${room} descriptors`, call);
  for (const descriptor of held) closeSync(descriptor);
  if (error === undefined && !mustFail) return;
  judge(error, {
    what: `${name} without descriptors`,
    code: 'TOO_MANY_OPEN_FILES',
    text: /EMFILE.*ulimit -n/,
  });
}

function holdAll() {
  const held = [];
  for (;;) {
    try {
      held.push(openSync(devNull));
    } catch {
      return held;
    }
  }
}

async function errorOf(call) {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error;
  }
}

async function expectModule(what, call) {
  const error = await errorOf(call);
  if (error !== undefined) faults.push(`${what}: does not load when the cause is gone: ${error.message}`);
}

function judge(error, { what, code, text, path }) {
  failures += 1;
  const isTyped = error instanceof PartLoadError && error.code === code && error.retryable;
  if (isTyped && text.test(error.message) && (path === undefined || error.file === path)) return;
  faults.push(
    `${what}: ${error === undefined ? 'no error' : `${error.name} ${error.code} ${error.message}`}`,
  );
}
