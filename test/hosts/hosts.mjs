// The hosts: how each is made from the programs beside this file and the packed package, and how it runs one query with a
// tool on the real CLI. Each gives what `ask` returned; one that cannot be here gives the reason as `missing`.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listRuntimes } from '../matrix/runtimes.mjs';
import { runInSandbox } from './serverless.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const require = createRequire(join(folder, '..', 'bundlers', 'package.json'));
const SEA_FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Name, and `run`, which is given the stage and gives what the program printed. */
export const HOSTS = [
  { name: 'CommonJS bundle, the CLI installed beside it', run: runCommonJs },
  { name: 'Node single-file executable', run: runNodeExecutable },
  { name: 'Bun single-file executable', run: runBunExecutable },
  { name: 'main process of a packaged Electron app (stand-in)', run: runElectron },
  { name: 'worker thread, one terminated in a tool', run: ({ run }) => run('worker.mjs') },
  { name: 'cluster of two workers', run: ({ run }) => run('cluster.mjs') },
  { name: 'first process of a container (PID 1)', run: runAsFirstProcess },
  { name: 'serverless sandbox, frozen between two calls', run: runServerless },
];

async function runCommonJs({ project, place, run }) {
  const file = await bundle(project, place);
  installCli(place);
  return await run(file);
}

async function runNodeExecutable({ project, place, start }) {
  const main = await bundle(project, place);
  const config = join(place, 'sea.json');
  const output = join(place, 'sea.blob');
  writeFileSync(config, JSON.stringify({ main, output, disableExperimentalSEAWarning: true }));
  execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: 'pipe' });
  const program = join(place, 'agent');
  copyFileSync(realpathSync(process.execPath), program);
  chmodSync(program, 0o755);
  const inject = require.resolve('postject/dist/cli.js');
  execFileSync(process.execPath, [inject, program, 'NODE_SEA_BLOB', output, '--sentinel-fuse', SEA_FUSE], {
    stdio: 'pipe',
  });
  installCli(place);
  return await start(program);
}

async function runBunExecutable({ place, project, start }) {
  const bun = listRuntimes().find(({ name }) => name.startsWith('Bun'));
  if (bun.missing) return { missing: bun.missing };
  const program = join(place, 'agent');
  execFileSync(bun.program, ['build', '--compile', join(project, 'main.mjs'), '--outfile', program], {
    cwd: place,
    stdio: 'pipe',
  });
  installCli(place);
  return await start(program);
}

// The archive is a folder here. Electron shows unpacked files in it as well, but only the unpacked ones can be started.
async function runElectron({ place, run, project }) {
  const resources = join(place, 'resources');
  const archive = join(resources, 'app.asar');
  const file = await bundle(project, archive);
  const inside = join(archive, 'node_modules', '@anthropic-ai', cliPackage());
  mkdirSync(inside, { recursive: true });
  writeFileSync(join(inside, 'claude'), 'only Electron can read this');
  installCli(join(resources, 'app.asar.unpacked'));
  // What the user opened lies in a repository that brings along a CLI of its own.
  const repository = join(place, 'repository');
  const planted = join(repository, 'node_modules', '@anthropic-ai', cliPackage());
  mkdirSync(planted, { recursive: true });
  writeFileSync(join(planted, 'claude'), `#!/bin/sh\ntouch ${join(place, 'planted-cli-ran')}\nexit 1\n`);
  chmodSync(join(planted, 'claude'), 0o755);
  writeFileSync(join(repository, 'notes.txt'), '');
  const result = await run(file, {
    before: ['--require', join(project, 'electron-preload.cjs')],
    env: { INBOARD_RESOURCES: resources, INBOARD_OPENED: join(repository, 'notes.txt') },
  });
  if (existsSync(join(place, 'planted-cli-ran'))) throw new Error('a CLI beside the opened file was started');
  return result;
}

// As process 1, the host itself must collect processes whose parents have ended.
async function runAsFirstProcess({ place, project, start, namespace }) {
  if (!namespace('--pid')) return { missing: 'this system allows no namespaces' };
  const program = join(place, 'first.mjs');
  writeFileSync(
    program,
    `import { readdirSync, readFileSync } from 'node:fs';
     const { ask } = await import(${JSON.stringify(join(project, 'ask.mjs'))});
     const result = await ask();
     const isZombie = (pid) => {
       try {
         return /^State:\\s+Z/m.test(readFileSync('/proc/' + pid + '/status', 'utf8'));
       } catch {
         return false; // Gone meanwhile.
       }
     };
     const findZombies = () => readdirSync('/proc')
       .filter((name) => /^\\d+$/.test(name) && Number(name) !== process.pid && isZombie(name));
     if (process.pid !== 1) throw new Error('this is process ' + process.pid);
     // One that has just ended is taken in a moment later; one that nobody takes in stays.
     for (let tries = 0; tries < 200 && findZombies().length > 0; tries += 1)
       await new Promise((resolve) => setTimeout(resolve, 50));
     const left = findZombies();
     if (left.length > 0) throw new Error('zombies: ' + left.join(', '));
     console.log(JSON.stringify(result));`,
  );
  return await start('unshare', [...namespace('--pid'), process.execPath, program]);
}

async function runServerless(stage) {
  if (!stage.namespace('--mount')) return { missing: 'this system allows no namespaces' };
  const file = await bundle(stage.project, stage.place, 'function.mjs');
  return await runInSandbox({ ...stage, file, cli: findCli() });
}

/** One file of CommonJS: what Electron, single-file executables and most function platforms take. */
async function bundle(project, target, program = 'main.mjs') {
  const { build } = require('esbuild');
  const outfile = join(target, 'app', 'main.cjs');
  await build({
    entryPoints: [join(project, program)],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    outfile,
    logLevel: 'error',
  });
  return outfile;
}

function cliPackage() {
  return dirname(findCli()).split('/').at(-1);
}

/** The native CLI of this checkout, in its platform package. */
function findCli() {
  const scope = join(folder, '..', '..', 'node_modules', '@anthropic-ai');
  return realpathSync(join(scope, `claude-code-linux-${process.arch}`, 'claude'));
}

/** As an install would leave it in `target`; a copy would be hundreds of megabytes. */
function installCli(target) {
  const scope = join(target, 'node_modules', '@anthropic-ai');
  mkdirSync(scope, { recursive: true });
  symlinkSync(dirname(findCli()), join(scope, cliPackage()));
}
