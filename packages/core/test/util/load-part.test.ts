import { describe, expect, it } from 'vitest';
import { PartLoadError } from '../../src/errors.js';
import { loadPackage, loadPart } from '../../src/util/load-part.js';

const outcomeOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

/** An import that fails in turn with these, and then works. */
function failWith(...errors: unknown[]): () => Promise<string> {
  const waiting = [...errors];
  return async () => {
    if (waiting.length > 0) throw waiting.shift();
    return 'there';
  };
}

const systemError = (code: string): Error =>
  Object.assign(new Error(`${code}: open '/a.js'`), { code, path: '/a.js' });

describe('loadPart', () => {
  it('gives the module, also without a list of files', async () => {
    expect(await loadPart(failWith())).toBe('there');
    expect(await loadPart(failWith(), ['./part-1.js'])).toBe('there');
  });

  it('opens nothing where a bundler has moved the part', async () => {
    expect(await loadPart(failWith(), ['./gone-1.js', './gone-2.js'])).toBe('there');
  });

  it('opens the files where the part has its name, and asks for it only then', async () => {
    let asked = 0;
    const load = async (): Promise<string> => {
      asked += 1;
      // As in import("./gone-3.js").
      return './gone-3.js';
    };
    const text = 'async () => import("./gone-3.js")';
    load.toString = () => text;
    expect(await outcomeOf(loadPart(load, ['./gone-3.js']))).toMatchObject({
      code: 'PART_MISSING',
      retryable: true,
      file: expect.stringContaining('gone-3.js') as unknown,
    });
    expect(asked).toBe(0);
  });

  it('has one more try, and needs no other', async () => {
    expect(await loadPart(failWith(systemError('EMFILE')))).toBe('there');
  });

  it.each([
    ['EMFILE', 'TOO_MANY_OPEN_FILES', /ulimit -n/],
    ['ENFILE', 'TOO_MANY_OPEN_FILES', /ulimit -n/],
    ['ENOENT', 'PART_MISSING', /restart the program/],
    ['ERR_MODULE_NOT_FOUND', 'PART_MISSING', /restart the program/],
    ['EACCES', 'PART_UNREADABLE', /permissions/],
  ])('names the cause %s', async (cause, code, advice) => {
    const error = await outcomeOf(loadPart(failWith(systemError(cause), systemError(cause))));
    expect(error).toBeInstanceOf(PartLoadError);
    expect(error).toMatchObject({ code, file: '/a.js', retryable: true, cause: { code: cause } });
    expect((error as Error).message).toMatch(cause);
    expect((error as Error).message).toMatch(advice);
  });

  it('tells a failure that the runtime remembers: the very same error twice', async () => {
    const remembered = systemError('EMFILE');
    const error = await outcomeOf(loadPart(failWith(remembered, remembered)));
    expect(error).toMatchObject({ code: 'TOO_MANY_OPEN_FILES', retryable: false });
    expect((error as Error).message).toMatch(/remembers.*restart the program/);
  });

  it('keeps what was loaded, and nothing that failed', async () => {
    const files = ['./part-2.js'];
    const error = await outcomeOf(loadPart(failWith(systemError('EACCES'), systemError('EACCES')), files));
    expect(error).toBeInstanceOf(PartLoadError);
    expect(await loadPart(failWith(), files)).toBe('there');
    expect(await loadPart(failWith(systemError('EACCES'), systemError('EACCES')), files)).toBe('there');
  });
});

describe('loadPackage', () => {
  const some = { name: 'some', room: 2 };

  it('passes what the runtime says of a package of the user', async () => {
    const absent = Object.assign(new Error("Cannot find package 'some'"), { code: 'ERR_MODULE_NOT_FOUND' });
    expect(await outcomeOf(loadPackage(some, failWith(absent, absent)))).toBe(absent);
  });

  it('explains what is missing of its own', async () => {
    const absent = Object.assign(new Error("Cannot find package 'some'"), { code: 'ERR_MODULE_NOT_FOUND' });
    const again = Object.assign(new Error("Cannot find package 'some'"), { code: 'ERR_MODULE_NOT_FOUND' });
    const error = await outcomeOf(loadPackage({ ...some, isOwn: true }, failWith(absent, again)));
    expect(error).toMatchObject({ code: 'PART_MISSING', file: 'some', retryable: true });
  });

  it('explains a lack of descriptors', async () => {
    const error = await outcomeOf(loadPackage(some, failWith(systemError('EMFILE'), systemError('EMFILE'))));
    expect(error).toMatchObject({ code: 'TOO_MANY_OPEN_FILES', file: 'some', retryable: true });
  });
});
