// The optional packages: what each is for, whether a project has it, and in which version.
import { dirname, join } from 'node:path';
import { compareVersions } from '@inboard/core/wire/process/find/compare-versions.js';
import { findOwnPackage, readManifest } from '../tools-file/own-package.js';
import type { Check, OptionalPackage } from './check.js';

/** What the optional packages in our package.json are for. */
export const PACKAGE_USES: Readonly<Record<string, string>> = {
  '@agentclientprotocol/sdk': '"inboard acp" and "inboard/acp"',
  '@anthropic-ai/claude-code': 'the Claude CLI, unless there is another one',
  '@anthropic-ai/sdk': "the API library's own types of messages, in place of ours",
  '@dbos-inc/dbos-sdk': '"inboard/dbos"',
  '@modelcontextprotocol/server': '"inboard serve"',
  '@opentelemetry/api': '"inboard/otel"',
  '@restatedev/restate-sdk': '"inboard/restate", on Node 22 or newer',
  '@temporalio/activity': '"inboard/temporal"',
  '@temporalio/workflow': '"inboard/temporal/workflow"',
  bullmq: '"inboard/cluster/bullmq"',
  jiti: 'tools files in TypeScript on Node older than 22.18, or with more than types in them',
  pg: '"inboard/cluster/postgres" and "inboard cluster"',
};

/** Lists the optional packages. No package is required, but one in an unknown version may not work. */
export function checkOptionalPackages(cwd: string): Check {
  const packages = listOptionalPackages(cwd);
  const installed = packages.filter(({ version }) => version !== null);
  const wrong = installed.filter(({ version, range }) => !isInRange(version ?? '', range));
  const found = {
    id: 'peers',
    title: 'Optional packages',
    detail: `${installed.length} of ${packages.length} installed`,
    packages,
  };
  if (wrong.length === 0) return { ...found, status: 'ok' };
  const installs = wrong.map(({ name, range }) => `"npm install ${name}@'${range}'"`);
  return {
    ...found,
    status: 'note',
    advice: `Only the versions in brackets are known to work. Run ${installs.join(' and ')}.`,
  };
}

// The version is the one that a project in this folder would import, or else the one that our own package would import.
function listOptionalPackages(cwd: string): OptionalPackage[] {
  const own = findOwnPackage();
  const ranges = own?.manifest.peerDependencies ?? {};
  return Object.entries(PACKAGE_USES).map(([name, use]) => {
    const version = findInstalled(name, cwd) ?? (own && findInstalled(name, own.folder)) ?? null;
    return { name, version, range: ranges[name] ?? '*', use };
  });
}

// The package.json is read from disk, because some packages do not export it.
function findInstalled(name: string, start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const manifest = readManifest(join(folder, 'node_modules', name));
    if (manifest) return manifest.version ?? 'unknown';
    if (dirname(folder) === folder) return undefined;
  }
}

/** Whether a version is in a range of the forms that our package.json has: `>=a.b.c`, `^a.b.c` with a above 0, and `*`. */
export function isInRange(version: string, range: string): boolean {
  const [, sign, least] = /^(>=|\^)(.+)$/.exec(range) ?? [];
  if (sign === undefined || least === undefined)
    return range === '*' || compareVersions(version, range) === 0;
  if (compareVersions(version, least) < 0) return false;
  return sign === '>=' || Number.parseInt(version, 10) === Number.parseInt(least, 10);
}

/** An optional package as a line of text. */
export function describePackage({ name, version, range, use }: OptionalPackage): string {
  const state = version === null ? 'absent' : isInRange(version, range) ? version : `${version} (${range})`;
  return `${name} ${state}: for ${use}`;
}
