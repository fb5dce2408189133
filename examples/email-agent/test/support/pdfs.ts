// PDFs for tests, written by hand: a page of text, one that unpacks to far more than it has, a broken and an encrypted one.
import { deflateSync } from 'node:zlib';

type Parts = { objects: (string | Buffer)[]; trailer?: string };

function assemble({ objects, trailer = '' }: Parts): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  const length = () => parts.reduce((sum, part) => sum + part.length, 0);
  for (const [index, object] of objects.entries()) {
    offsets.push(length());
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object as string), Buffer.from('\nendobj\n'));
  }
  const at = length();
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const size = objects.length + 1;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF`;
  parts.push(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}${end}`));
  return Buffer.concat(parts);
}

function withContent(pages: number, stream: Buffer, trailer = '', more: string[] = []): Buffer {
  const kids = Array.from({ length: pages }, (_, index) => `${index + 5} 0 R`).join(' ');
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F 3 0 R >> >> >>';
  return assemble({
    objects: [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      stream,
      ...Array.from({ length: pages }, () => page),
      ...more,
    ],
    trailer,
  });
}

const raw = (content: Buffer, filter = '') =>
  Buffer.concat([
    Buffer.from(`<< /Length ${content.length} ${filter} >>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ]);

export const pdfOf = (text: string, pages = 1): Buffer =>
  withContent(pages, raw(Buffer.from(`BT /F 12 Tf 50 700 Td (${text}) Tj ET`)));

/** Some kilobytes that unpack to `bytes`, twice over. */
export const bombOf = (bytes: number): Buffer =>
  withContent(
    1,
    raw(
      deflateSync(deflateSync(Buffer.alloc(bytes, ' '), { level: 1 })),
      '/Filter [/FlateDecode /FlateDecode]',
    ),
  );

export const encryptedPdf = (): Buffer => {
  const key = 'ab'.repeat(32);
  const encrypt = `<< /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >>`;
  return withContent(1, raw(Buffer.from('BT ET')), `/Encrypt 6 0 R /ID [<${key}> <${key}>]`, [encrypt]);
};
