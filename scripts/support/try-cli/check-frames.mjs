// Holds frames against schema/frames.schema.json, each as what it is.
import { Validator } from '@cfworker/json-schema';
import { definitionOf } from '../protocol/build-schema.mjs';
import { byName } from './differences.mjs';

/** Gives `{ valid, faults }`: how many fit, and one line for each kind and place that does not. */
export function checkFrames(frames, schema) {
  const validators = new Map();
  const validatorOf = (name) => {
    if (!validators.has(name)) validators.set(name, new Validator(schema.$defs[name], '2020-12', false));
    return validators.get(name);
  };
  const whole = new Validator(schema, '2020-12', false);
  const faults = new Set();
  let valid = 0;
  for (const { dir, kind, frame } of frames) {
    if (dir !== 'in') continue;
    const found = definitionOf(kind, frame);
    const body =
      found && schema.$defs[found.name]
        ? validatorOf(found.name).validate(found.part)
        : whole.validate(frame);
    if (body.valid) valid += 1;
    else
      for (const { keyword, instanceLocation, error } of leaves(body.errors))
        faults.add(`${kind} ${instanceLocation.replaceAll(/\/\d+/g, '/*')}: ${keyword}, ${error}`);
  }
  return { valid, faults: [...faults].toSorted(byName) };
}

/** The innermost complaints; those around them only say that there is one. */
function leaves(errors) {
  const isOutside = (error) =>
    errors.some((other) => other !== error && other.keywordLocation.startsWith(`${error.keywordLocation}/`));
  return errors.filter((error) => !isOutside(error));
}
