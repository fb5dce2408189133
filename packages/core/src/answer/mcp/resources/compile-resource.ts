// Makes resources ready to be listed, found by their uri, and read.
import { InvalidOptionsError } from '../../../errors.js';
import { withoutUndefined } from '../../../util/without-undefined.js';
import type { Completer } from '../prompts/completers.js';
import type {
  RegisteredResourceEntry,
  ResourceDefinition,
  ResourceTemplateExtras,
  UriTemplate,
} from './resources.js';
import { compileUriTemplate, isUriTemplate } from './uri-template.js';

/** Makes a resource ready for a server. Throws an InvalidOptionsError for a wrong definition. */
export function compileResource(definition: ResourceDefinition): RegisteredResourceEntry {
  const { name, uri, read, list, complete = {}, ...metadata } = definition;
  if (typeof name !== 'string' || name === '') {
    throw new InvalidOptionsError(['name'], 'A resource needs a name: a string that is not empty');
  }
  if (typeof read !== 'function') {
    throw new InvalidOptionsError(['read'], `The resource "${name}" needs a function: pass it as "read"`);
  }
  const entry = { read, enabled: true };
  if (typeof uri !== 'string') {
    const text = uri.uriTemplate.toString();
    return {
      ...entry,
      listing: { uri: text, name, ...metadata },
      isTemplate: true,
      match: (candidate) => uri.uriTemplate.match(candidate),
      list: list ?? readForeignList(uri),
      findCompleter: (variable) =>
        complete[variable] ?? (uri.completeCallback?.(variable) as Completer | undefined),
    };
  }
  const isTemplate = isUriTemplate(uri);
  if (!isTemplate) checkUri(uri, name);
  const template = isTemplate ? compileUriTemplate(uri) : undefined;
  checkTemplateExtras({ name, uri, list, complete: Object.keys(complete), names: template?.names ?? [] });
  return {
    ...entry,
    listing: { uri, name, ...withoutUndefined(metadata) },
    isTemplate,
    match: template
      ? (candidate) => template.match(candidate)
      : (candidate) => (candidate === uri ? {} : null),
    list,
    findCompleter: (variable) => (Object.hasOwn(complete, variable) ? complete[variable] : undefined),
  };
}

/** The list function of a template of the MCP SDK, in our form. The MCP SDK's function wraps the list in an object. */
function readForeignList({ listCallback }: UriTemplate): ResourceTemplateExtras['list'] {
  if (!listCallback) return undefined;
  return async (context) => ((await listCallback(context as never)) as { resources: [] }).resources;
}

function checkUri(uri: string, name: string): void {
  if (URL.canParse(uri)) return;
  throw new InvalidOptionsError(
    ['uri'],
    `The resource "${name}" has the uri "${uri}", which is not a URI; write it with a scheme, as in "notes://today"`,
  );
}

function checkTemplateExtras(given: {
  name: string;
  uri: string;
  list: unknown;
  complete: readonly string[];
  names: readonly string[];
}): void {
  const { name, uri, names } = given;
  if (given.list !== undefined && !isUriTemplate(uri)) {
    throw new InvalidOptionsError(
      ['list'],
      `The resource "${name}" has "list", but its uri is not a template; only a template can stand for many resources`,
    );
  }
  const unknown = given.complete.find((variable) => !names.includes(variable));
  if (unknown === undefined) return;
  throw new InvalidOptionsError(
    ['complete'],
    `The resource "${name}" completes "${unknown}", which is not a variable of "${uri}" (${names.join(', ') || 'it has none'})`,
  );
}
