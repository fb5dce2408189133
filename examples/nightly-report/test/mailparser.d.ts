// What the tests use of mailparser, which brings no types.
declare module 'mailparser' {
  export function simpleParser(
    source: Buffer,
  ): Promise<{ subject?: string; text?: string; html?: string | false }>;
}
