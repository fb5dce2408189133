// VitePress: what it reads and writes, and how Markdown becomes HTML. The pages, their order and their links are put
// together before it starts (scripts/support/site); it asks no other host for anything.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { slugify } from '../../scripts/support/site/markdown.mjs';
import { addTables } from './tables.mjs';

const place = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const { description, sidebar, version } = JSON.parse(readFileSync(place('.generated/site.json'), 'utf8'));
const base = process.env.SITE_BASE ?? '/';

// The browser holds the site to it, too.
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

// Words are looked for, not colours; the second colouring of all code took half the time of the build.
function renderForSearch(source, env, md) {
  const { highlight } = md.options;
  md.options.highlight = null;
  try {
    return md.render(source, Object.assign(env, { forSearch: true }));
  } finally {
    md.options.highlight = highlight;
  }
}

export default defineConfig({
  title: 'Inboard',
  description,
  lang: 'en',
  base,
  srcDir: '.generated/pages',
  outDir: 'dist',
  cacheDir: '.generated/cache',
  cleanUrls: true,
  metaChunk: true,
  // Checked before and after it, with their anchors.
  ignoreDeadLinks: true,
  head: [
    ['meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }],
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}favicon.svg` }],
    ['meta', { name: 'theme-color', media: '(prefers-color-scheme: light)', content: '#faf9f7' }],
    ['meta', { name: 'theme-color', media: '(prefers-color-scheme: dark)', content: '#151413' }],
  ],
  transformHead: ({ pageData }) =>
    pageData.frontmatter.plain === undefined
      ? []
      : [['link', { rel: 'alternate', type: 'text/markdown', href: base + pageData.frontmatter.plain }]],
  vite: { publicDir: place('.generated/public'), build: { chunkSizeWarningLimit: 4000 } },
  markdown: {
    theme: { light: 'github-light-default', dark: 'github-dark-default' },
    anchor: { slugify },
    config: (md) => {
      // Text is text, never a template.
      const { text } = md.renderer.rules;
      md.renderer.rules.text = (...given) => text(...given).replaceAll('{{', '&#123;&#123;');
      addTables(md);
    },
  },
  themeConfig: {
    logo: { src: '/mark.svg', alt: '' },
    nav: [
      { text: 'Guide', link: '/getting-started/' },
      { text: 'API', link: '/reference/' },
      { text: 'Examples', link: '/examples/' },
      {
        text: `Version ${version}`,
        items: [
          { text: `What changed in ${version}`, link: '/changelog/' },
          { text: 'Versions of the CLI it works with', link: '/cli-versions/' },
          { text: 'What a version promises', link: '/stability/' },
        ],
      },
    ],
    sidebar,
    outline: { level: [2, 3], label: 'On this page' },
    // With an excerpt, one sees which of the results is meant.
    search: { provider: 'local', options: { detailedView: true, _render: renderForSearch } },
    docFooter: { prev: 'Previous', next: 'Next' },
    notFound: {
      title: 'There is no such page',
      quote: 'It may have been renamed. Search for it, or start at the home page.',
      linkText: 'Home page',
      linkLabel: 'Home page',
    },
  },
});
