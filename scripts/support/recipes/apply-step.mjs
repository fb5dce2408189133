// Carries out a step of a recipe on texts. An edit that no longer fits its file is an error: a recipe that changes nothing would
// prove nothing.

/** The text of a file after an edit; `text` is undefined for a file that is not there. */
export function applyEdit(text, edit) {
  if (edit.create !== undefined) {
    if (text !== undefined) throw new Error(`${edit.file} is there already, and a step creates it`);
    return edit.create;
  }
  if (text === undefined) throw new Error(`${edit.file} is not there, and a step changes it`);
  return edit.every ? applyToAll(text, edit) : putOnce(text, edit);
}

function applyToAll(text, { file, every, before = '', count, by }) {
  const pattern = new RegExp(every, `${every.flags}g`);
  if (!pattern.test(text)) throw new Error(`${file} has nothing like ${every}, which a step changes`);
  return text.replaceAll(pattern, (found) => {
    if (count !== undefined) return String(Number(found) + count);
    return by ?? before + found;
  });
}

function putOnce(text, { file, before, after, instead, put }) {
  const anchor = before ?? after ?? instead;
  const [head, tail, ...more] = text.split(anchor);
  if (tail === undefined || more.length > 0)
    throw new Error(
      `${file} has ${JSON.stringify(anchor)} ${more.length > 0 ? 'several times' : 'nowhere'}, and a step is put there`,
    );
  if (instead !== undefined) return head + put + tail;
  return before === undefined ? head + anchor + put + tail : head + put + anchor + tail;
}
