// PDFs from strangers: their text, and nothing that holds the program up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPdf } from '../src/pdf.ts';
import { bombOf, encryptedPdf, pdfOf } from './support/pdfs.ts';

test('The text of a PDF is read, of the first fifty pages', async () => {
  const one = await readPdf('note.pdf', pdfOf('Due on 14 December'));
  assert.deepEqual(one, { text: 'Due on 14 December', pages: 1, pagesRead: 1 });
  const { pages, pagesRead } = await readPdf('long.pdf', pdfOf('again', 60));
  assert.deepEqual([pages, pagesRead], [60, 50]);
});

test('A PDF that is broken, encrypted, or unpacks without end is a clear error', async () => {
  const cases = [
    [
      'broken.pdf',
      Buffer.from('%PDF-1.7\nnothing else'),
      /^broken\.pdf is broken: .*; ask for another copy$/,
    ],
    ['secret.pdf', encryptedPdf(), /^secret\.pdf is encrypted; ask for another copy$/],
    ['bomb.pdf', bombOf(600_000_000), /^bomb\.pdf .*(memory|long)/],
  ] as const;
  for (const [name, content, message] of cases)
    await assert.rejects(
      readPdf(name, content),
      (error: Error) => message.test(error.message) || assert.fail(error.message),
    );
});
