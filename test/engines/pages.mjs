// Runs the code of a page about an engine: TypeScript is checked against the packed package and the engine's own types, and each block
// runs as a program, with the real CLI and a model that calls a tool once.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createIsolatedEnvironment, startScriptedModel, text, toolUse } from 'inboard/testing';

const run = promisify(execFile);
const LIMIT_MS = 60_000;
const BLOCK = /^```ts\n(.*?)^```$/gms;
const PLACE = dirname(fileURLToPath(import.meta.url));

/** `page` is its text, `compiler` the program of TypeScript. The programs get DATABASE_URL, and `env` besides. */
export async function runPage({ name, page, compiler, types, database, node, env = {} }) {
  const folder = join(PLACE, '..', `page-${name}`);
  mkdirSync(folder, { recursive: true });
  const blocks = [...page.matchAll(BLOCK)].map(([, code]) => code);
  if (blocks.length === 0) throw new Error(`The page of ${name} shows no code`);
  const files = blocks.map((code, at) => {
    writeFileSync(join(folder, `block-${at + 1}.ts`), `${code}export {};\n`);
    return `block-${at + 1}.ts`;
  });
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023', 'esnext.disposable'],
    module: 'nodenext',
    types: ['node'],
    typeRoots: [types],
    strict: true,
    skipLibCheck: true,
  };
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  await check(run(process.execPath, [compiler, '-p', folder]));
  for (const file of files)
    await runBlock({
      file: join(folder, file.replace(/ts$/, 'js')),
      node,
      env: { ...env, DATABASE_URL: database },
    });
}

async function runBlock({ file, node, env }) {
  const model = await startScriptedModel({ onExhausted: callOnce });
  const home = await createIsolatedEnvironment({ baseUrl: model.url });
  try {
    const options = { cwd: home.cwd, env: { ...home.env, ...env }, timeout: LIMIT_MS, killSignal: 'SIGKILL' };
    await check(run(node, [file], options));
  } finally {
    await model.close({ verify: false });
    await home.remove();
  }
}

function callOnce({ messages, body }) {
  const own = body.tools?.find(({ name }) => name.startsWith('mcp__'));
  if (!own || JSON.stringify(messages).includes('"tool_result"')) return text('Order 7 is paid back.');
  return toolUse(own.name, { order: '7' });
}

/** Says what a program has printed when it failed. */
async function check(running) {
  try {
    await running;
  } catch (error) {
    throw new Error(`${error.message}\n${error.stdout}${error.stderr}`, { cause: error });
  }
}
