// Reads the text of one PDF in a thread of its own, which is ended when it takes too much.
import { parentPort, workerData } from 'node:worker_threads';
import { getDocumentProxy } from 'unpdf';

const [content, mostPages] = workerData as [Uint8Array, number];
try {
  const pdf = await getDocumentProxy(content, { isEvalSupported: false, verbosity: 0 });
  const pages: string[] = [];
  while (pages.length < Math.min(pdf.numPages, mostPages)) {
    const { items } = await (await pdf.getPage(pages.length + 1)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''));
  }
  parentPort?.postMessage({ text: pages.join('\n\n'), pages: pdf.numPages, pagesRead: pages.length }, []);
} catch (error) {
  const { name, message } = error as Error;
  const problem = name === 'PasswordException' ? 'is encrypted' : `is broken: ${message}`;
  parentPort?.postMessage({ problem }, []);
}
