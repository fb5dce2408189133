import { describe, expect, it } from 'vitest';
import { listProgramFolders } from '../../../src/wire/process/find/program-folders.js';
import type { ProgramFacts } from '../../../src/wire/process/find/program-folders.js';
import { createFakeSystem } from '../../../../../test/support/fake-operating-system.js';

const os = createFakeSystem({ platform: 'linux', cwd: '/', files: {} });

function list(facts: Partial<ProgramFacts>): readonly string[] {
  return listProgramFolders(os, {
    moduleUrl: undefined,
    moduleFolder: undefined,
    mainFile: undefined,
    programFile: undefined,
    isPackagedElectron: false,
    ...facts,
  });
}

describe('listProgramFolders', () => {
  it('lists the package first, then the main file, each once', () => {
    const moduleUrl = 'file:///app/node_modules/inboard/dist/shared/a.js';
    expect(list({ moduleUrl, mainFile: '/app/main.js' })).toEqual([
      '/app/node_modules/inboard/dist/shared',
      '/app',
    ]);
    expect(list({ moduleUrl: 'file:///app/bundle.mjs', mainFile: '/app/bundle.mjs' })).toEqual(['/app']);
  });

  it('takes the folder of a CommonJS bundle, where bundlers leave import.meta empty', () => {
    expect(list({ moduleFolder: '/opt/app', mainFile: './app' })).toEqual(['/opt/app']);
  });

  it('ignores addresses that are no files, made-up folders, and relative main files', () => {
    expect(list({ moduleUrl: 'webpack://app/a.js', moduleFolder: '.', mainFile: 'main.js' })).toEqual([]);
    expect(list({})).toEqual([]);
  });

  it('takes no document that a packaged Electron app was opened with for the main file', () => {
    const opened = '/home/ann/untrusted-repository/notes.txt';
    const moduleUrl = 'file:///opt/app/resources/app.asar/main.js';
    expect(list({ moduleUrl, mainFile: opened, isPackagedElectron: true })).toEqual([
      '/opt/app/resources/app.asar',
    ]);
  });

  it('looks beside a program compiled to one file, whose own files are inside it', () => {
    const inside = { moduleUrl: 'file:///$bunfs/root/app', mainFile: '/$bunfs/root/app' };
    expect(list({ ...inside, programFile: '/opt/app/agent' })).toEqual(['/$bunfs/root', '/opt/app']);
  });

  it('reads the facts of this process', () => {
    expect(listProgramFolders(os)[0]).toMatch(/\/src\/wire\/process\/find$/);
  });
});
