// Runs scripts of package.json, two at a time: one that formats has one thread, one that lints has many, and beside each other they
// take half as long. Prints what each says in one piece, runs all of them also where one fails, and ends with 1 then.
//   node scripts/run-checks.mjs lint types
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const AT_ONCE = 2;
const root = fileURLToPath(new URL('..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in scripts));
if (names.length === 0 || unknown.length > 0) {
  const fault = unknown.map((name) => `package.json has no script "${name}". `).join('');
  console.error(`${fault}Name scripts of package.json: node scripts/run-checks.mjs lint types`);
  process.exitCode = 2;
} else {
  await runAll();
}

async function runAll() {
  const waiting = [...names];
  const failed = [];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const begun = performance.now();
      const { code, printed } = await run(name);
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      const result = code === 0 ? 'passed' : `failed (${code})`;
      console.log(`${printed.trimEnd()}\n${name}: ${result}, ${seconds} s`);
      if (code !== 0) failed.push(name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const named = failed.length === 0 ? '' : `: ${failed.join(', ')}`;
  console.log(`\n${names.length - failed.length} passed, ${failed.length} failed${named}`);
  if (failed.length > 0) process.exitCode = 1;
}

/** What a script printed, and its exit code, or the signal that ended it. */
function run(name) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', name], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      // npm is a batch file there, which only a shell starts.
      shell: process.platform === 'win32',
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (printed += text));
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code: code ?? signal, printed }));
  });
}
