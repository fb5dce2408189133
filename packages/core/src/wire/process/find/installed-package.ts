// Lists the places where npm, pnpm and yarn put the CLI. It builds the paths itself: `require.resolve` would fail,
// because the packages do not export these files.
import type { OperatingSystem } from '../operating-system.js';

const SCOPE = '@anthropic-ai';
const OWNERS = ['claude-code', 'claude-agent-sdk'] as const;

/** The possible paths of an installed CLI, those in the nearest `node_modules` first. The files need not exist. */
export function* listPackageFiles(from: string, os: OperatingSystem): Generator<string> {
  for (const scope of listScopes(from, os)) {
    yield* listPlatformFiles(scope, os);
    for (const owner of OWNERS) yield* listLinkedFiles(os.path.join(scope, owner), os);
    yield os.path.join(scope, 'claude-code', 'bin', 'claude.exe');
    yield os.path.join(scope, 'claude-code', 'cli.js');
  }
}

/** Platform packages that are installed but meant for another machine, for the error message. */
export function listForeignPackages(from: string, os: OperatingSystem): string[] {
  const own = new Set(listPlatforms(os));
  return [...listScopes(from, os)].flatMap((scope) =>
    os
      .listFolder(scope)
      .filter((name) => {
        const [, platform] = /^claude-(?:code|agent-sdk)-((?:darwin|linux|win32)-.+)$/.exec(name) ?? [];
        return platform !== undefined && !own.has(platform);
      })
      .map((name) => os.path.join(scope, name)),
  );
}

/** The possible paths of the real program if `path` is a placeholder: in the same `node_modules`, or in those above. */
export function* listSiblingFiles(path: string, os: OperatingSystem): Generator<string> {
  const real = os.realPath(path) ?? path;
  yield* listPackageFiles(os.path.dirname(real), os);
}

function* listScopes(from: string, os: OperatingSystem): Generator<string> {
  let folder = from;
  for (;;) {
    const scope = os.path.join(folder, 'node_modules', SCOPE);
    if (os.path.basename(folder) !== 'node_modules' && os.statFile(scope)?.kind === 'directory') yield scope;
    const parent = os.path.dirname(folder);
    if (parent === folder) return;
    folder = parent;
  }
}

function* listPlatformFiles(scope: string, os: OperatingSystem): Generator<string> {
  for (const platform of listPlatforms(os)) {
    for (const owner of OWNERS) {
      yield os.path.join(scope, `${owner}-${platform}`, nativeName(os));
    }
  }
}

// pnpm makes the main package a link into its store, where the platform package is beside the target. npm may put the
// platform package inside the main package.
function* listLinkedFiles(owner: string, os: OperatingSystem): Generator<string> {
  const real = os.realPath(owner);
  if (real === undefined) return;
  const scopes = [os.path.join(real, 'node_modules', SCOPE)];
  if (real !== owner) scopes.unshift(os.path.dirname(real));
  for (const scope of scopes) {
    if (os.statFile(scope)?.kind === 'directory') yield* listPlatformFiles(scope, os);
  }
}

// The second platform is one that this machine may be able to run, for instance with an emulator. That is checked later.
function listPlatforms(os: OperatingSystem): string[] {
  const own = `${os.platform}-${os.arch}`;
  if (os.platform === 'linux') return os.isMusl() ? [`${own}-musl`, own] : [own, `${own}-musl`];
  return os.arch === 'arm64' ? [own, `${os.platform}-x64`] : [own];
}

function nativeName(os: OperatingSystem): string {
  return os.platform === 'win32' ? 'claude.exe' : 'claude';
}
