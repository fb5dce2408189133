// Takes the steps of the container file in folders of this machine. Its programs stand in for the base image, and the packages of this
// checkout for those that `npm ci` would install, because nothing is downloaded here.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findProgram } from '../../../scripts/support/services/find-servers.mjs';
import { PROJECT_ROOT } from '../../package/project.js';
import { readDockerfile, type Stage } from './dockerfile.js';

/** Where the checkout is inside of the container. */
export const CHECKOUT = '/checkout';

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** An image: its files, and how it starts. */
export interface Image extends Pick<Stage, 'env' | 'user' | 'entrypoint' | 'command' | 'stopSignal'> {
  root: string;
  folder: string;
  /** What was not done as the container file says. */
  differs: string[];
}

/** `context` is a project, `place` an empty folder. */
export function buildImage(context: string, place: string): Image {
  const stages = readDockerfile(readFileSync(join(context, 'Dockerfile'), 'utf8'));
  const differs: string[] = [];
  let last: { stage: Stage; folder: string } | undefined;
  for (const [index, stage] of stages.entries()) {
    const isLast = index === stages.length - 1;
    last = { stage, folder: buildStage({ stage, context, place, isLast, differs }) };
  }
  if (last === undefined) throw new Error('The container file has no stage');
  const { stage, folder } = last;
  return { ...stage, root: join(place, stage.name), folder, differs };
}

interface Building {
  stage: Stage;
  context: string;
  place: string;
  isLast: boolean;
  differs: string[];
}

function buildStage({ stage, context, place, isLast, differs }: Building): string {
  const root = join(place, stage.name);
  let folder = '/';
  mkdirSync(root, { recursive: true });
  for (const step of stage.steps) {
    const here = join(root, folder);
    if (step.kind === 'WORKDIR') {
      folder = step.folder;
      mkdirSync(join(root, folder), { recursive: true });
    } else if (step.kind === 'COPY') {
      for (const source of step.sources) copy(step, source, here, { context, place });
    } else if (/^npm ci\b/.test(step.command)) {
      linkPackages(here, { isProduction: step.command.includes('--omit=dev') });
    } else if (step.command.startsWith('npm run ')) {
      execFileSync('npm', step.command.split(' ').slice(1), {
        cwd: here,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    } else if (
      isLast &&
      step.command.startsWith('apt-get update && apt-get install ') &&
      step.command.includes(' tini ')
    ) {
      if (findProgram('tini') === undefined) {
        differs.push('there is no tini on this machine, so the program itself is the first process');
        stage.entrypoint = [];
      }
    } else throw new Error(`No stand-in for RUN ${step.command}`);
  }
  return folder;
}

function copy(
  step: { from: string | undefined; target: string },
  source: string,
  here: string,
  { context, place }: { context: string; place: string },
): void {
  const whole = step.from === undefined ? join(context, source) : join(place, step.from, source);
  // The lockfile is that of an install with a registry.
  if (!existsSync(whole) && source === 'package-lock.json') return;
  if (step.from === undefined && !isSent(context, source))
    throw new Error(`.dockerignore leaves out ${source}`);
  const isFolder = step.target.endsWith('/');
  const name = isFolder ? join(step.target, source) : step.target;
  cpSync(whole, join(here, name), { recursive: true, verbatimSymlinks: true });
}

/** Whether .dockerignore lets a file or folder through: everything is left out but what is named. */
function isSent(context: string, source: string): boolean {
  const lines = readFileSync(join(context, '.dockerignore'), 'utf8').split('\n');
  return lines.includes('*') && lines.includes(`!${source}`);
}

// By the place that they have inside; on the way there, `npm run build` finds them by theirs outside.
function linkPackages(here: string, { isProduction }: { isProduction: boolean }): void {
  const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')) as Manifest;
  const names = Object.keys({ ...manifest.dependencies, ...(!isProduction && manifest.devDependencies) });
  const checkout = isProduction ? CHECKOUT : PROJECT_ROOT;
  const bins = join(here, 'node_modules', '.bin');
  mkdirSync(bins, { recursive: true });
  for (const name of names) {
    const target = join(here, 'node_modules', name);
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(name === 'inboard' ? checkout : join(checkout, 'node_modules', name), target);
  }
  if (isProduction) symlinkSync('../inboard/dist/cli/main.js', join(bins, 'inboard'));
  else symlinkSync('../typescript/bin/tsc', join(bins, 'tsc'));
}
