// Encodes the data of a self-contained page. A program that makes such a page uses it, and so does a page that saves itself.
import { stringifyDeep } from '@inboard/core/util/deep-json.js';
import { cleanJson } from '@inboard/core/util/terminal-text.js';

/** Encodes data as JSON for a script element. No part of it can end the element, begin another one, or control a terminal. */
export function embedJson(data: unknown): string {
  return cleanJson(stringifyDeep(data) ?? 'null')
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('&', '\\u0026');
}
