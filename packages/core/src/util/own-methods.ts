// Makes objects that programs can copy with `{ ...object }` to replace a method or two.

/** An object with the methods of an instance as own properties, so that a copy of the object has the methods, too. */
export function ownMethods<Interface extends object>(instance: Interface): Interface {
  const source = instance as Record<PropertyKey, unknown>;
  const own: Record<PropertyKey, unknown> = { ...source };
  for (const name of Reflect.ownKeys(Object.getPrototypeOf(instance) as object)) {
    const method = source[name];
    if (name !== 'constructor' && typeof method === 'function')
      own[name] = (...given: unknown[]): unknown => method.apply(instance, given) as unknown;
  }
  return own as Interface;
}
