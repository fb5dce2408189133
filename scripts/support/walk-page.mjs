// A page of instructions, followed to the letter: its files are written, its commands run in order, and what they print is
// compared with what the page shows. Used on the packed package and on a build.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const BLOCK = /^```(\w+)\n([\s\S]*?)^```$/gm;

/**
 * The steps of a page: a block whose first line names it is a file, each line of a `sh` block a command, and a `text` block
 * after it is what the last command prints, where `…` stands for anything.
 */
export function readSteps(markdown) {
  const steps = [];
  for (const [, language, code] of markdown.matchAll(BLOCK)) {
    const name = /^\/\/ (\S+\.(?:js|mjs|ts))\n/.exec(code)?.[1];
    const last = steps.at(-1);
    if (language === 'sh') {
      for (const command of code.trim().split('\n')) steps.push({ kind: 'command', command });
    } else if (language === 'text' && last?.kind === 'command') last.printed = code;
    else if (language === 'text') steps.push({ kind: 'shown', printed: code });
    else if (name !== undefined) steps.push({ kind: 'file', name, code });
  }
  return steps;
}

/** Does the steps in a folder; `choose` may leave a step out. Throws at the first command that fails or prints something else. */
export async function walk(steps, { folder, env, choose = () => true }) {
  for (const step of steps.filter(choose)) {
    if (step.kind === 'file') writeFileSync(join(folder, step.name), step.code);
    if (step.kind === 'command') await runStep(step, folder, env);
  }
}

async function runStep({ command, printed }, folder, env) {
  const { code, stdout, stderr } = await new Promise((settle) => {
    execFile('sh', ['-c', command], { cwd: folder, env, timeout: 60_000 }, (error, out, err) =>
      settle({ code: error ? (error.code ?? error.signal) : 0, stdout: out, stderr: err }),
    ).stdin?.end();
  });
  if (code !== 0) throw new Error(`"${command}" ended with ${code}:\n${stdout}${stderr}`);
  if (printed !== undefined && !fits(stdout, printed)) {
    throw new Error(`"${command}" printed\n${stdout}\nand the page says\n${printed}`);
  }
}

/** Whether a text is what a page shows; the reporter of Node's tests writes one sign in a pipe and another on a terminal. */
function fits(text, shown) {
  const pattern = shown
    .trim()
    .split(/\s*…\s*/)
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&').replaceAll(/^[#ℹ] /gm, '[#ℹ] '))
    .join('[\\s\\S]*?');
  return new RegExp(`^${pattern}$`).test(text.trim());
}
