// Finds what a person asked in the messages of a transcript: prompts are mixed with commands, their output, and texts
// that programs put there.

/** The fields of a content block that are read here. */
interface Block {
  readonly type?: unknown;
  readonly text?: unknown;
}

/** What one message contributes: a prompt, and the command before it, which lists fall back on. */
export interface PromptFinding {
  readonly prompt?: string;
  readonly command: string | undefined;
}

const MAX_LENGTH = 200;
const COMMAND = /<command-name>([\s\S]*?)<\/command-name>/;
const SHELL = /<bash-input>([\s\S]*?)<\/bash-input>/;
// Texts that begin with a tag come from programs.
const NOT_A_PROMPT = /^(?:\s*<[a-z][\w-]*[\s>]|\[Request interrupted by user[^\]]*\])/;

/** Looks for a prompt in the content of a user message; only its first 200 characters are kept. */
export function findPrompt(content: unknown): PromptFinding {
  let command: string | undefined;
  for (const text of listTexts(content)) {
    const line = text.replaceAll('\n', ' ').trim();
    if (line === '') continue;
    const named = COMMAND.exec(line);
    if (named) {
      command ??= named[1] || undefined;
      continue;
    }
    const shell = SHELL.exec(line);
    if (shell) return { prompt: `! ${shell[1] ?? ''}`, command };
    if (!NOT_A_PROMPT.test(line)) return { prompt: shorten(line), command };
  }
  return { command };
}

/**
 * Whether a user message is something a person sent: text, a command for the model, or an image. Text in tags counts
 * only when the message is marked as human.
 */
export function isSentByPerson(content: unknown, { isHuman }: { isHuman: boolean }): boolean {
  if (Array.isArray(content)) {
    if (content.some((block: Block | null) => block?.type === 'tool_result')) return false;
    if (content.some((block: Block | null) => block?.type === 'image' || block?.type === 'document')) {
      return true;
    }
  }
  return listTexts(content).some((text) => {
    const line = text.trim();
    if (line === '' || isHuman) return line !== '';
    // A command that becomes a prompt begins with its message, one that only runs here with its name.
    if (line.startsWith('<command-message>')) return true;
    if (line.includes('<command-name>')) return false;
    return SHELL.test(line) || !NOT_A_PROMPT.test(line);
  });
}

function listTexts(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: Block | null) =>
    block?.type === 'text' && typeof block.text === 'string' ? [block.text] : [],
  );
}

function shorten(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const cut = text.slice(0, MAX_LENGTH);
  // Half of a character must not be left over.
  const whole = /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
  return `${whole.trim()}…`;
}
