// Compares two versions of the CLI.

/** Below zero if `a` is the older version, above zero if it is the newer. A pre-release is older than its release. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  for (let index = 0; index < 3; index += 1) {
    const difference = (left.numbers[index] ?? 0) - (right.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return Number(left.isRelease) - Number(right.isRelease);
}

function parseVersion(text: string): { numbers: number[]; isRelease: boolean } {
  const [core = '', ...rest] = text.trim().replace(/^v/, '').replace(/\+.*$/s, '').split('-');
  const numbers = core.split('.').map((part) => Number.parseInt(part, 10) || 0);
  return { numbers, isRelease: rest.length === 0 };
}
