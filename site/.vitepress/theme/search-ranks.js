// Which pages search shows first: those that explain a name, then those that list it, then those that tell its history.
// Set here and not in the configuration, whose functions VitePress sends as text, and the site's policy evaluates none.

const RANKS = [
  [/^(?:decisions|discoveries|changelog|readme|contributing)\//, 0.3],
  [/^reference\//, 0.5],
];

/** Gives the local search the ranks of the pages. */
export function rankPages({ base, themeConfig }) {
  themeConfig.search.options.miniSearch = { searchOptions: { boostDocument: (id) => rankOf(id, base) } };
}

function rankOf(id, base) {
  const route = id.startsWith(base) ? id.slice(base.length) : id;
  return RANKS.find(([pattern]) => pattern.test(route))?.[1] ?? 1;
}
