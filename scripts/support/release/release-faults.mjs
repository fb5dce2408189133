// What keeps a package from being published: judged from its manifest, its change log and the files that would be packed.
// Reads nothing itself, so that each rule can be tested with a package that breaks it.

// Everything a release may hold. A new kind of file is a decision, and gets a line here.
const ALLOWED = [
  /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md)$/,
  /^dist\/(?:[\w.-]+\/)*[\w.-]+\.(?:js|d\.ts)$/,
  /^dist\/inspector\/page\/(?:[\w.-]+\.gz|LICENSES\.txt)$/,
  // What `inboard init` writes into a new project.
  /^templates\/[\w-]+\/(?:[\w-]+\/)*(?:[\w.-]+\.(?:js|tsx?|json|md|html|css)|gitignore|\.gitkeep)$/,
  // What builds and runs a project in containers.
  /^templates\/[\w-]+\/(?:Dockerfile|dockerignore|deploy\/(?:[\w-]+\/)*[\w.-]+\.(?:yaml|sql))$/,
  /^docs\/[\w-]+\.(?:md|svg)$/,
  // The parts of a page.
  /^docs\/(?!decisions\/|discoveries\/)[\w-]+\/[\w-]+\.md$/,
  // Alert rules and a dashboard for operators.
  /^docs\/operations\/[\w-]+\.(?:yml|json)$/,
  /^schema\/[\w.-]+\.schema\.json$/,
];

const NEEDED = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'];

// Whole keys as their issuers shape them; documentation and redaction name such keys only in part.
const SECRETS = {
  'a key of the Anthropic API': /sk-ant-[a-z]+\d+-[\w-]{40,}/,
  'a token of npm': /\bnpm_[A-Za-z0-9]{36}\b/,
  'a token of GitHub': /\b(?:gh[oprsu]_[A-Za-z0-9]{36}|github_pat_\w{60,})\b/,
  'a key of Google': /\bAIza[\w-]{35}/,
  'a token of Slack': /\bxox[abeprs]-[\w-]{20,}/,
  'a key of AWS': /\bAKIA[0-9A-Z]{16}\b/,
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/=]{40}/,
};

// The official list of fields that lead readers to the project. There is no public address yet, and none is made up.
const ADDRESSES = ['repository', 'homepage', 'bugs'];

/** Faults of the manifest and the change log, each a sentence. */
export function findManifestFaults(manifest, changelog) {
  const faults = [];
  if (manifest.private !== undefined)
    faults.push('"private" is set in package.json: npm refuses to publish it.');
  for (const field of ['name', 'version', 'description', 'license', 'engines', 'exports', 'files'])
    if (manifest[field] === undefined) faults.push(`package.json has no "${field}".`);
  if (!Array.isArray(manifest.keywords) || manifest.keywords.length === 0)
    faults.push('package.json has no "keywords": a search on the registry does not find it.');
  if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(String(manifest.version)))
    faults.push(`The version "${manifest.version}" is none that npm takes.`);
  const entries = readSection(changelog, manifest.version);
  if (entries === undefined) faults.push(`CHANGELOG.md has no section "## ${manifest.version}".`);
  else if (!/^- /m.test(entries))
    faults.push(`The section ${manifest.version} of CHANGELOG.md has no entry.`);
  if (readSection(changelog, 'Unreleased') === undefined)
    faults.push('CHANGELOG.md has no section "## Unreleased" for what comes next.');
  return faults;
}

/** Fields that a public release needs, and that cannot be known before there is a public repository. */
export function findMissingAddresses(manifest) {
  return ADDRESSES.filter((field) => manifest[field] === undefined);
}

/** The text below the heading of a release, up to the next one; undefined where there is none. */
export function readSection(changelog, version) {
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => new RegExp(`^## ${escapeText(version)}(?:$| )`).test(line));
  if (start < 0) return undefined;
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '));
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length).join('\n');
}

/**
 * Faults of the files that would be packed. `files` are pairs of path and text; `places` are texts that only the machine
 * knows that packs them, such as the path of the checkout.
 */
export function findFileFaults({ files, manifest, places }) {
  const faults = [];
  const paths = new Set(files.map(([path]) => path));
  for (const path of [...NEEDED, ...listTargets(manifest)])
    if (!paths.has(path)) faults.push(`${path} is promised and not packed.`);
  for (const [path, text] of files) {
    if (!ALLOWED.some((pattern) => pattern.test(path)))
      faults.push(
        `${path} is of no kind that may be published (scripts/support/release/release-faults.mjs).`,
      );
    if (/^\/\/[#@] sourceMappingURL=/m.test(text))
      faults.push(`${path} names a source map, which is not packed.`);
    for (const [what, pattern] of Object.entries(SECRETS))
      if (pattern.test(text)) faults.push(`${path} holds ${what}.`);
    for (const place of places)
      if (text.includes(place)) faults.push(`${path} names this machine: "${place}".`);
  }
  return faults;
}

/** Every file that package.json points to. */
function listTargets(manifest) {
  const targets = Object.values(manifest.exports ?? {}).flatMap((to) =>
    typeof to === 'string' ? [to] : Object.values(to),
  );
  return [...targets, ...Object.values(manifest.bin ?? {})].map((path) => path.replace(/^\.\//, ''));
}

function escapeText(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
