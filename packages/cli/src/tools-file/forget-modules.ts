// Lets a module be loaded again, with the files it imports. The runtime caches modules by their addresses, so each load
// needs new addresses. Installed packages and this package keep their addresses, because two copies of a package would
// not recognise each other.
import * as nodeModule from 'node:module';
import { sep } from 'node:path';
import { PACKAGE_NAME, listOwnEntryPoints } from './own-package.js';

const MARK = 'inboard-load';

interface HookContext {
  parentURL?: string;
}
interface Resolved {
  url: string;
}
interface HookingModule {
  registerHooks?: (hooks: {
    resolve: (
      specifier: string,
      context: HookContext,
      next: (specifier: string, context: HookContext) => Resolved,
    ) => Resolved;
  }) => unknown;
  register?: (url: string, options: { data: unknown }) => void;
}

let loads = 0;

/** Makes the next load evaluate the files again. Returns the ending that the address of the file to load must have. */
export function forgetModules(): string {
  if (loads === 0) passMarksOn();
  loads += 1;
  // `require` and jiti cache modules by the path of the file.
  const { cache } = nodeModule.createRequire(import.meta.url);
  for (const path of Object.keys(cache)) {
    if (!path.includes(`${sep}node_modules${sep}`)) Reflect.deleteProperty(cache, path);
  }
  return `?${MARK}=${loads}`;
}

// Gives every file that a marked file imports the same mark.
function passMarksOn(): void {
  const { registerHooks, register } = nodeModule as unknown as HookingModule;
  const own = listOwnEntryPoints()[PACKAGE_NAME]?.replace(/(?<![^/])[^/]*\/[^/]*$/, '') ?? '';
  if (registerHooks) {
    registerHooks({
      resolve: (specifier, context, next) => {
        const found = next(specifier, context);
        return { ...found, url: markUrl(found.url, { parent: context.parentURL, own, name: MARK }) };
      },
    });
  } else {
    register?.(`data:text/javascript,${encodeURIComponent(HOOK)}`, { data: { own, name: MARK } });
  }
}

// The function must not use anything outside itself, because the hook below contains its text.
function markUrl(
  url: string,
  { parent, own, name }: { parent: string | undefined; own: string; name: string },
): string {
  const [mark] = new RegExp(`${name}=\\d+`).exec(parent ?? '') ?? [];
  const isKept =
    !url.startsWith('file:') || url.includes('/node_modules/') || (own !== '' && url.startsWith(own));
  if (mark === undefined || isKept || url.includes(`${name}=`)) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${mark}`;
}

// The same hook as the text of a module, for Node 20, which runs hooks in a separate thread.
const HOOK = `
let given = {};
const mark = ${markUrl.toString()};
export function initialize(data) { given = data; }
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  return { ...found, url: mark(found.url, { ...given, parent: context.parentURL }) };
}
`;
