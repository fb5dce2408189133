export function findManifestFaults(manifest: object, changelog: string): string[];
export function findMissingAddresses(manifest: object): string[];
export function readSection(changelog: string, version: string): string | undefined;
export function findFileFaults(given: {
  files: readonly (readonly [string, string])[];
  manifest: object;
  places: readonly string[];
}): string[];
