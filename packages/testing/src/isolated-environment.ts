// Makes new folders and a new environment for a CLI under test. No login, setting or proxy of the machine has an
// effect, and requests of the CLI to other hosts fail.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidOptionsError } from '@inboard/core/errors.js';
import { isLoopback } from '@inboard/core/util/loopback.js';
import { withoutUndefined } from '@inboard/core/util/without-undefined.js';

/** Which model the CLI connects to, and further variables. */
export interface IsolatedEnvironmentOptions {
  /** The model's address, such as `model.url`. An address that is not loopback is refused. */
  readonly baseUrl: string;
  /**
   * False switches the CLI's tool search off, so that the model sees every tool from the start. Default true, as in
   * production. CLI 2.1.325 then holds back tools that are not loaded up front.
   */
  readonly toolSearch?: boolean | undefined;
  /**
   * The folder for home, settings, transcripts and working folder, so that a later environment can continue with them.
   * Default: a temporary folder that `remove()` deletes.
   */
  readonly folder?: string | undefined;
  /** Variables to add or replace. `undefined` removes a variable. */
  readonly extra?: Readonly<Record<string, string | undefined>> | undefined;
}

/**
 * Folders and variables for one test. Whoever calls `createIsolatedEnvironment` must call `remove()` after the CLI has
 * ended.
 */
export interface IsolatedEnvironment extends AsyncDisposable {
  /** The whole environment. Pass it as it is, without adding `process.env`. */
  readonly env: Record<string, string>;
  readonly home: string;
  /** The folder for settings and transcripts, as in CLAUDE_CONFIG_DIR. */
  readonly configDir: string;
  /** A folder to work in, empty at first. */
  readonly cwd: string;
  /** The folder that `remove()` deletes. It contains all the others, unless a `folder` was given. */
  readonly temporary: string;
  /** Deletes all folders, except a `folder` that was given. It can be called again. */
  remove(): Promise<void>;
}

/** Makes the folders and the environment. Throws an `InvalidOptionsError` if the model is not on loopback. */
export async function createIsolatedEnvironment(
  options: IsolatedEnvironmentOptions,
): Promise<IsolatedEnvironment> {
  const { baseUrl, toolSearch = true, folder, extra = {} } = options;
  checkLoopback(baseUrl, 'baseUrl');
  if ('ANTHROPIC_BASE_URL' in extra) checkLoopback(extra['ANTHROPIC_BASE_URL'], 'extra.ANTHROPIC_BASE_URL');

  // This is the real path, because the CLI reports real paths. The name is short, because the CLI keeps sockets in
  // TMPDIR.
  const temporary = await realpath(await mkdtemp(join(tmpdir(), 'inboard-')));
  const remove = (): Promise<void> =>
    // A child of the CLI may still be writing its last file.
    rm(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  let folders: Folders;
  try {
    folders = await makeFolders(folder ?? temporary, temporary);
  } catch (error) {
    await remove();
    throw error;
  }

  const variables = {
    ...inheritVariables(),
    ...createVariables(folders, baseUrl),
    ...(toolSearch ? {} : { ENABLE_TOOL_SEARCH: 'false' }),
    ...extra,
  };
  const env = withoutUndefined(variables) as Record<string, string>;
  const { home, configDir, cwd } = folders;
  return { env, home, configDir, cwd, temporary, remove, [Symbol.asyncDispose]: remove };
}

interface Folders {
  home: string;
  configDir: string;
  cwd: string;
  tmp: string;
}

async function makeFolders(kept: string, temporary: string): Promise<Folders> {
  await mkdir(kept, { recursive: true });
  const root = await realpath(kept);
  const folders = {
    home: join(root, 'home'),
    configDir: join(root, 'config'),
    cwd: join(root, 'work'),
    tmp: join(temporary, 'tmp'),
  };
  for (const made of Object.values(folders)) await mkdir(made, { recursive: true });
  try {
    const settings = JSON.stringify({ hasCompletedOnboarding: true });
    await writeFile(join(folders.configDir, '.claude.json'), settings, { flag: 'wx' });
  } catch (error) {
    // The file exists from an earlier run. It is kept, because the CLI may have changed it since.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return folders;
}

// The variables that programs need to start. On Windows, PATH may be spelled in any case, and the CLI does not start
// without the bash of git, whose place the last variable names.
function inheritVariables(): Record<string, string | undefined> {
  const needed =
    /^(?:PATH|PATHEXT|SystemRoot|SystemDrive|windir|ComSpec|ProgramFiles(?:\(x86\))?|CLAUDE_CODE_GIT_BASH_PATH)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => needed.test(name)));
}

function createVariables(folders: Omit<Folders, 'cwd'>, baseUrl: string): Record<string, string> {
  // Nothing listens at this proxy, so requests to other hosts fail at once. CLI 2.1.33 always sends a request to a
  // fixed host when it starts. The proxy stops this request, and also those of commands that the CLI's tools run.
  const nowhere = 'http://127.0.0.1:9';
  const direct = '127.0.0.1,localhost,::1';
  return {
    HOME: folders.home,
    CLAUDE_CONFIG_DIR: folders.configDir,
    TMPDIR: folders.tmp,
    // CLI 2.1.33 does not use TMPDIR for the files of its tasks.
    CLAUDE_CODE_TMPDIR: folders.tmp,
    ...(process.platform === 'win32' && {
      USERPROFILE: folders.home,
      APPDATA: folders.home,
      LOCALAPPDATA: folders.home,
      TEMP: folders.tmp,
      TMP: folders.tmp,
    }),
    ANTHROPIC_API_KEY: 'sk-ant-api03-not-a-real-key',
    ANTHROPIC_BASE_URL: baseUrl,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    // Lets the CLI run as root, as in a container.
    IS_SANDBOX: '1',
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    NO_PROXY: direct,
    http_proxy: nowhere,
    https_proxy: nowhere,
    no_proxy: direct,
  };
}

function checkLoopback(address: string | undefined, option: string): void {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url !== undefined && isHttp && isLoopback(url.hostname)) return;
  throw new InvalidOptionsError(
    [option],
    `${option} is ${JSON.stringify(address)}, but an isolated environment only connects to ` +
      'loopback. Pass the url of a scripted model, or another http address on 127.0.0.1.',
  );
}
