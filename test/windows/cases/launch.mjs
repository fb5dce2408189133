// Starting the CLI: programs, scripts and the command files of package managers, by path and on the PATH.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, linkSync, mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { run } from 'inboard';
import { text } from 'inboard/testing';
import { createFake, NATIVE_CLI, playOn, put, startNode } from '../support.mjs';

const npmShim = (target) => `@ECHO off\r
GOTO start\r
:find_dp0\r
SET dp0=%~dp0\r
EXIT /b\r
:start\r
SETLOCAL\r
CALL :find_dp0\r
\r
IF EXIST "%dp0%\\node.exe" (\r
  SET "_prog=%dp0%\\node.exe"\r
) ELSE (\r
  SET "_prog=node"\r
  SET PATHEXT=%PATHEXT:;.JS;=;%\r
)\r
\r
endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\${target}" %*\r
`;
const powerShellShim = (target) => `#!/usr/bin/env pwsh
$basedir=Split-Path $MyInvocation.MyCommand.Definition -Parent
& "$basedir/node$exe"  "$basedir/${target}" $args
exit $LASTEXITCODE
`;
const pnpmShim = (target) => `@SETLOCAL\r
@IF EXIST "%~dp0\\node.exe" (\r
  "%~dp0\\node.exe"  "%~dp0\\${target}" %*\r
) ELSE (\r
  node  "%~dp0\\${target}" %*\r
)\r
`;

/** A folder with a script that is the fake CLI, under a name of the caller's. */
async function putScript(fake, path) {
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(await fake.executable(), path);
  return path;
}

/** The native program in a folder, and the environment in which it plays the fake. */
async function putProgram(fake, path) {
  mkdirSync(dirname(path), { recursive: true });
  linkSync(NATIVE_CLI, path);
  return { path, env: { ...process.env, INBOARD_WINDOWS_SCRIPT: await fake.executable() } };
}

function lower(env) {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name.toLowerCase(), value]));
}

/** The environment with another PATH, spelled as asked. */
function withPath(path, spelled = 'Path', more = {}) {
  const kept = Object.entries(process.env).filter(([name]) => !/^path$/i.test(name));
  return { ...Object.fromEntries(kept), [spelled]: path, ...more };
}

async function fails(options, matches) {
  await assert.rejects(run({ prompt: 'Hi', options: { settingSources: [], ...options } }), matches);
}

