// Checks the argument of a function that takes a prompt. A program without types may pass nothing, a bare text, or an object
// without a prompt. A CLI started for such a call would wait for input forever.
import { InvalidOptionsError } from '../../errors.js';
import { createPromptError, type Prompt } from '../../live/input/prompt-source.js';
import { warnOfMisplacedOptions } from '../../options/check/misplaced-options.js';
import { isRecord } from '../../util/guards.js';

/** Returns the prompt and the options of a call. Throws an InvalidOptionsError for anything but an object with a prompt. */
export function readQueryInput<Given extends object>(
  call: string,
  input: { prompt: Prompt; options?: Given | undefined },
): { prompt: Prompt; options: Given } {
  const given: unknown = input;
  if (!isRecord(given)) {
    const example = JSON.stringify(typeof given === 'string' ? given.slice(0, 40) : '…');
    throw new InvalidOptionsError(
      ['prompt'],
      `${call}() takes one object, as in ${call}({ prompt: ${example} }); it was given ${given === undefined ? 'nothing' : describe(given)}`,
    );
  }
  warnOfMisplacedOptions(call, given);
  const { prompt, options } = given;
  if (prompt === undefined) throw createPromptError(prompt);
  if (options !== undefined && options !== null && !isRecord(options)) {
    throw new InvalidOptionsError(['options'], `"options" must be an object, not ${describe(options)}`);
  }
  return { prompt: prompt as Prompt, options: (options ?? {}) as Given };
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  return value === null ? 'null' : `a ${typeof value}`;
}
