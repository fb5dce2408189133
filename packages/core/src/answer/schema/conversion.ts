// Keeps the state of one walk over a schema: the path, the schemas visited so far, and which of them become shared
// definitions. It keeps recursion finite and gives errors their path. The code for each library writes the nodes.
import { SchemaError } from '../../errors.js';
import type { JsonSchema, SchemaSubject } from './compiled-schema.js';
import { escapePointer, listLocalReferences, rebaseReferences } from './json-schema/references.js';

// No schema written by hand is as deep, and the stack has room for more. The limit ends the walk over a lazy schema that
// builds a new schema each time.
const MAX_DEPTH = 200;

interface Visit {
  /** The number of the visit. References contain it until they get their names, so that different ones never look equal. */
  order: number;
  open: boolean;
  /** Whether another converter wrote the document. Its references are relative to itself. */
  foreign: boolean;
  id: string | undefined;
  json: JsonSchema;
  /** Every `$ref` node that refers to this schema. `finish` writes their pointers. */
  refs: JsonSchema[];
}

/** The state of one conversion; make one per schema. */
export class Conversion {
  readonly side: 'input' | 'output';
  readonly #tool: string;
  readonly #subject: string;
  readonly #path: string[] = [];
  readonly #visits = new Map<object, Visit>();
  #root: object | undefined;
  #depth = 0;

  constructor(about: SchemaSubject) {
    this.side = about.side;
    this.#tool = about.tool;
    this.#subject = about.subject ?? `The ${about.side} schema of tool "${about.tool}"`;
  }

  /** Throws a SchemaError with the path the walk has reached. */
  fail(problem: string, cause?: unknown): never {
    const path = this.#path.join('').replace(/^\./, '');
    const where = path === '' ? '' : ` at "${path}"`;
    throw new SchemaError({ tool: this.#tool, path }, `${this.#subject}${where} ${problem}`, { cause });
  }

  /** Converts a part; `segment` (`.name`, `[]`, `[0]`) is its path in error messages. */
  within<T>(segment: string, convert: () => T): T {
    this.#path.push(segment);
    try {
      return convert();
    } finally {
      this.#path.pop();
    }
  }

  /** Makes references to this schema point to the whole document. */
  setRoot(schema: object): void {
    this.#root = schema;
  }

  /** The node of a schema that is a shared definition or may become one; otherwise undefined. */
  sharedNode(schema: object): JsonSchema | undefined {
    const visit = this.#visits.get(schema);
    return visit && (visit.open || visit.refs.length > 0) ? visit.json : undefined;
  }

  /** Converts a schema once. Inside itself, a reference stands for it. Later, its node or a reference to it is used. */
  visit(schema: object, id: string | undefined, convert: () => JsonSchema): JsonSchema {
    const known = this.#visits.get(schema);
    if (known) return known.open || known.refs.length > 0 ? this.#refer(known) : known.json;
    if (this.#depth >= MAX_DEPTH)
      this.fail(
        `is nested more than ${MAX_DEPTH} levels deep. A recursive schema must refer to the same schema object each time.`,
      );
    const isRoot = schema === this.#root;
    const visit = this.#open(schema, isRoot ? undefined : id);
    this.#depth += 1;
    try {
      Object.assign(visit.json, convert());
    } finally {
      this.#depth -= 1;
    }
    visit.open = false;
    if (isRoot || (visit.refs.length === 0 && visit.id === undefined)) return visit.json;
    return this.#refer(visit);
  }

  /** Takes in a document that another converter wrote. If the document has references, it becomes a definition. */
  embed(schema: object, document: JsonSchema): JsonSchema {
    const { $schema: _dialect, ...json } = document;
    if (listLocalReferences(json).length === 0) return json;
    const visit = this.#visits.get(schema) ?? this.#open(schema, undefined);
    Object.assign(visit, { json, open: false, foreign: true });
    return this.#refer(visit);
  }

  /** Writes the pointers of all references, adds the definitions, and returns a plain copy that shares no nodes. */
  finish(json: JsonSchema): JsonSchema {
    const definitions: JsonSchema = {};
    let count = 0;
    for (const [schema, visit] of this.#visits) {
      if (visit.refs.length === 0) continue;
      let pointer = '#';
      if (schema !== this.#root) {
        if (visit.id !== undefined && Object.hasOwn(definitions, visit.id))
          this.fail(`uses the id "${visit.id}" for two different schemas. Give each its own id.`);
        const name = visit.id ?? `__schema${count++}`;
        pointer = `#/definitions/${escapePointer(name)}`;
        definitions[name] = visit.foreign ? rebaseReferences(visit.json, pointer) : visit.json;
      }
      for (const ref of visit.refs) ref['$ref'] = pointer;
    }
    const whole = Object.keys(definitions).length > 0 ? { ...json, definitions } : json;
    try {
      return JSON.parse(JSON.stringify(whole)) as JsonSchema;
    } catch (cause) {
      return this.fail(
        'contains something that is not JSON, such as a bigint or an object that contains itself. Remove it, or use $ref.',
        cause,
      );
    }
  }

  #open(schema: object, id: string | undefined): Visit {
    const visit = { order: this.#visits.size, open: true, foreign: false, id, json: {}, refs: [] };
    this.#visits.set(schema, visit);
    return visit;
  }

  #refer(visit: Visit): JsonSchema {
    const ref: JsonSchema = { $ref: `#${visit.order}` };
    visit.refs.push(ref);
    return ref;
  }
}
