// What is written on cards comes back after a reload, except what must not be written down.
import { describe, expect, it } from 'vitest';
import { createDraft, withField, withRevealed } from '../../src/model/form/form-draft.js';
import type { CardDraft } from '../../src/page/cards/card-draft-type.js';
import { keepDraft, restoreDraft } from '../../src/page/cards/kept-drafts.js';
import type { Question } from '../../src/stream/question.js';

const question: Question = {
  id: 'q1',
  session: 'one',
  kind: 'permission',
  subject: 'send_mail',
  title: 'send_mail wants to run',
  input: { to: 'ines', token: '[redacted]' },
  hidden: [['token']],
  suggestions: [],
  askedAt: 1000,
  attempt: 1,
  canAnswer: true,
};
const begin = (): CardDraft => ({
  form: createDraft(question.input, question.hidden),
  picks: {},
  remember: [],
  value: '',
  isDenying: false,
  reason: '',
  stopsTurn: false,
  isTried: false,
  state: 'open',
  error: undefined,
});

function makeTab() {
  const texts = new Map<string, string>();
  const storage = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, value: string) => void texts.set(key, value),
  };
  return { kept: () => storage, written: () => [...texts.values()].join() };
}

describe('drafts of cards', () => {
  it('come back with what was edited and said', () => {
    const { kept } = makeTab();
    const draft = { ...begin(), form: withField(begin().form, ['to'], 'otto'), reason: 'Not now' };
    keepDraft(kept, question, draft, [question]);
    const again = restoreDraft(kept, question, begin());
    expect(again.form.value).toEqual({ to: 'otto', token: '[redacted]' });
    expect(again.reason).toBe('Not now');
    // Another question under the same id is another question.
    expect(restoreDraft(kept, { ...question, askedAt: 2000 }, begin())).toEqual(begin());
  });

  it('never hold what was revealed, and drop what was kept of the form before', () => {
    const { kept, written } = makeTab();
    const revealed = withRevealed(begin().form, { to: 'ines', token: 'sk-very-secret' });
    const moved = withField(revealed, ['to'], 'sk-very-secret');
    keepDraft(kept, question, { ...begin(), form: withField(begin().form, ['to'], 'otto') }, [question]);
    keepDraft(kept, question, { ...begin(), form: moved, reason: 'Later' }, [question]);
    expect(written()).not.toContain('sk-very-secret');
    expect(restoreDraft(kept, question, begin())).toEqual({ ...begin(), reason: 'Later' });
  });

  it('never hold what a server asks for, which may be a password', () => {
    const { kept, written } = makeTab();
    const asked: Question = { ...question, kind: 'elicitation', input: {}, hidden: [] };
    const form = withField(createDraft({}, []), ['password'], 'swordfish');
    keepDraft(kept, asked, { ...begin(), form, reason: 'Not now' }, [asked]);
    expect(written()).toContain('Not now');
    expect(written()).not.toContain('swordfish');
  });

  it('are forgotten once answered, or when nobody waits for them any more', () => {
    const { kept, written } = makeTab();
    const other = { ...question, id: 'q2' };
    keepDraft(kept, question, { ...begin(), reason: 'first' }, [question, other]);
    keepDraft(kept, other, { ...begin(), reason: 'second' }, [other]);
    expect(written()).not.toContain('first');
    keepDraft(kept, other, { ...begin(), reason: 'second', state: 'sent' }, [other]);
    expect(written()).toBe('{}');
  });

  it('do without a storage that cannot be used or read', () => {
    const refuses = () => {
      throw new Error('denied');
    };
    keepDraft(refuses, question, begin(), [question]);
    expect(restoreDraft(refuses, question, begin())).toEqual(begin());
    const broken = () => ({ getItem: () => '[nonsense', setItem: () => undefined });
    expect(restoreDraft(broken, question, begin())).toEqual(begin());
  });
});
