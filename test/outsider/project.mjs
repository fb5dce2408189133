// An empty project on disk with the packed package in it, and what a compiler says of the programs there.
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packPackage } from '../../scripts/support/pack-package.mjs';
import { folder as outsider } from './projects.mjs';

/** The package as it is published, in a folder below `folder`; packed as it is built where no tarball is named. */
export function unpackPackage(folder, tarball = pack(folder)) {
  const target = mkdtempSync(join(folder, 'unpacked-'));
  execFileSync('tar', ['-xzf', tarball, '-C', target]);
  return join(target, 'package');
}

function pack(folder) {
  return packPackage(mkdtempSync(join(folder, 'pack-')));
}

/** Writes a project of the table into the folder `place`. */
export function createProject(place, { packages, programs, compilerOptions }, unpacked) {
  writeFileSync(join(place, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }\n');
  // A copy: from a link the compiler would look for other packages where the link leads.
  const copy = join(place, 'node_modules', 'inboard');
  cpSync(join(unpacked, 'package.json'), join(copy, 'package.json'));
  const isDeclaration = (path) => !path.endsWith('.js') && !path.endsWith('.map');
  cpSync(join(unpacked, 'dist'), join(copy, 'dist'), { recursive: true, filter: isDeclaration });
  for (const [name, installed] of Object.entries(packages)) {
    const link = join(place, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(outsider, 'node_modules', installed), link, 'junction');
  }
  for (const group of programs)
    cpSync(join(outsider, 'types', group), join(place, group), { recursive: true });
  const config = {
    compilerOptions: { strict: true, skipLibCheck: false, noEmit: true, types: ['node'], ...compilerOptions },
    include: programs,
  };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(config, undefined, 2));
}

/** What the compiler complains about: in the programs or in our declarations, and in packages of others. */
export async function compileProject(place, { compiler }) {
  const { code, stdout, stderr } = await new Promise((settle) => {
    execFile(
      process.execPath,
      [compiler, '-p', place, '--pretty', 'false'],
      { cwd: place },
      (error, out, err) => settle({ code: error ? error.code : 0, stdout: out, stderr: err }),
    );
  });
  // A line that is indented explains the one before it.
  const errors = stdout.split(/\n(?! )/).filter((text) => /error TS\d+/.test(text));
  const isOurs = (text) => {
    const [file = ''] = text.split('(');
    return !file.includes('node_modules') || file.includes('node_modules/inboard/');
  };
  if (code !== 0 && errors.length === 0) errors.push(`The compiler ended with ${code}: ${stdout}${stderr}`);
  return {
    ours: errors.filter(isOurs),
    others: errors.filter((text) => !isOurs(text)).map((text) => text.split('\n')[0]),
  };
}
