// How a CLI that was started with arguments ended, and what its parser complained of.

/** The exit code, whether stdout told of it, and how many lines went to stderr: texts are reworded. */
export function describeEnd({ code, stdout, stderr, isLate }) {
  if (isLate) return 'does not end';
  const results = stdout.split('\n').filter((line) => line.includes('"type":"result"')).length;
  return `exit ${code}${results > 0 ? ', with a result' : ''}${stderr.trim() === '' ? '' : ', told on stderr'}`;
}

/** What the parser of a CLI does not know, if that is what it ended with: a flag, or one value of a flag. */
export function readComplaint(stderr) {
  const text = /error: .*/.exec(stderr)?.[0];
  const unknown = /^error: unknown option '(--[\w-]+)/.exec(text ?? '');
  if (unknown) return { flag: unknown[1], value: undefined, text };
  const invalid =
    /^error: option '(?:-\w, )?(?:--[\w-]+, )*(--[\w-]+)[^']*' argument '(.*?)' is invalid/.exec(text ?? '');
  return invalid ? { flag: invalid[1], value: invalid[2], text } : undefined;
}
