// Sorts the names of the main door into the parts of reference.json, by the file that declares each: half a megabyte in one
// page would be of no use. A name in no part fails the build.
import { readFileSync } from 'node:fs';
import { Comment, CommentTag, Converter } from 'typedoc';

const { parts } = JSON.parse(readFileSync(new URL('./reference.json', import.meta.url), 'utf8'));
const ROOT = 'dist/';

/** Called by TypeDoc. */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    const main = project.children?.find(({ name }) => name === 'index');
    for (const reflection of main?.children ?? []) {
      // A second name of another one stands beside it.
      const named = reflection.isReference() ? reflection.getTargetReflectionDeep() : reflection;
      const place = project.getSymbolIdFromReflection(named)?.packagePath ?? '';
      const path = place.slice(place.indexOf(ROOT) + ROOT.length);
      const part = parts.find(({ from }) => from.some((start) => path.startsWith(start)));
      if (part === undefined) {
        app.logger.error(`No part of site/reference.json takes ${reflection.name}, declared in ${place}`);
        continue;
      }
      reflection.comment ??= new Comment();
      reflection.comment.blockTags.push(new CommentTag('@category', [{ kind: 'text', text: part.text }]));
    }
  });
}
