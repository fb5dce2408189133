// Runs the public MCP conformance suite against `inboard serve`. The suite and the Node it needs are no
// dependencies of this project: they are installed from test/conformance/suite, with a lockfile of its own, into the
// project's cache. Ends with code 1 on anything that test/conformance/expected-failures.yml does not expect.
//   node scripts/run-conformance.mjs --install   install only (needs the registry)
//   node scripts/run-conformance.mjs             install if need be, then run (needs no network once installed)
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'test', 'conformance');
const suite = join(source, 'suite');
const folder = join(root, 'node_modules', '.cache', 'inboard-conformance');
const command = process.env.INBOARD_COMMAND ?? join(root, 'dist', 'cli', 'main.js');
const isWindows = process.platform === 'win32';

// Scenarios without which a run proves nothing, whatever the suite makes of it.
const REQUIRED = [
  'server-initialize',
  'ping',
  'logging-set-level',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-mixed-content',
  'tools-call-with-logging',
  'tools-call-with-progress',
  'tools-call-error',
  'resources-list',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'resources-subscribe',
  'resources-unsubscribe',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
  'completion-complete',
  'dns-rebinding-protection',
];

function install() {
  const lock = readFileSync(join(suite, 'package-lock.json'));
  const mark = join(folder, 'installed');
  const wanted = createHash('sha256').update(lock).digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  mkdirSync(folder, { recursive: true });
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(join(suite, name), join(folder, name));
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    // npm is a batch file there, which only a shell starts.
    shell: isWindows,
  });
  writeFileSync(mark, wanted);
}

/** Starts `inboard serve` on a free port and gives its address. */
async function startServer() {
  const server = spawn(
    process.execPath,
    [command, 'serve', join(source, 'fixture.ts'), '--http', '--port', '0'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exited = new Promise((resolve) => server.once('exit', (code, signal) => resolve(signal ?? code)));
  for await (const line of createInterface({ input: server.stdout })) {
    const [url] = /http:\S+/.exec(line) ?? [];
    if (url !== undefined) return { url, server, exited };
  }
  throw new Error(`inboard serve ended (${await exited}) before it listened`);
}

/** A Node that runs the suite, which needs 22: the one installed with it, or this one if it is new enough. */
function findNode() {
  const platform = isWindows ? 'win' : process.platform;
  const place = join(folder, 'node_modules', `node-${platform}-${process.arch}`, 'bin');
  const own = join(place, isWindows ? 'node.exe' : 'node');
  if (existsSync(own)) return own;
  if (Number.parseInt(process.versions.node, 10) >= 22) return process.execPath;
  throw new Error(`There is no Node 22 for ${platform}-${process.arch} here; run this script with one`);
}

/** Runs the suite; its exit code and the lines of its summary. */
function runSuite(url, results) {
  const program = join(folder, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
  const expected = join(source, 'expected-failures.yml');
  const words = ['server', '--url', url, '--suite', 'all', '--expected-failures', expected, '-o', results];
  const child = spawn(findNode(), [program, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => (output += chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ code, summary: output.slice(output.indexOf('=== SUMMARY ===')) }),
    );
  });
}

install();
if (!process.argv.includes('--install')) {
  const results = mkdtempSync(join(tmpdir(), 'inboard-conformance-'));
  const { url, server, exited } = await startServer();
  try {
    const { code, summary } = await runSuite(url, results);
    console.log(summary);
    const missing = REQUIRED.filter(
      (name) => !new RegExp(`✓ ${name}: [1-9]\\d* passed, 0 failed`).test(summary),
    );
    if (missing.length > 0) console.error(`Not passed: ${missing.join(', ')}`);
    if (code !== 0 || missing.length > 0) process.exitCode = 1;
  } finally {
    server.kill('SIGTERM');
    const ending = await exited;
    if (ending !== 0) {
      console.error(`inboard serve ended with ${ending} in place of 0`);
      process.exitCode = 1;
    }
    rmSync(results, { recursive: true, force: true });
  }
}
