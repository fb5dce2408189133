// A stage for one program of the registry: the scripted model on loopback, a home of its own for the real CLI, and
// a link to the program. What the program does is told as facts, which two SDKs can be compared by.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

/** Starts the model and the home, plays, clears up. Facts come back; a script that was not followed throws. */
export async function playOnStage({ testing, folder, cli }, play) {
  const kit = await import(pathToFileURL(testing).href);
  // Programs also ask for titles and the like, in an order of their own: so each request is answered by what it says.
  const model = await kit.startScriptedModel({ onExhausted: play.answer(kit) });
  const home = await kit.createIsolatedEnvironment({
    baseUrl: model.url,
    extra: { ENABLE_TOOL_SEARCH: 'false' },
  });
  const children = [];
  const require = createRequire(join(folder, 'package.json'));
  try {
    const facts = await play.play({
      kit,
      model,
      home,
      cli,
      folder,
      require,
      load: (name) => import(pathToFileURL(resolveModule(folder, name)).href),
      start(entry, options = {}) {
        const child = startProgram(join(folder, 'node_modules', entry), { home, cli, ...options });
        children.push(child);
        return child;
      },
    });
    model.verify();
    return facts;
  } finally {
    for (const child of children) await child.end();
    await model.close({ verify: false });
    await home.remove();
  }
}

// `import.meta.resolve` takes no parent in Node 20, and require.resolve does not see packages that only `import` may enter.
function resolveModule(folder, name) {
  const require = createRequire(join(folder, 'package.json'));
  try {
    return require.resolve(name);
  } catch {
    if (/\.[cm]?js$/.test(name)) return join(folder, 'node_modules', name);
    const home = join(folder, 'node_modules', ...name.split('/'));
    const manifest = createRequire(join(home, 'package.json'))('./package.json');
    const entryPoint = manifest.exports?.['.'];
    return join(
      home,
      entryPoint?.import?.default ?? entryPoint?.import ?? entryPoint?.default ?? manifest.main,
    );
  }
}

/** A program in a process of its own, spoken to line by line. */
function startProgram(file, { home, cli, args = [], env = {}, cwd = home.cwd }) {
  const child = spawn(process.execPath, [file, ...args], {
    cwd,
    env: { ...home.env, CLAUDE_CODE_EXECUTABLE: cli, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const seen = [];
  const waiters = new Set();
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  createInterface({ input: child.stdout }).on('line', (line) => {
    seen.push(line);
    for (const waiter of waiters) waiter();
  });
  const ended = new Promise((resolve) => child.once('close', resolve)).then(() => {
    for (const waiter of waiters) waiter();
  });
  child.stdin.on('error', () => {}); // The program may be gone; waiting for its line says so.
  return {
    seen,
    write: (line) => child.stdin.write(`${line}\n`),
    /** The first line that fits, seen or to come. */
    waitFor(fits) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const line = seen.find(fits);
          if (line === undefined && child.exitCode === null && child.signalCode === null) return;
          waiters.delete(look);
          if (line === undefined)
            reject(new Error(`The program ended early:\n${errors}\n${seen.join('\n')}`));
          else resolve(line);
        };
        waiters.add(look);
        look();
      });
    },
    errors: () => errors,
    async end() {
      child.stdin.end();
      child.kill('SIGTERM');
      await ended;
    },
  };
}
