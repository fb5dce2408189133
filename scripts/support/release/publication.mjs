// Where the package can be had, said once: the pages that tell how to install it and the published manifest are made from this.

/** Set both with the first release (RECIPES.md), and run `node scripts/write-reference-pages.mjs`. */
export const PUBLICATION = {
  /** Whether the npm registry has the package. */
  isOnRegistry: false,
  /** The public address of the repository, such as https://example.com/inboard. Empty while there is none. */
  repository: '',
};

/** The pages that say how to install it. */
export const INSTALL_PAGES = ['README.md', 'docs/getting-started.md'];

/** The fields of the manifest that lead readers to the project; none while there is no address. */
export function addressFields({ repository }) {
  if (repository === '') return {};
  return {
    repository: { type: 'git', url: `git+${repository}.git` },
    homepage: `${repository}#readme`,
    bugs: { url: `${repository}/issues` },
  };
}

/** A page with its way to install as the publication has it, between its two marks. Throws where a mark is missing. */
export function fillInstallPart(page, publication) {
  const marks = /(<!-- install: [^>]+-->\n)[\s\S]*?(<!-- end of install -->)/;
  if (!marks.test(page))
    throw new Error('The page has no part "<!-- install: … -->" to "<!-- end of install -->".');
  return page.replace(marks, (_, begin, end) => `${begin}\n${installPart(publication)}\n${end}`);
}

function installPart({ isOnRegistry }) {
  if (isOnRegistry) return '```sh\nnpm install inboard @anthropic-ai/claude-code\n```\n';
  return `Inboard is not on the npm registry yet. \`npm install && npm run pack\` in a clone of its repository makes \`inboard.tgz\`. Install that
file in your project, together with the CLI:

\`\`\`sh
npm install ../inboard/inboard.tgz @anthropic-ai/claude-code
\`\`\`
`;
}
