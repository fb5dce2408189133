// Writes the HTML around the data of a page.
import { createHash } from 'node:crypto';
import { PAGE_DATA_ELEMENT } from '@inboard/core/record/trace/trace-event.js';
import type { WholePage } from '../server/page-assets.js';

/** The page without data. A page that saves itself puts its data after `PAGE_DATA_ELEMENT`. */
export function writeBlankPage(assets: WholePage): string {
  return fillPage(assets, '');
}

/** The page with its data, which must come from `embedJson`. */
export function fillPage({ script, style }: WholePage, json: string): string {
  // Script and style come from this package. No later change may put a text into them that ends their elements.
  for (const text of [script, style])
    if (/<\/(?:script|style)|<!--/i.test(text))
      throw new Error('The page has a text in it that would end it');
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Trace</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript><p>This page needs JavaScript, which your browser does not run.</p></noscript>
${PAGE_DATA_ELEMENT}${json}</script>
<script>${script}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
