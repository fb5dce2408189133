// Reads the text of one PDF in a thread of its own, which the thread that started it ends when it takes too much.
import { parentPort, workerData } from 'node:worker_threads';
import { getDocumentProxy } from 'unpdf';

type Work = { content: Uint8Array; mostPages: number; mostText: number };
const { content, mostPages, mostText } = workerData as Work;
const safely = { isEvalSupported: false, disableFontFace: true, useSystemFonts: false, verbosity: 0 };
try {
  const pdf = await getDocumentProxy(content, safely);
  let text = '';
  let pagesRead = 0;
  while (pagesRead < Math.min(pdf.numPages, mostPages) && text.length < mostText) {
    const { items } = await (await pdf.getPage((pagesRead += 1))).getTextContent();
    for (const item of items) if ('str' in item) text += `${item.str}${item.hasEOL ? '\n' : ''}`;
    text += '\n';
  }
  parentPort?.postMessage({ text: text.slice(0, mostText), pages: pdf.numPages, pagesRead });
} catch (error) {
  const { name, message } = error as Error;
  const isEncrypted = name === 'PasswordException';
  parentPort?.postMessage({ problem: isEncrypted ? 'is encrypted' : `is broken: ${message}` });
}
