// What a program printed, as an SVG of a terminal: colours as the program asked for them, and text that can be selected.
const COLOURS = ['#3b3a38', '#e5716b', '#7fc28b', '#e0b35c', '#86a5f7', '#c39af0', '#6fc3c8', '#e9e6df'];
const BRIGHT = ['#8a8781', '#f08b85', '#9ad9a5', '#efc979', '#a3bbff', '#d5b5ff', '#8ddadf', '#ffffff'];
const PAPER = '#211f1d';
const INK = '#dcd8d0';
const FAINT = '#96928a';
const FONT_SIZE = 13;
const CELL = 7.83;
const LINE = 19;
const EDGE = 18;
const ESCAPE = '\u001b';

/** Draws lines of text with their colours; `title` is what a reader hears instead of the picture. */
export function drawTerminal(printed, title) {
  const lines = printed.replace(/\s+$/, '').split('\n').map(readLine);
  const columns = Math.max(
    40,
    ...lines.map((runs) => runs.reduce((sum, { text }) => sum + widthOf(text), 0)),
  );
  const width = Math.ceil(columns * CELL + 2 * EDGE);
  const height = lines.length * LINE + 2 * EDGE;
  const rows = lines.map((runs, index) => drawRow(runs, EDGE + (index + 0.75) * LINE));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}">
<rect width="${width}" height="${height}" rx="8" fill="${PAPER}"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}" fill="${INK}">
${rows.filter(Boolean).join('\n')}
</g>
</svg>
`;
}

function drawRow(runs, y) {
  let column = 0;
  const parts = runs.map(({ text, style }) => {
    const x = (EDGE + column * CELL).toFixed(1);
    column += widthOf(text);
    if (text.trim() === '') return '';
    // The width is told, so that columns stand under each other in every font.
    const length = (widthOf(text) * CELL).toFixed(1);
    return `<tspan x="${x}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${attributesOf(style)}>${escapeXml(text)}</tspan>`;
  });
  const drawn = parts.join('');
  return drawn && `<text y="${y.toFixed(1)}" xml:space="preserve">${drawn}</text>`;
}

function attributesOf({ colour, isBold, isFaint }) {
  const fill = colour ?? (isFaint ? FAINT : undefined);
  return (fill ? ` fill="${fill}"` : '') + (isBold ? ' font-weight="bold"' : '');
}

/** The runs of one line that look alike. */
function readLine(line) {
  const runs = [];
  let style = {};
  const [first = '', ...rest] = line.split(`${ESCAPE}[`);
  if (first !== '') runs.push({ text: first, style });
  for (const piece of rest) {
    const end = piece.search(/[A-Za-z]/);
    if (piece[end] === 'm') style = applyCodes(style, piece.slice(0, end));
    const text = piece.slice(end + 1);
    if (text !== '') runs.push({ text, style });
  }
  return runs;
}

function applyCodes(style, codes) {
  let next = { ...style };
  for (const code of codes.split(';').map(Number)) {
    if (code === 0) next = {};
    else if (code === 1) next.isBold = true;
    else if (code === 2) next.isFaint = true;
    else if (code === 22) next = { ...next, isBold: false, isFaint: false };
    else if (code === 39) delete next.colour;
    else if (code >= 30 && code <= 37) next.colour = COLOURS[code - 30];
    else if (code >= 90 && code <= 97) next.colour = BRIGHT[code - 90];
  }
  return next;
}

function widthOf(text) {
  return [...text].length;
}

function escapeXml(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
