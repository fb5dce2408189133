// What `createApprovals` is called with: whatever it would ignore left a queue in memory, which no other process can answer.
import { describe, expect, it } from 'vitest';
import { createApprovals } from '../../../../src/answer/permissions/approvals/approvals.js';
import { createMemoryApprovalStore } from '../../../../src/answer/permissions/approvals/memory-approval-store.js';
import { createFileApprovalStore } from '@inboard/inboard/index.js';
import { InvalidOptionsError } from '../../../../src/errors.js';

const create = createApprovals as (...given: unknown[]) => { close: () => void };
const store = createMemoryApprovalStore();
const half = { ...store, list: undefined, watch: undefined };

describe('createApprovals', () => {
  it.each<[string, unknown[], RegExp]>([
    ['a store', [store], /takes the store in an object, not by itself: createApprovals\(\{ store: /],
    ['a store in files', [createFileApprovalStore('/nowhere')], /takes the store in an object/],
    ['a promise', [Promise.resolve({ store })], /got a promise\. Await it/],
    ['a misspelt option', [{ stroe: store }], /has no option "stroe"\. Did you mean "store"\?/],
    ['another option', [{ folder: 'x' }], /Its options are "store", "keepAnsweredMs"/],
    ['a second argument', [undefined, { store }], /would ignore the second/],
    ['a folder', ['/approvals'], /takes an object, not a string/],
    ['null', [null], /takes an object, not null/],
    ['a list', [[store]], /takes an object, not a list/],
    [
      'a folder as store',
      [{ store: '/approvals' }],
      /"store".* must be a store, not a string: createApprovals/,
    ],
    ['null as store', [{ store: null }], /must be a store, not null/],
    ['no store', [{ store: {} }], /has no method "put", "answer", "get", "list", "remove", "watch"/],
    ['half a store', [{ store: half }], /has no method "list", "watch"/],
    ['a promise of a store', [{ store: Promise.resolve(store) }], /"store".* is a promise\. Await it/],
    ['a text as time', [{ keepAnsweredMs: '5' }], /"keepAnsweredMs".* must be a number/],
    ['no number as time', [{ keepAnsweredMs: NaN }], /"keepAnsweredMs"/],
    ['less than no time', [{ keepAnsweredMs: -1 }], /"keepAnsweredMs"/],
  ])('refuses %s', (_what, given, message) => {
    expect(() => create(...given)).toThrow(InvalidOptionsError);
    expect(() => create(...given)).toThrow(message);
  });

  it.each<[string, unknown[]]>([
    ['nothing', []],
    ['undefined', [undefined]],
    ['an empty object', [{}]],
    ['options that are undefined', [{ store: undefined, keepAnsweredMs: undefined }]],
    ['a store', [{ store }]],
    ['a copy of a store', [{ store: { ...createFileApprovalStore('/nowhere') } }]],
    ['an answer for ever', [{ keepAnsweredMs: Infinity }]],
    ['none kept', [{ keepAnsweredMs: 0 }]],
    ['the index that map gives', [{ store }, 0, []]],
  ])('takes %s', (_what, given) => {
    create(...given).close();
  });
});
