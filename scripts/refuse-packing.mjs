// `prepack` of the root: stops `npm pack` and `npm publish` there, because they would pack the manifest of the checkout, whose `prepare`
// every install of the package would warn of. Whoever installs from git is let through: npm runs no `prepack` then, and pnpm runs it by
// `npm run`.
const { npm_command: command } = process.env;

if (command === 'pack' || command === 'publish') {
  const instead =
    command === 'pack'
      ? 'Type "npm run pack": it writes inboard.tgz, without them.'
      : 'Type "node scripts/pack.mjs --into <folder>", and publish the tarball that it writes there.';
  process.stderr.write(
    `"npm ${command}" would pack the manifest of this checkout, with its scripts, workspaces and development dependencies.\n${instead}\n`,
  );
  process.exitCode = 1;
}
