// The files of the built page: which are read, and how they are served.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readPageAssets, serveAsset } from '../../src/server/page-assets.js';

function createFolder(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'inboard-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), gzipSync(text));
  return folder;
}

const WHOLE = { 'whole.js.gz': 'whole', 'page.js.gz': 'page', 'page.css.gz': 'style' };

describe('the files of the page', () => {
  it('are the compressed ones, and the script of a self-contained page is not served', () => {
    const { script, style, served } = readPageAssets(
      createFolder({ ...WHOLE, 'part.js.gz': 'part', 'page.js.map': '{}', 'gz.txt': '' }),
    );
    expect([script, style]).toEqual(['whole', 'style']);
    expect([...served.keys()].sort()).toEqual(['page.css', 'page.js', 'part.js']);
    expect(served.get('part.js')).toEqual(gzipSync('part'));
  });

  it.each(Object.keys(WHOLE))('are missed where %s is not there', (name) => {
    const folder = createFolder(Object.fromEntries(Object.entries(WHOLE).filter(([each]) => each !== name)));
    expect(() => readPageAssets(folder)).toThrow(
      expect.objectContaining({
        code: 'INSPECTOR_PAGE_MISSING',
        message: expect.stringContaining(folder) as string,
        cause: expect.objectContaining({ message: `${name} is missing` }) as Error,
      }) as Error,
    );
  });
});

describe('a file of the page', () => {
  const serve = serveAsset('text/css', gzipSync('a{}'));
  const ask = (headers: IncomingMessage['headers']) => serve({ headers } as IncomingMessage);

  it('is sent as it lies there to who can unpack it, and unpacked to others', () => {
    expect(ask({ 'accept-encoding': 'br, gzip' })).toMatchObject({
      status: 200,
      type: 'text/css',
      body: gzipSync('a{}'),
      headers: { 'content-encoding': 'gzip', vary: 'accept-encoding', 'cache-control': 'no-cache' },
    });
    for (const headers of [{}, { 'accept-encoding': 'notgzip' }]) {
      const plain = ask(headers);
      expect([String(plain.body), plain.headers?.['content-encoding']]).toEqual(['a{}', undefined]);
    }
  });

  it('is not sent again to who has it', () => {
    const etag = String(ask({}).headers?.['etag']);
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    expect(ask({ 'if-none-match': etag })).toMatchObject({ status: 304, body: '', headers: { etag } });
    expect(ask({ 'if-none-match': '"another"' }).status).toBe(200);
    expect(
      serveAsset('text/css', gzipSync('b{}'))({ headers: {} } as IncomingMessage).headers?.['etag'],
    ).not.toBe(etag);
  });
});
