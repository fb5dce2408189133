// The size of the published package, by its entry points: 2 MB for those there were when the budget was made, 150 kB for each
// later one, 400 kB for the inspector, 450 kB for documentation, 400 kB for calls that complete and checks of input, 200 kB for turns that
// wait without a CLI and results that come later (docs/decisions/2026-11-16-package.md).
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const FIRST_ENTRY_POINTS = ['.', './core', './testing', './trace', './otel', './sdk-tools', './sdk-tools.js'];
const FIRST_ENTRY_POINTS_BYTES = 2_000_000;
const LATER_ENTRY_POINT_BYTES = 150_000;
const DOCUMENTATION_BYTES = 450_000;
/** Calls that complete after a crash, and checks of what programs pass. */
const COMPLETION_BYTES = 400_000;
/** Turns that wait without a CLI, results that come later, and chats that are read from records. */
const WAITING_BYTES = 200_000;
const LATER_ENTRY_POINTS_BYTES = { './inspector': 400_000 };

/** What the unpacked package holds, and how many bytes its entry points may. */
export function measurePackage(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const sizes = entries.map((entry) => ({
    path: join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1),
    bytes: statSync(join(entry.parentPath ?? entry.path, entry.name)).size,
  }));
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return {
    files: sizes.length,
    bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    allowedBytes: allowBytes(Object.keys(exports)),
    details: sizes
      .toSorted((one, other) => other.bytes - one.bytes)
      .slice(0, 40)
      .map(({ path, bytes }) => `${bytes} bytes ${path}`),
  };
}

function allowBytes(entryPoints) {
  const later = entryPoints.filter(
    (entryPoint) => !FIRST_ENTRY_POINTS.includes(entryPoint) && !entryPoint.endsWith('.json'),
  );
  return later.reduce(
    (sum, entryPoint) => sum + (LATER_ENTRY_POINTS_BYTES[entryPoint] ?? LATER_ENTRY_POINT_BYTES),
    FIRST_ENTRY_POINTS_BYTES + DOCUMENTATION_BYTES + COMPLETION_BYTES + WAITING_BYTES,
  );
}
