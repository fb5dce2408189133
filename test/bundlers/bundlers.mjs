// The bundlers: how each makes one program of test/bundlers/programs and the installed package, and how that is run.
import { execFile, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findPort } from '../../scripts/support/free-port.mjs';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const folder = fileURLToPath(new URL('.', import.meta.url));

// What many projects put before a bundle, for dependencies in CommonJS: the names in it must be free.
const BANNER = {
  js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
};

/** Name and `run`, which bundles and runs the program in a project, and gives what `work` returned. */
export const BUNDLERS = [
  { name: 'esbuild, one file', run: (project, env) => bundleByEsbuild(project, env, { banner: BANNER }) },
  { name: 'esbuild, split', run: (project, env) => bundleByEsbuild(project, env, { splitting: true }) },
  { name: 'esbuild, minified', run: (project, env) => bundleByEsbuild(project, env, { minify: true }) },
  { name: 'webpack', run: bundleByWebpack },
  { name: 'Next, a route handler', run: bundleByNext },
];

async function bundleByEsbuild(project, env, settings) {
  const { build } = require('esbuild');
  const target = join(project, 'esbuild', Object.keys(settings).join('-'));
  await build({
    entryPoints: [join(project, 'main.mjs')],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    outdir: target,
    outExtension: { '.js': '.mjs' },
    logLevel: 'error',
    ...settings,
  });
  return await runBundle(join(target, 'main.mjs'), project, env);
}

async function bundleByWebpack(project, env) {
  const webpack = require('webpack');
  const target = join(project, 'webpack');
  const compiler = webpack({
    mode: 'production',
    target: 'node20',
    context: project,
    entry: './main.mjs',
    // What minifying does is proved above, in a hundredth of the time.
    optimization: { minimize: false },
    experiments: { outputModule: true },
    output: { path: target, filename: 'main.mjs', module: true, library: { type: 'module' } },
  });
  const stats = await promisify(compiler.run.bind(compiler))();
  await promisify(compiler.close.bind(compiler))();
  if (stats.hasErrors()) throw new Error(stats.toString({ all: false, errors: true }));
  return await runBundle(join(target, 'main.mjs'), project, env);
}

async function runBundle(file, cwd, env) {
  const { stdout } = await run(process.execPath, [file], { cwd, env, timeout: 60_000 });
  return JSON.parse(stdout);
}

async function bundleByNext(project, env) {
  const next = join(folder, 'node_modules', 'next', 'dist', 'bin', 'next');
  const nextEnv = { ...env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
  // By webpack, since its other bundler follows no links out of the project, and Next itself is one here.
  await run(process.execPath, [next, 'build', '--webpack'], { cwd: project, env: nextEnv, timeout: 150_000 });
  const port = await findPort();
  const words = [next, 'start', '--hostname', '127.0.0.1', '--port', String(port)];
  const server = spawn(process.execPath, words, { cwd: project, env: nextEnv, stdio: 'ignore' });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  try {
    return await askUntilItAnswers(`http://127.0.0.1:${port}/work`, ended);
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}

async function askUntilItAnswers(address, ended) {
  let isOver = false;
  void ended.then(() => (isOver = true));
  for (;;) {
    if (isOver) throw new Error('next start ended');
    try {
      const response = await fetch(address, { signal: AbortSignal.timeout(60_000) });
      if (response.ok) return await response.json();
      throw new Error(`the route answered with ${response.status}: ${await response.text()}`);
    } catch (error) {
      if (error.cause?.code !== 'ECONNREFUSED') throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