export const CASES = {
  'a fake CLI in memory answers': async ({ after }) => {
    const fake = createFake(after);
    await playOn(fake, { transport: fake.transport });
  },
  'a fake CLI as a program answers': async ({ after }) => {
    const fake = createFake(after);
    const session = await playOn(fake, { pathToClaudeCodeExecutable: await fake.executable() });
    assert.ok(session.args.includes('stream-json'));
  },
  'a script with .cjs in a folder with spaces and letters beyond ASCII': async ({ after, place }) => {
    const fake = createFake(after);
    await playOn(fake, {
      pathToClaudeCodeExecutable: await putScript(fake, join(place, 'Ünï cödé', 'claude.cjs')),
    });
  },
  'a script with .js': async ({ after, place }) => {
    const fake = createFake(after);
    await playOn(fake, { pathToClaudeCodeExecutable: await putScript(fake, join(place, 'cli.js')) });
  },
  'a script with .JS in capitals': async ({ after, place }) => {
    const fake = createFake(after);
    await playOn(fake, { pathToClaudeCodeExecutable: await putScript(fake, join(place, 'CLI.JS')) });
  },
  'a native program with .exe': async ({ after, place }) => {
    const fake = createFake(after);
    const { path, env } = await putProgram(fake, join(place, 'claude.exe'));
    await playOn(fake, { pathToClaudeCodeExecutable: path, env });
  },
  'a native program in a folder with spaces': async ({ after, place }) => {
    const fake = createFake(after);
    const { path, env } = await putProgram(
      fake,
      join(place, 'Program Files (x86)', 'Claude Code', 'claude.exe'),
    );
    await playOn(fake, { pathToClaudeCodeExecutable: path, env });
  },
  'a native program with .EXE in capitals': async ({ after, place }) => {
    const fake = createFake(after);
    const { path, env } = await putProgram(fake, join(place, 'CLAUDE.EXE'));
    await playOn(fake, { pathToClaudeCodeExecutable: path, env });
  },
  'slashes in place of backslashes': async ({ after, place }) => {
    const fake = createFake(after);
    const path = await putScript(fake, join(place, 'claude.cjs'));
    await playOn(fake, { pathToClaudeCodeExecutable: path.replaceAll('\\', '/') });
  },
  'a path in another case than the file has': async ({ after, place }) => {
    const fake = createFake(after);
    const path = await putScript(fake, join(place, 'Claude.cjs'));
    await playOn(fake, { pathToClaudeCodeExecutable: path.toUpperCase() });
  },
  'a path that is relative to the folder of the process': async ({ after, place }) => {
    const fake = createFake(after);
    const path = await putScript(fake, join(place, 'claude.cjs'));
    await playOn(fake, { pathToClaudeCodeExecutable: relative(process.cwd(), path) });
  },
  "a path on the drive's current folder, as in C:name": async ({ after, place }) => {
    const fake = createFake(after);
    const path = await putScript(fake, join(place, 'claude.cjs'));
    await playOn(fake, { pathToClaudeCodeExecutable: `C:${relative(process.cwd(), path)}` });
  },
  'a path from the root of the current drive': async ({ after, place }) => {
    const fake = createFake(after);
    const path = await putScript(fake, join(place, 'claude.cjs'));
    await playOn(fake, { pathToClaudeCodeExecutable: path.slice(2) });
  },
  'a shim of npm, .cmd, to a script': async ({ after, place }) => {
    const fake = createFake(after);
    await putScript(fake, join(place, 'claude-code', 'cli.js'));
    const shim = put(join(place, '.bin', 'claude.cmd'), npmShim('..\\claude-code\\cli.js'));
    await playOn(fake, { pathToClaudeCodeExecutable: shim });
  },
  'a shim of npm, .cmd, to a native program': async ({ after, place }) => {
    const fake = createFake(after);
    const { env } = await putProgram(fake, join(place, 'claude-code', 'bin', 'claude.exe'));
    const shim = put(join(place, '.bin', 'claude.cmd'), npmShim('..\\claude-code\\bin\\claude.exe'));
    await playOn(fake, { pathToClaudeCodeExecutable: shim, env });
  },
  'a shim of npm, .ps1': async ({ after, place }) => {
    const fake = createFake(after);
    await putScript(fake, join(place, 'claude-code', 'cli.js'));
    const shim = put(join(place, '.bin', 'claude.ps1'), powerShellShim('../claude-code/cli.js'));
    await playOn(fake, { pathToClaudeCodeExecutable: shim });
  },
  'a shim of pnpm, .cmd': async ({ after, place }) => {
    const fake = createFake(after);
    await putScript(fake, join(place, 'store', 'cli.js'));
    const shim = put(join(place, '.bin', 'claude.cmd'), pnpmShim('..\\store\\cli.js'));
    await playOn(fake, { pathToClaudeCodeExecutable: shim });
  },
  'a shim beside a node.exe of its own': async ({ after, place }) => {
    const fake = createFake(after);
    await putScript(fake, join(place, 'claude-code', 'cli.js'));
    put(join(place, '.bin', 'node.exe'), 'no program');
    const shim = put(join(place, '.bin', 'claude.cmd'), npmShim('..\\claude-code\\cli.js'));
    await playOn(fake, { pathToClaudeCodeExecutable: shim });
  },
  'a command file that is no shim is refused with a reason': async ({ place }) => {
    const file = put(join(place, 'claude.cmd'), '@echo off\r\necho hello\r\n');
    await fails({ pathToClaudeCodeExecutable: file }, /command file that only a shell can start/);
  },
  'a shim whose target is gone is refused with a reason': async ({ place }) => {
    const file = put(join(place, 'claude.cmd'), npmShim('..\\nowhere\\cli.js'));
    await fails({ pathToClaudeCodeExecutable: file }, /command file that only a shell can start/);
  },
  'a program for Linux is refused, with the name of this system': async ({ place }) => {
    const file = put(
      join(place, 'claude'),
      Buffer.concat([
        Buffer.from('7f454c460201010000000000000000000200', 'hex'),
        Buffer.from([0x3e, 0]),
        Buffer.alloc(200),
      ]),
    );
    await fails({ pathToClaudeCodeExecutable: file }, { code: 'WRONG_PLATFORM', message: /win32|Windows/ });
  },
  'a text file that is called claude.exe is refused': async ({ place }) => {
    const file = put(join(place, 'claude.exe'), 'This is no program.');
    await fails({ pathToClaudeCodeExecutable: file }, /claude\.exe/);
  },
  'a folder in place of a program is refused': async ({ place }) => {
    await fails({ pathToClaudeCodeExecutable: place }, /is a directory/);
  },
  'a missing program is named with its whole path': async ({ place }) => {
    await fails(
      { pathToClaudeCodeExecutable: join(place, 'claude.exe') },
      (error) => error.message.includes(join(place, 'claude.exe')) && error.code === 'EXECUTABLE_NOT_FOUND',
    );
  },
  'a missing working directory is named, and not the program': async ({ after, place }) => {
    const fake = createFake(after, [], { allowEarlyEnd: true });
    await fails(
      { pathToClaudeCodeExecutable: await fake.executable(), cwd: join(place, 'nowhere') },
      { code: 'CWD_NOT_FOUND' },
    );
  },
  'claude on the PATH, a program': async ({ after, place }) => {
    const fake = createFake(after);
    const { env } = await putProgram(fake, join(place, 'bin', 'claude.exe'));
    await playOn(fake, {
      pathToClaudeCodeExecutable: 'claude',
      env: withPath(join(place, 'bin'), 'PATH', { INBOARD_WINDOWS_SCRIPT: env.INBOARD_WINDOWS_SCRIPT }),
    });
  },
  'claude on the PATH, a shim with .cmd': async ({ after, place }) => {
    const fake = createFake(after);
    await putScript(fake, join(place, 'cli.js'));
    put(join(place, 'bin', 'claude.cmd'), npmShim('..\\cli.js'));
    await playOn(fake, { pathToClaudeCodeExecutable: 'claude', env: withPath(join(place, 'bin')) });
  },
  'the shell script that npm puts beside the .cmd is passed over': async ({ after, place }) => {
    const fake = createFake(after);
    await putScript(fake, join(place, 'cli.js'));
    put(join(place, 'bin', 'claude'), '#!/bin/sh\nexec node "$basedir/../cli.js" "$@"\n');
    put(join(place, 'bin', 'claude.cmd'), npmShim('..\\cli.js'));
    await playOn(fake, { pathToClaudeCodeExecutable: 'claude', env: withPath(join(place, 'bin')) });
  },
  ...Object.fromEntries(
    ['PATH', 'Path', 'path'].map((spelled) => [
      `the variable spelled ${spelled} in the environment of the CLI`,
      async ({ after, place }) => {
        const fake = createFake(after);
        await putScript(fake, join(place, 'cli.js'));
        put(join(place, 'bin', 'claude.cmd'), npmShim('..\\cli.js'));
        const session = await playOn(fake, {
          pathToClaudeCodeExecutable: 'claude',
          env: withPath(`C:\\nowhere;${join(place, 'bin')}`, spelled),
        });
        assert.ok(
          Object.entries(session.env).some(([name, value]) => /^path$/i.test(name) && value.includes(place)),
        );
      },
    ]),
  ),
  'an entry of the PATH in quotes': async ({ after, place }) => {
    const fake = createFake(after);
    await putScript(fake, join(place, 'cli.js'));
    put(join(place, 'bin', 'claude.cmd'), npmShim('..\\cli.js'));
    await playOn(fake, { pathToClaudeCodeExecutable: 'claude', env: withPath(`"${join(place, 'bin')}"`) });
  },
  'PATHEXT decides which file is taken': async ({ after, place }) => {
    const fake = createFake(after);
    await putScript(fake, join(place, 'cli.js'));
    put(join(place, 'bin', 'claude.exe'), 'This is no program.');
    put(join(place, 'bin', 'claude.cmd'), npmShim('..\\cli.js'));
    await playOn(fake, {
      pathToClaudeCodeExecutable: 'claude',
      env: withPath(join(place, 'bin'), 'PATH', { PATHEXT: '.CMD' }),
    });
  },
  'PATHEXT in lower case, under another spelling of its name': async ({ after, place }) => {
    const fake = createFake(after);
    await putScript(fake, join(place, 'cli.js'));
    put(join(place, 'bin', 'claude.cmd'), npmShim('..\\cli.js'));
    const { PATHEXT: _, ...env } = withPath(join(place, 'bin'));
    await playOn(fake, { pathToClaudeCodeExecutable: 'claude', env: { ...env, PathExt: '.com;.exe;.cmd' } });
  },
  'relative entries of the PATH are not searched': async ({ place }) => {
    put(join(place, 'claude.cmd'), npmShim('cli.js'));
    const here = relative(process.cwd(), place);
    await fails(
      { pathToClaudeCodeExecutable: 'claude', env: withPath(`.;${here};;C:${here}`) },
      { code: 'EXECUTABLE_NOT_FOUND' },
    );
  },
  'INBOARD_CLI, also spelled in lower case': async ({ after, place }) => {
    const fake = createFake(after);
    const path = await putScript(fake, join(place, 'claude.cjs'));
    await playOn(fake, { env: { ...lower(process.env), inboard_cli: path } });
  },
  'extendEnv replaces a variable of another spelling': async ({ after }) => {
    const fake = createFake(after);
    process.env.Inboard_Probe = 'old';
    after(() => delete process.env.Inboard_Probe);
    const session = await playOn(fake, {
      pathToClaudeCodeExecutable: await fake.executable(),
      extendEnv: { INBOARD_PROBE: 'new' },
    });
    const named = Object.entries(session.env).filter(([name]) => name.toUpperCase() === 'INBOARD_PROBE');
    assert.deepEqual(
      named.map(([, value]) => value),
      ['new'],
    );
  },
  'node_options in lower case is dropped as well': async ({ after }) => {
    const fake = createFake(after);
    const session = await playOn(fake, {
      pathToClaudeCodeExecutable: await fake.executable(),
      env: { ...process.env, node_options: '--trace-warnings' },
    });
    assert.ok(!Object.keys(session.env).some((name) => name.toUpperCase() === 'NODE_OPTIONS'));
  },
  'arguments with quotes, backslashes and spaces arrive whole': async ({ after }) => {
    const fake = createFake(after);
    const odd = ['a b', 'c"d', 'e\\', 'f\\"g', '', '%PATH%', '^&|<>', 'ü\u{1F9E9}', 'C:\\a folder\\'];
    const session = await playOn(fake, {
      pathToClaudeCodeExecutable: await fake.executable(),
      extraArgs: Object.fromEntries(odd.map((value, at) => [`odd-${at}`, value])),
    });
    for (const [at, value] of odd.entries()) {
      const found = session.args
        .find((word) => word.startsWith(`--odd-${at}=`))
        ?.slice(`--odd-${at}=`.length);
      const next = session.args[session.args.indexOf(`--odd-${at}`) + 1];
      assert.equal(found ?? next, value);
    }
  },
  'a value of 40,000 characters goes into a file, since a command line has 32,767': async ({ after }) => {
    const fake = createFake(after);
    const rule = 'x'.repeat(40_000);
    const session = await playOn(fake, {
      pathToClaudeCodeExecutable: await fake.executable(),
      settings: { env: { LONG: rule } },
    });
    assert.ok(session.args.every((word) => word.length < 30_000));
    const path = session.args.find(
      (word) => word.endsWith('settings.json') || word.includes('inboard-launch-'),
    );
    assert.ok(path !== undefined, session.args.join(' '));
    assert.ok(!existsSync(path.replace(/^--settings=/, '')), 'the file stays');
  },
  'a command line that cannot be made short enough is refused with the option': async ({ after }) => {
    const fake = createFake(after, [], { allowEarlyEnd: true });
    await fails(
      { pathToClaudeCodeExecutable: await fake.executable(), extraArgs: { note: 'x'.repeat(40_000) } },
      { code: 'ARGUMENTS_TOO_LONG', message: /extraArgs/ },
    );
  },
  'the option executable, a path to node.exe with slashes': async ({ after }) => {
    const fake = createFake(after);
    await playOn(fake, {
      pathToClaudeCodeExecutable: await fake.executable(),
      executable: process.execPath.replaceAll('\\', '/'),
    });
  },
  'the option executable, node on a PATH that has it': async ({ after, place }) => {
    const fake = createFake(after);
    await playOn(fake, {
      pathToClaudeCodeExecutable: await fake.executable(),
      executable: 'node',
      env: withPath(`${place};${dirname(process.execPath)}`),
    });
  },
  'a native program raises no warning': async ({ after, place }) => {
    const fake = createFake(after);
    const { path, env } = await putProgram(fake, join(place, 'claude.exe'));
    const warned = [];
    await playOn(fake, { pathToClaudeCodeExecutable: path, env, onWarning: ({ code }) => warned.push(code) });
    assert.deepEqual(warned, []);
  },
  'the CLI of an install is found beside the program, by the name of this system': async ({
    after,
    place,
  }) => {
    const fake = createFake(after, [text('Hello.')]);
    const modules = join(place, 'node_modules');
    const { env } = await putProgram(
      fake,
      join(modules, '@anthropic-ai', 'claude-code-win32-x64', 'claude.exe'),
    );
    put(
      join(modules, '@anthropic-ai', 'claude-code-win32-x64', 'package.json'),
      '{ "name": "@anthropic-ai/claude-code-win32-x64", "version": "2.1.325" }',
    );
    const program = put(
      join(place, 'agent.cjs'),
      `import(${JSON.stringify(import.meta.resolve('inboard'))}).then(async ({ run }) => {
         const { text } = await run({ prompt: 'Hi', options: { settingSources: [] } });
         console.log(text);
       });`,
    );
    const { stdout, stderr } = await startNode([program], { env, cwd: place, input: '' }).done;
    assert.equal(stdout.trim(), 'Hello.', stderr);
  },
  'a CLI in the working directory is not started': async ({ place }) => {
    const planted = join(place, 'repository', 'node_modules', '@anthropic-ai', 'claude-code', 'cli.js');
    put(planted, `require('node:fs').writeFileSync(${JSON.stringify(join(place, 'planted.txt'))}, '');`);
    const program = put(
      join(place, 'elsewhere', 'agent.mjs'),
      `import { run } from ${JSON.stringify(import.meta.resolve('inboard'))};
       const env = { Path: 'C:\\\\windows' };
       await run({ prompt: 'Hi', options: { settingSources: [], env } }).catch(({ code }) => console.log(code));`,
    );
    const { stdout, stderr } = await startNode([program], { cwd: join(place, 'repository'), input: '' }).done;
    assert.equal(stdout.trim(), 'EXECUTABLE_NOT_FOUND', stderr);
    assert.ok(!existsSync(join(place, 'planted.txt')));
  },
};
