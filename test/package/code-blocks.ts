// Finds the fenced code in a Markdown text.

export interface CodeBlock {
  /** The first word behind the fence, e.g. `ts`; empty when there is none. */
  language: string;
  code: string;
  /** Where the code begins in the text, from 1. */
  line: number;
}

/** Every fenced block in order. A fence that is never closed throws, as it swallows the rest of the page. */
export function readCodeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { fence: string; indent: string; block: CodeBlock } | undefined;
  for (const [index, line] of markdown.split(/\r?\n/).entries()) {
    const match = /^(\s*)(`{3,}|~{3,})\s*(\S*)/.exec(line);
    const [, indent = '', fence = '', language = ''] = match ?? [];
    if (open === undefined) {
      if (match) open = { fence, indent, block: { language, code: '', line: index + 2 } };
    } else if (match && language === '' && fence.startsWith(open.fence)) {
      blocks.push(open.block);
      open = undefined;
    } else {
      // In a list the whole block is indented.
      open.block.code += `${line.startsWith(open.indent) ? line.slice(open.indent.length) : line}\n`;
    }
  }
  if (open !== undefined) throw new Error(`The code that begins in line ${open.block.line} has no end`);
  return blocks;
}

/** Whether blocks of this language are programs. */
export function isProgramLanguage(language: string): boolean {
  return /^(?:ts|js|mjs|typescript|javascript)$/.test(language);
}

/** The file name in the first line of a block that others import, such as `// tools.ts`; undefined for any other block. */
export function readBlockName({ code }: CodeBlock): string | undefined {
  return /^\/\/ ([\w-]+(?:\.\w+)*\.(?:ts|tsx|js|mjs))\n/.exec(code)?.[1];
}
