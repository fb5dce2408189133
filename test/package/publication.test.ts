// How one gets the package is said once: the pages and the published manifest follow it, before the first release and after.
import { describe, expect, it } from 'vitest';
import { leaveOutPictures } from '../../scripts/support/packed-pictures.mjs';
import { publishedManifest } from '../../scripts/support/pack-package.mjs';
import {
  addressFields,
  fillInstallPart,
  INSTALL_PAGES,
  PUBLICATION,
} from '../../scripts/support/release/publication.mjs';
import { readProjectFile } from './project.js';

describe('the way to install', () => {
  it.each(INSTALL_PAGES)('in %s is what scripts/write-reference-pages.mjs writes', (path) => {
    const page = readProjectFile(path);
    expect(page).toBe(fillInstallPart(page, PUBLICATION));
  });

  it.each(INSTALL_PAGES)('in %s is a tarball before the first release, and a name after it', (path) => {
    const page = readProjectFile(path);
    expect(fillInstallPart(page, { isOnRegistry: false })).toContain('npm install ../inboard/inboard.tgz ');
    const after = fillInstallPart(page, { isOnRegistry: true });
    expect(after).toContain('npm install inboard @anthropic-ai/claude-code');
    expect(after).not.toContain('not on the npm registry yet');
  });

  it('needs its place on the page', () => {
    expect(() => fillInstallPart('# A page\n', PUBLICATION)).toThrow('has no part "<!-- install');
  });
});

describe('the address', () => {
  it('leaves its fields out while there is none, and never makes one up', () => {
    expect(addressFields({ repository: '' })).toEqual({});
    const own = publishedManifest(JSON.parse(readProjectFile('package.json')) as object);
    const fields = ['repository', 'homepage', 'bugs'].filter((field) => field in own);
    expect(fields).toEqual(PUBLICATION.repository === '' ? [] : ['repository', 'homepage', 'bugs']);
  });

  it('gives all fields once it is there', () => {
    expect(addressFields({ repository: 'https://git.example/inboard' })).toEqual({
      repository: { type: 'git', url: 'git+https://git.example/inboard.git' },
      homepage: 'https://git.example/inboard#readme',
      bugs: { url: 'https://git.example/inboard/issues' },
    });
  });
});

describe('the pictures of a packed page', () => {
  const page = [
    '<picture>',
    '  <source srcset="docs/dark.png">',
    '  <img src="docs/light.png" alt="">',
    '</picture>',
    '',
    'Text.',
    '',
    '<img src="docs/chart.svg" alt="">',
    '',
    '<img src="https://git.example/a.png" alt="">',
    '',
    'The end.',
    '',
  ].join('\n');

  it('stay where all their files are packed, and leave no gap elsewhere', () => {
    const files = ['docs/dark.png', 'docs/light.png', 'docs/chart.svg'];
    expect(leaveOutPictures('README.md', page, new Set(files))).toBe(page);
    expect(leaveOutPictures('README.md', page, new Set(files.slice(1)))).toBe(
      'Text.\n\n<img src="docs/chart.svg" alt="">\n\n<img src="https://git.example/a.png" alt="">\n\nThe end.\n',
    );
    expect(leaveOutPictures('docs/a.md', '<img src="chart.svg">\n', new Set(['docs/chart.svg']))).toContain(
      'chart.svg',
    );
  });
});
