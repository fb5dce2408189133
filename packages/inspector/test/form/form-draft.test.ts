// Drafts of forms: what is typed becomes a value, and nothing that is typed is lost.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findVariant } from '../../src/model/form/check-value.js';
import { readFieldText, writeText } from '../../src/model/form/field-text.js';
import {
  createDraft,
  readDraft,
  withField,
  withForm,
  withJson,
  withMovedItem,
  withoutField,
  withRevealed,
  withFieldText,
  type FormDraft,
} from '../../src/model/form/form-draft.js';
import { readShape } from '../../src/model/form/form-shape.js';
import type { ValuePath } from '../../src/stream/question.js';
import { propertyOptions } from '../../../../test/support/seed.js';

const TEXT = readShape({ type: 'string' }, {});
const NUMBER = readShape({ type: 'number' }, {});
const INTEGER = readShape({ type: 'integer', minimum: 1 }, {});

const type = (
  draft: FormDraft,
  path: ValuePath,
  text: string,
  shape = NUMBER,
  isOptional = false,
): FormDraft => withFieldText(draft, { path, shape, text, isOptional });

describe('a value in a form', () => {
  it('is the same when every field is written again', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 3 })), (fields) => {
        const value = JSON.parse(JSON.stringify(fields)) as Record<string, unknown>;
        const typed = retype(createDraft(value), [], value);
        expect(readDraft(typed, undefined)).toMatchObject({ edits: [], issues: [] });
        expect(typed.value).toEqual(value);
      }),
      propertyOptions(150),
    );
  });

  it('is the same after a visit to JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 3 })), (fields) => {
        const value = JSON.parse(JSON.stringify(fields)) as Record<string, unknown>;
        expect(withForm(withJson(createDraft(value)))?.value).toEqual(value);
      }),
      propertyOptions(100),
    );
  });
});

describe('a draft', () => {
  it('keeps what is typed while it is no number, and says what it must be', () => {
    const draft = type(createDraft({ n: 4 }), ['n'], 'four', INTEGER);
    expect(readDraft(draft, undefined)).toMatchObject({
      value: { n: 4 },
      issues: [{ path: ['n'], message: 'must be a whole number' }],
    });
    expect(draft.texts['["n"]']?.text).toBe('four');
    expect(readDraft(type(draft, ['n'], '5', INTEGER), undefined)).toMatchObject({
      edits: [{ path: ['n'], value: 5 }],
      issues: [],
    });
  });

  it('keeps the point of a number that is being typed', () => {
    const draft = type(createDraft({ n: 1 }), ['n'], '1.');
    expect(draft.texts['["n"]']).toEqual({ text: '1.', message: undefined });
    expect(readDraft(draft, undefined).issues).toEqual([]);
    expect(type(draft, ['n'], '1.5')).toMatchObject({ value: { n: 1.5 }, texts: {} });
  });

  it.each([
    ['9007199254740993', /digits/],
    ['0', /at least 1/],
    ['1.5', /whole/],
    ['', /whole/],
  ])('refuses %j for a whole number', (text, message) => {
    const read = readFieldText(INTEGER, text);
    expect(read.ok ? '' : read.message).toMatch(message);
  });

  it('takes an optional field away when its text is emptied, and not a needed text', () => {
    expect(type(createDraft({ a: 'x' }), ['a'], '', TEXT, true).value).toEqual({});
    expect(type(createDraft({ a: 'x' }), ['a'], '', TEXT).value).toEqual({ a: '' });
    expect(type(createDraft({ a: 1 }), ['a'], '').value).toEqual({});
  });

  it('does not lose an item of a list that is emptied', () => {
    const draft = type(createDraft({ list: [1, 2] }), ['list', 0], '');
    expect(draft.value).toEqual({ list: [1, 2] });
    expect(readDraft(draft, undefined).issues).toEqual([{ path: ['list', 0], message: 'must be a number' }]);
  });

  it('moves texts along with their items', () => {
    const draft = type(createDraft({ list: [1, 2, 3] }), ['list', 2], 'x');
    expect(Object.keys(withoutField(draft, ['list', 0]).texts)).toEqual(['["list",1]']);
    expect(withMovedItem(draft, ['list', 2], -1)).toMatchObject({
      value: { list: [1, 3, 2] },
      texts: { '["list",1]': { text: 'x' } },
    });
    expect(withMovedItem(draft, ['list', 0], -1)).toBe(draft);
  });

  it('says where its JSON is wrong, and does not leave it then', () => {
    const draft = withJson(createDraft({ a: 1 }), '{"a": 1,\n}');
    expect(readDraft(draft, undefined).mistake).toMatchObject({ line: 2, column: 1 });
    expect(withForm(draft)).toBeUndefined();
    expect(readDraft(withJson(draft, '[]'), undefined).issues).toEqual([
      { path: [], message: 'must be an object' },
    ]);
  });

  it('checks by the schema', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
    expect(readDraft(createDraft({}), schema).issues).toEqual([{ path: ['a'], message: 'is required' }]);
  });
});

describe('a hidden value', () => {
  const hidden: ValuePath[] = [['token']];
  const shown = { token: '[redacted]', to: 'Ada' };

  it('cannot be edited, and is no mistake by itself', () => {
    const schema = { type: 'object', properties: { token: { type: 'string', maxLength: 3 } } };
    const draft = createDraft(shown, hidden);
    expect(readDraft(draft, schema).issues).toEqual([]);
    expect(readDraft(withField(draft, ['token'], 'mine'), schema).issues).toEqual([
      { path: ['token'], message: 'is redacted: reveal it before you change it' },
    ]);
    expect(readDraft(withJson(draft, '{"to":"Bo"}'), schema).issues).toHaveLength(1);
    expect(readDraft(withField(draft, ['to'], 'Bo'), schema)).toMatchObject({
      edits: [{ path: ['to'], value: 'Bo' }],
      issues: [],
    });
  });

  it('can be edited once it is revealed; what was edited before stays', () => {
    const edited = withField(createDraft(shown, hidden), ['to'], 'Bo');
    const revealed = withRevealed(edited, { token: 'secret', to: 'Ada' });
    expect(revealed.value).toEqual({ token: 'secret', to: 'Bo' });
    expect(readDraft(withField(revealed, ['token'], 'mine'), undefined).edits).toEqual([
      { path: ['token'], value: 'mine' },
      { path: ['to'], value: 'Bo' },
    ]);
  });

  it('is revealed in JSON too, and half of a JSON text is kept', () => {
    const draft = withJson(createDraft(shown, hidden));
    const real = { token: 'secret', to: 'Ada' };
    expect(withRevealed(draft, real).json).toContain('"secret"');
    expect(withRevealed(withJson(draft, '{"to": '), real).json).toBe('{"to": ');
  });
});

/** Writes every field's own text into it, the way the page would. */
function retype(draft: FormDraft, path: ValuePath, value: unknown): FormDraft {
  const shape = readShape(undefined, undefined, value);
  if (shape.kind === 'object' || shape.kind === 'list') {
    return Object.entries(value as object).reduce(
      (now, [key, part]) => retype(now, [...path, shape.kind === 'list' ? Number(key) : key], part),
      draft,
    );
  }
  expect(findVariant([{ schema: shape.schema }], value, {})).toBe(0);
  return withFieldText(draft, { path, shape, text: writeText(shape, value), isOptional: false });
}
