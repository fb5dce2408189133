// What the manifest of an installed package says of itself.

/** @param {Record<string, any>} manifest the `package.json` of the package */
export function createPackageProbes(manifest) {
  return {
    async source() {
      const { license = '' } = manifest;
      return /^(?:MIT|Apache-2\.0)$/.test(license) ? `open, ${license}` : 'closed';
    },

    // It was installed from there, with a lockfile.
    async registry() {
      return 'npm';
    },

    async cli() {
      const names = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
      const isProgram = (name) => name.startsWith(`${manifest.name}-linux-`);
      return names.some(isProgram) ? 'yes' : 'no, you install it';
    },
  };
}
