// Names the files of results as the CLI does, and collects their data. The code that writes the transcript entry writes
// the files.
import { join } from 'node:path';
import { rewriteName } from '../../answer/mcp/tool/tool-name.js';
import { digest } from '../../util/digest.js';
import { clock } from '../../util/system/clock.js';
import type { ResultFile, ResultPlace } from './shown-result.js';

// The extensions that 2.1.325 was seen to use. Every other type gets `bin`.
const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/javascript': 'js',
  'application/json': 'json',
  'application/msword': 'doc',
  'application/pdf': 'pdf',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/wasm': 'wasm',
  'application/xml': 'xml',
  'application/zip': 'zip',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'font/ttf': 'ttf',
  'font/woff': 'woff',
  'font/woff2': 'woff2',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/vnd.microsoft.icon': 'ico',
  'image/webp': 'webp',
  'image/x-icon': 'ico',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/javascript': 'js',
  'text/markdown': 'md',
  'text/plain': 'txt',
  'text/xml': 'xml',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
};

/** A media type without parameters and in lower case. */
export function plainType(mimeType: string | undefined): string {
  return (mimeType ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/** Collects the files of one result. If `place.at` is given, the names are the same each time for the same call. */
export class ResultFiles {
  readonly list: ResultFile[] = [];
  readonly #place: ResultPlace;
  readonly #at: number;

  constructor(place: ResultPlace) {
    this.#place = place;
    this.#at = place.at ?? clock.Date.now();
  }

  /** Saves binary content. Returns the path, or undefined if the session keeps no files. */
  saveBinary(data: Buffer, mimeType: string | undefined): string | undefined {
    const extension = EXTENSIONS[plainType(mimeType)] ?? 'bin';
    return this.#save(`${this.#prefix()}-blob-${this.#at}-${this.#mark()}.${extension}`, data);
  }

  /**
   * Saves a result that has too many tokens. The name of the file gets a mark that depends on the call, because two
   * results may end in the same millisecond. The CLI itself adds no mark.
   */
  saveOversized(data: string): string | undefined {
    const tool = rewriteName(this.#place.tool);
    return this.#save(`${this.#prefix()}-${tool}-${this.#at}-${this.#mark()}.txt`, data);
  }

  /** Saves a result that is too long, under the call's own id. */
  saveLong(data: string, extension: 'json' | 'txt'): string | undefined {
    // The id comes from a transcript. It is rewritten so that the path cannot lead out of the folder.
    return this.#save(`${rewriteName(this.#place.toolUseId)}.${extension}`, data);
  }

  #prefix(): string {
    return `mcp-${rewriteName(this.#place.server)}`;
  }

  #mark(): string {
    const hash = digest(`${this.#place.toolUseId}\n${this.list.length}`);
    return Number.parseInt(hash.slice(0, 12), 16).toString(36).padStart(6, '0').slice(-6);
  }

  #save(name: string, data: Buffer | string): string | undefined {
    const folder = this.#place.resultsFolder;
    if (folder === undefined) return undefined;
    const path = join(folder, name);
    this.list.push({ path, data });
    return path;
  }
}
