// The HTML document that this server sends: the page, and the text for browsers that were not let in. It contains nothing
// of a request and nothing of a session.
import type { HttpReply } from './http-reply.js';

// A dot in a ring, in the accent of the page.
const ICON =
  'data:image/svg+xml,%3Csvg xmlns=%27http://www.w3.org/2000/svg%27 viewBox=%270 0 16 16%27 fill=%27%235b5bd6%27%3E' +
  '%3Ccircle cx=%278%27 cy=%278%27 r=%273%27/%3E%3Cpath d=%27M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0m0 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2%27/%3E%3C/svg%3E';

const DOCUMENT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Inboard inspector</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/page.css">
<script type="module" src="/page.js"></script>
</head>
<body>
<div id="app"></div>
<main id="no-way-in" class="plain" hidden>
<h1>This needs a new link</h1>
<p>A link to the inspector works once, within ten minutes, in one browser. This one was used or is too old, or it was made by an
inspector that has ended.</p>
<p>To get another, run <code>npx inboard inspect --link</code> on the machine the inspector runs on, or “Make a link
for another browser” at the top of a page that is open.</p>
</main>
<noscript>The inspector needs JavaScript.</noscript>
</body>
</html>
`;

/** The page itself. Its script does the rest. */
export const PAGE: HttpReply = { status: 200, type: 'text/html', body: DOCUMENT };
