// The state of one walk over a schema: its path, what it has visited, and which parts must become shared definitions.
// Keeps recursion finite and gives errors their path. The walkers of the single libraries write the nodes.
import { SchemaError } from '../../errors.js';
import type { JsonSchema, SchemaSubject } from './compiled-schema.js';
import { escapePointer, listLocalReferences, rebaseReferences } from './json-schema/references.js';

// Deeper than any schema written by hand, and shallower than the stack. A lazy schema that builds a new one each time
// ends here.
const MAX_DEPTH = 200;

interface Visit {
  /** Written into references until they get their names, so that no two look alike. */
  order: number;
  open: boolean;
  /** Whether another converter wrote the document. Its references are relative to itself. */
  foreign: boolean;
  id: string | undefined;
  json: JsonSchema;
  /** Every `$ref` node that refers to it. They are named at the end. */
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

  /** The node of a schema that is, or is about to become, a shared definition; otherwise undefined. */
  sharedNode(schema: object): JsonSchema | undefined {
    const visit = this.#visits.get(schema);
    return visit && (visit.open || visit.refs.length > 0) ? visit.json : undefined;
  }

  /** Converts a schema once. Inside itself it becomes a reference; elsewhere the same node is used again. */
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

  /** Takes in a document that another converter wrote. One with references of its own becomes a definition. */
  embed(schema: object, document: JsonSchema): JsonSchema {
    const { $schema: _dialect, ...json } = document;
    if (listLocalReferences(json).length === 0) return json;
    const visit = this.#visits.get(schema) ?? this.#open(schema, undefined);
    Object.assign(visit, { json, open: false, foreign: true });
    return this.#refer(visit);
  }

  /** Names all references, adds the definitions, and makes a plain copy that owns its nodes. */
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
