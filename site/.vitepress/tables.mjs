// Tables: a wide one scrolls in a box of its own, columns of sentences keep room to be read, and long names may break.

// A column with a cell longer than this has sentences; a name longer than that would set the width of its column alone.
const SENTENCE = 64;
const NAME = 20;
// With fewer columns there is room enough, on a phone as well.
const MANY_COLUMNS = 4;

/** Teaches a `markdown-it` the tables of the site. */
export function addTables(md) {
  md.renderer.rules.table_open = () => '<div class="table-box"><table>\n';
  md.renderer.rules.table_close = () => '</table></div>\n';
  const { code_inline: plain } = md.renderer.rules;
  md.renderer.rules.code_inline = (tokens, index, options, env, self) => {
    const html = plain(tokens, index, options, env, self);
    return tokens[index].meta?.breaks === true ? markBreaks(html) : html;
  };
  md.core.ruler.push('tables', (state) => {
    let cells = [];
    for (const [index, token] of state.tokens.entries()) {
      if (token.type === 'table_open') cells = [];
      if (token.type === 'tr_open') cells.push([]);
      if (token.type === 'th_open' || token.type === 'td_open') {
        const words = state.tokens[index + 1];
        cells.at(-1).push({ open: token, length: lengthOf(words), content: words.content });
        // Search indexes names as they are.
        if (state.env.forSearch !== true) allowBreaks(words);
      }
      if (token.type === 'table_close') {
        widenSentences(cells);
        if (state.env.relativePath?.startsWith('reference/')) nameCells(cells);
      }
    }
  });
}

function widenSentences(rows) {
  const columns = rows[0].length;
  if (columns < MANY_COLUMNS) return;
  for (let column = 0; column < columns; column += 1) {
    const cells = rows.map((row) => row[column]);
    if (cells.some(({ length }) => length > SENTENCE))
      for (const { open } of cells) open.attrJoin('class', 'sentences');
  }
}

// On a phone the cells of the reference stand below each other, and the head is gone: each says which it is.
function nameCells([head, ...rows]) {
  if (head.length < MANY_COLUMNS) return;
  for (const row of rows)
    for (const [column, { open }] of row.entries()) open.attrSet('data-column', head[column].content);
}

function lengthOf({ children }) {
  return children.reduce((sum, { content }) => sum + content.length, 0);
}

function allowBreaks({ children }) {
  for (const token of children)
    if (token.type === 'code_inline' && token.content.length > NAME && !token.content.includes(' '))
      token.meta = { ...token.meta, breaks: true };
}

// After the marks between words, and before the capital that begins one; never inside an entity or a tag.
function markBreaks(html) {
  return html.replace(/>[^<]+</g, (text) =>
    text.replace(/&\w+;|[_./,](?=\w)|[a-z\d](?=[A-Z])/g, (mark) =>
      mark.startsWith('&') ? mark : `${mark}<wbr>`,
    ),
  );
}
