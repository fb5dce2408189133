import { describe, expect, it } from 'vitest';
import { LaunchError } from '../../../src/errors.js';
import { checkWorkingDirectory } from '../../../src/wire/process/find/working-directory.js';
import { createFakeSystem } from '../../../../../test/support/fake-operating-system.js';

const os = createFakeSystem({
  platform: 'linux',
  cwd: '/home/u',
  folders: ['/home/u/project', '/locked'],
  files: { '/home/u/file': {} },
});

describe('checkWorkingDirectory', () => {
  it('gives the absolute folder, by default that of the host', () => {
    expect(checkWorkingDirectory(undefined, os)).toBe('/home/u');
    expect(checkWorkingDirectory('project', os)).toBe('/home/u/project');
    expect(checkWorkingDirectory('/home/u/project/', os)).toBe('/home/u/project');
  });

  it.each([
    ['/nowhere', 'does not exist'],
    ['file', 'is not a directory'],
  ])('refuses %s: it %s', (cwd, reason) => {
    const check = () => checkWorkingDirectory(cwd, os);
    expect(check).toThrow(LaunchError);
    expect(check).toThrow(expect.objectContaining({ code: 'CWD_NOT_FOUND', phase: 'launch' }));
    expect(check).toThrow(reason);
  });

  it('refuses a folder that may not be entered', () => {
    const locked = { ...os, canExecute: () => false };
    expect(() => checkWorkingDirectory('/locked', locked)).toThrow('may not be entered');
  });

  it('says so when the folder of the host itself was removed', () => {
    const gone = createFakeSystem({ platform: 'linux', folders: ['/somewhere'] });
    expect(() => checkWorkingDirectory(undefined, gone)).toThrow('no longer exists');
    expect(() => checkWorkingDirectory('project', gone)).toThrow('no longer exists');
    expect(checkWorkingDirectory('/somewhere', gone)).toBe('/somewhere');
    // On Windows a path without a drive counts as absolute.
    const goneWindows = createFakeSystem({ platform: 'win32', folders: ['\\somewhere'] });
    expect(checkWorkingDirectory('\\somewhere', goneWindows)).toBe('\\somewhere');
  });
});
