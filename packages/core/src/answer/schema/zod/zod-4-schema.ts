// Declares the fields of a zod 4 schema that are read here. They are in `_zod` and its definition, and are the same in
// every copy of zod 4 and in zod/mini.
import { isRecord } from '../../../util/guards.js';

/** The part of a zod 4 schema that is read here. */
export interface Zod4Schema {
  _zod: {
    def: Zod4Definition;
    optin?: string;
    optout?: string;
    /** The schema behind a lazy one, always the same object. The definition's `getter` may build a new one each time. */
    innerType?: Zod4Schema;
    parent?: Zod4Schema;
    pattern?: RegExp;
    traits?: Set<string>;
    values?: Set<unknown>;
    toJSONSchema?: () => unknown;
    run(payload: Zod4Payload, context: { async: boolean }): Zod4Payload | Promise<Zod4Payload>;
  };
  description?: unknown;
  meta?: () => unknown;
}

/** The state of one validation: the value so far, and the issues found so far. */
export interface Zod4Payload {
  value: unknown;
  issues: unknown[];
}

/** The definition of a schema. Its `type` decides which fields it has. */
export interface Zod4Definition {
  type: string;
  checks?: { _zod: { def: Zod4CheckDefinition } }[];
  coerce?: boolean;
  shape?: Record<string, Zod4Schema>;
  catchall?: Zod4Schema;
  element?: Zod4Schema;
  innerType?: Zod4Schema;
  getter?: () => Zod4Schema;
  options?: Zod4Schema[];
  inclusive?: boolean;
  left?: Zod4Schema;
  right?: Zod4Schema;
  in?: Zod4Schema;
  out?: Zod4Schema;
  items?: Zod4Schema[];
  rest?: Zod4Schema | null;
  keyType?: Zod4Schema;
  valueType?: Zod4Schema;
  mode?: string;
  partial?: boolean;
  entries?: Record<string, string | number>;
  values?: unknown[];
  defaultValue?: unknown;
  catchValue?: (context: unknown) => unknown;
}

/** The definition of a check (`.min()`, `.email()`). */
export interface Zod4CheckDefinition {
  check?: string;
  format?: string;
  pattern?: RegExp;
  value?: number;
  inclusive?: boolean;
  minimum?: number;
  maximum?: number;
  length?: number;
  size?: number;
  local?: boolean;
  precision?: number | null;
  mime?: string[];
}

/** Whether a value was made by any copy of zod 4 or zod/mini. */
export function isZod4(value: unknown): value is Zod4Schema {
  return isRecord(value) && isRecord(value['_zod']) && isRecord(value['_zod']['def']);
}
