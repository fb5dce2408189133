// Loads the official library of the Agent Client Protocol. The library is an optional peer dependency, and is loaded only when
// an agent is served. Only its stable entry point is used.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type * as Library from '@agentclientprotocol/sdk';
import { AcpError, PartLoadError } from '@inboard/core/errors.js';
import { loadPackage } from '@inboard/core/util/load-part.js';
import { messageOf } from '@inboard/core/util/message-of.js';

/** The part of `@agentclientprotocol/sdk` that is used here. */
export type AcpLibrary = Pick<
  typeof Library,
  'agent' | 'methods' | 'ndJsonStream' | 'PROTOCOL_VERSION' | 'RequestError'
>;

const NAME = '@agentclientprotocol/sdk';
/** How many free file descriptors loading needs: the number measured on Node 20 for the library with zod, and some more. */
const ROOM = 96;
const INSTALL = `npm install ${NAME}@^2.4.0 zod`;

/**
 * Loads the library. If a file is given, its project is tried first, and then the folder of this package. Throws an AcpError
 * with the install command, or a PartLoadError.
 */
export async function loadAcpLibrary(file?: string): Promise<AcpLibrary> {
  const failures: unknown[] = [];
  for (const load of [...(file === undefined ? [] : [() => loadFrom(file)]), loadOwn]) {
    try {
      return checkLibrary(await load());
    } catch (error) {
      failures.push(error);
    }
  }
  const broken = failures.find((error) => !isMissing(error));
  if (broken instanceof AcpError || broken instanceof PartLoadError) throw broken;
  throw broken === undefined
    ? new AcpError(
        'ACP_LIBRARY_MISSING',
        `Serving editors needs the library ${NAME}, which is not installed. Install it with "${INSTALL}".`,
        { cause: failures[0] },
      )
    : new AcpError(
        'ACP_LIBRARY_BROKEN',
        `The library ${NAME} could not be loaded: ${messageOf(broken)}. Install it again with "${INSTALL}".`,
        { cause: broken },
      );
}

async function loadFrom(file: string): Promise<unknown> {
  return loadPackage(
    { name: NAME, room: ROOM },
    async () => import(pathToFileURL(createRequire(file).resolve(NAME)).href),
  );
}

async function loadOwn(): Promise<unknown> {
  return loadPackage({ name: NAME, room: ROOM }, () => import('@agentclientprotocol/sdk'));
}

// The library had other names before version 2.
function checkLibrary(library: unknown): AcpLibrary {
  const { agent, ndJsonStream } = library as Partial<AcpLibrary>;
  if (typeof agent === 'function' && typeof ndJsonStream === 'function') return library as AcpLibrary;
  throw new AcpError(
    'ACP_LIBRARY_BROKEN',
    `The installed version of ${NAME} is not one that works here. Install it with "${INSTALL}".`,
  );
}

// Whether the library itself is missing. If only zod is missing, the message of the error names zod instead.
function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  const isAbsent = code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND';
  return isAbsent && messageOf(error).includes(`'${NAME}'`);
}
