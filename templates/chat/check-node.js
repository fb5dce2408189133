// Says that Node is too old before it fails in a way that does not. Plain JavaScript, because such a Node runs no TypeScript.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const numbersOf = (text) => text.replace(/^\D+/, '').split('.').map(Number);
const [major, minor = 0] = numbersOf(engines.node);
const [ownMajor, ownMinor] = numbersOf(process.versions.node);
if (ownMajor < major || (ownMajor === major && ownMinor < minor)) {
  console.error(`This project needs Node ${major}.${minor} or newer. This is Node ${process.versions.node}.`);
  process.exitCode = 1;
}
