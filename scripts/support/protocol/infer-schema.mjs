// Infers a JSON Schema from samples: which types a field had, and which fields were always there. Objects with arbitrary
// fields (the input of a tool, a user's settings) stay open, and fields that no sample has are allowed, because the CLI grows.

/** Objects with arbitrary fields, which the schema leaves open. */
export const OPEN = new Set(
  `input tool_input arguments updatedInput tool_response tool_use_result structured_output inputSchema requested_schema
  jsonSchema payload effective settings metadata annotations properties details entries env headers answers event usage data`.split(
    /\s+/,
  ),
);
/** Objects that are lists by name: all values are alike. */
export const MAPS = new Set(
  `modelUsage model_usage_since_last_result sdk_mcp_manifests_parked sdkMcpServerManifests sdkMcpServerConfigs hooks mcpServers
  servers _meta`.split(/\s+/),
);
/** Fields that tell frames apart, which have one value in each kind. */
const TELLING = new Set(['type', 'subtype', 'jsonrpc', 'hook_event_name']);
/** With fewer samples nothing but these is held to be always there. */
const ENOUGH_SAMPLES = 3;
const CORE = new Set([
  'type',
  'subtype',
  'request_id',
  'request',
  'response',
  'uuid',
  'session_id',
  'message',
]);
const DEEPEST = 4;

/** The schema of all samples. */
export function inferSchema(samples, { name = '', depth = 0 } = {}) {
  const types = ['array', 'boolean', 'null', 'number', 'object', 'string'].filter((type) =>
    samples.some((sample) => typeOf(sample) === type),
  );
  // What was never anything but null may be anything, another time.
  if (types.length === 1 && types[0] === 'null') return {};
  const schema = { type: types.length === 1 ? types[0] : types };
  const of = (type) => samples.filter((sample) => typeOf(sample) === type);
  if (types.length === 1 && types[0] === 'string' && TELLING.has(name) && new Set(samples).size === 1)
    return { const: samples[0] };
  if (types.includes('object') && depth < DEEPEST && !OPEN.has(name))
    Object.assign(schema, describeObjects(of('object'), name, depth));
  if (types.includes('array') && depth < DEEPEST && !OPEN.has(name)) {
    const items = of('array').flat();
    if (items.length > 0) schema.items = inferSchema(items, { name: `${name}[]`, depth: depth + 1 });
  }
  return schema;
}

function describeObjects(objects, name, depth) {
  const below = (key, values) => inferSchema(values, { name: key, depth: depth + 1 });
  if (MAPS.has(name)) {
    const values = objects.flatMap((object) => Object.values(object));
    return values.length === 0 ? {} : { additionalProperties: below(`${name}{}`, values) };
  }
  const keys = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const having = (key) => objects.filter((object) => Object.hasOwn(object, key));
  const isEnough = objects.length >= ENOUGH_SAMPLES;
  const isAlwaysThere = (key) =>
    having(key).length === objects.length && objects.some((object) => object[key] !== null);
  const required = keys.filter((key) => isAlwaysThere(key) && (isEnough || CORE.has(key)));
  return {
    ...(required.length > 0 && { required }),
    ...(keys.length > 0 && {
      properties: Object.fromEntries(
        keys.map((key) => [
          key,
          below(
            key,
            having(key).map((object) => object[key]),
          ),
        ]),
      ),
    }),
  };
}

function typeOf(value) {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}
