// Finds a person's prompts in the messages of a transcript. The messages also contain commands, the output of commands,
// and texts that programs put there.

/** The fields of a content block that are read here. */
interface Block {
  readonly type?: unknown;
  readonly text?: unknown;
}

/** The prompt in one message, and the command before it. Lists show the command of a session without a prompt. */
export interface PromptFinding {
  readonly prompt?: string;
  readonly command: string | undefined;
}

const MAX_LENGTH = 200;
// A text that begins with a tag comes from a program.
const NOT_A_PROMPT = /^(?:\s*<[a-z][\w-]*[\s>]|\[Request interrupted by user[^\]]*\])/;

/** Looks for a prompt in the content of a user message. A prompt is cut after 200 characters, but not a shell command. */
export function findPrompt(content: unknown): PromptFinding {
  let command: string | undefined;
  for (const text of listTexts(content)) {
    const line = text.replaceAll('\n', ' ').trim();
    if (line === '') continue;
    const named = findTagged(line, 'command-name');
    if (named !== undefined) {
      command ??= named || undefined;
      continue;
    }
    const shell = findTagged(line, 'bash-input');
    if (shell !== undefined) return { prompt: `! ${shell}`, command };
    if (!NOT_A_PROMPT.test(line)) return { prompt: shorten(line), command };
  }
  return { command };
}

/**
 * Whether a person sent a user message: text, a command for the model, a shell command, an image or a document. Other text
 * in tags counts only if the message is marked as human.
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
    // A command that becomes a prompt begins with its message. A command that only runs in the CLI begins with its name.
    if (line.startsWith('<command-message>')) return true;
    if (line.includes('<command-name>')) return false;
    return findTagged(line, 'bash-input') !== undefined || !NOT_A_PROMPT.test(line);
  });
}

/**
 * The text in the first element with this tag. This uses no regular expression, because that would read the rest of the
 * text again for each opening tag without a closing one.
 */
function findTagged(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`);
  if (start < 0) return undefined;
  const from = start + tag.length + 2;
  const end = text.indexOf(`</${tag}>`, from);
  return end < 0 ? undefined : text.slice(from, end);
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
  // The text must not end with half of a character.
  const whole = /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
  return `${whole.trim()}…`;
}
