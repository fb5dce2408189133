// Where and with what a run was made.
import { execFileSync } from 'node:child_process';
import { arch, cpus, loadavg, platform, totalmem } from 'node:os';
import { root } from './plan/sdks.mjs';

/** Facts that do not change while the bench runs. */
export function describeMachine() {
  const [cpu] = cpus();
  return {
    cpu: cpu?.model.trim() || 'unknown processor',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${arch()}`,
    node: process.version,
  };
}

/** How busy the machine was in the last minute: processes that ran or wanted to. */
export function readLoad() {
  return Math.round(loadavg()[0] * 100) / 100;
}

/** The commit that is measured, with a sign when files differ from it. */
export function readCommit() {
  try {
    const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
    const isChanged =
      git('status', '--porcelain', '--', 'packages', 'package.json', 'rolldown.config.mjs') !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}
