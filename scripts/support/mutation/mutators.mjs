// How one node of a syntax tree can be changed: a table from the type of a node to the changes, each a span and what takes its
// place. Texts for people are left as they are: what a message says is not what keeps anyone safe.

const SWAPPED_OPERATORS = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
};
const SWAPPED_ASSIGNMENTS = { '+=': '-=', '-=': '+=', '??=': '=', '||=': '=', '&&=': '=' };
const SWAPPED_METHODS = {
  min: 'max',
  max: 'min',
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  floor: 'ceil',
  ceil: 'floor',
  add: 'delete',
  unshift: 'push',
};
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);
// Where a string is the name of something that the compiler looks after.
const NAMING = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
]);

const replace = (node, text) => ({ start: node.start, end: node.end, text });
const change = (name, ...edits) => ({ name, edits });

const changeCondition = ({ test }) => [
  change('condition true', replace(test, 'true')),
  change('condition false', replace(test, 'false')),
];
const changeLoop = ({ test }) => (test ? [change('loop never runs', replace(test, 'false'))] : []);

/** Type of a node -> function from (node, { source, parents }) to the changes. */
export const MUTATORS = {
  IfStatement: changeCondition,
  ConditionalExpression: changeCondition,
  WhileStatement: changeLoop,
  ForStatement: changeLoop,

  LogicalExpression(node, { source }) {
    const left = source.slice(node.left.start, node.left.end);
    const right = source.slice(node.right.start, node.right.end);
    if (node.operator === '??') return [change('fallback dropped', replace(node, `(${left})`))];
    const other = node.operator === '&&' ? '||' : '&&';
    return [change(`${node.operator} to ${other}`, replace(node, `((${left}) ${other} (${right}))`))];
  },

  BinaryExpression(node, { source }) {
    const other = SWAPPED_OPERATORS[node.operator];
    // A sum of texts is a text.
    if (!other || (node.operator === '+' && (isText(node.left) || isText(node.right)))) return [];
    const left = source.slice(node.left.start, node.left.end);
    const right = source.slice(node.right.start, node.right.end);
    return [change(`${node.operator} to ${other}`, replace(node, `((${left}) ${other} (${right}))`))];
  },

  AssignmentExpression(node, { source }) {
    const other = SWAPPED_ASSIGNMENTS[node.operator];
    if (!other || (node.operator === '+=' && isText(node.right))) return [];
    const at = source.indexOf(node.operator, node.left.end);
    return [
      change(`${node.operator} to ${other}`, { start: at, end: at + node.operator.length, text: other }),
    ];
  },

  UpdateExpression(node, { source }) {
    const text = source.slice(node.start, node.end);
    const other = node.operator === '++' ? '--' : '++';
    return [change(`${node.operator} to ${other}`, replace(node, text.replace(node.operator, other)))];
  },

  UnaryExpression(node, { source }) {
    if (node.operator !== '!' && node.operator !== '-') return [];
    return [
      change(`${node.operator} dropped`, replace(node, source.slice(node.argument.start, node.argument.end))),
    ];
  },

  ExpressionStatement(node) {
    return node.directive ? [] : [change('statement removed', replace(node, ';'))];
  },

  BlockStatement(node, { parents }) {
    const parent = parents.at(-1);
    if (node.body.length === 0) return [];
    if (FUNCTIONS.has(parent.type)) return [change('body emptied', replace(node, '{}'))];
    return parent.type === 'TryStatement' && parent.finalizer === node
      ? [change('finally emptied', replace(node, '{}'))]
      : [];
  },

  AwaitExpression(node, { source }) {
    return [
      change('await dropped', replace(node, `(${source.slice(node.argument.start, node.argument.end)})`)),
    ];
  },

  MemberExpression(node, { source }) {
    const changes = dropOptional(node, node.object.end, source);
    const other = node.computed ? undefined : SWAPPED_METHODS[node.property.name];
    if (other && Object.hasOwn(SWAPPED_METHODS, node.property.name))
      changes.push(change(`${node.property.name} to ${other}`, replace(node.property, other)));
    return changes;
  },

  CallExpression(node, { source }) {
    return dropOptional(node, node.callee.end, source);
  },

  ArrayExpression(node) {
    return node.elements.length > 0 ? [change('array emptied', replace(node, '[]'))] : [];
  },

  Literal(node, { parents }) {
    const parent = parents.at(-1);
    if (typeof node.value === 'boolean') return [change('flipped', replace(node, String(!node.value)))];
    if (node.regex) return changePattern(node);
    if (typeof node.value !== 'string' || node.value === '' || /\s\S/.test(node.value)) return [];
    if (NAMING.has(parent.type) || parent.directive || (parent.key === node && !parent.computed)) return [];
    return [change('text emptied', replace(node, "''"))];
  },
};

function dropOptional(node, after, source) {
  if (!node.optional) return [];
  const at = source.indexOf('?.', after);
  const isProperty = node.type === 'MemberExpression' && !node.computed;
  return [change('?. dropped', { start: at, end: at + 2, text: isProperty ? '.' : '' })];
}

function changePattern(node) {
  const { pattern, flags } = node.regex;
  const changes = [];
  // Where the first or last alternative begins or ends; anchors in the middle come in groups.
  if (pattern.startsWith('^'))
    changes.push(change('^ dropped', replace(node, `/${pattern.slice(1)}/${flags}`)));
  if (/(?<!\\)\$$/.test(pattern))
    changes.push(change('$ dropped', replace(node, `/${pattern.slice(0, -1)}/${flags}`)));
  if (flags.includes('i'))
    changes.push(change('flag i dropped', replace(node, `/${pattern}/${flags.replace('i', '')}`)));
  for (const [at, step] of [
    ['\\b', ''],
    ['(?!', '(?='],
    ['(?<!', '(?<='],
  ]) {
    const start = pattern.indexOf(at);
    if (start === -1) continue;
    const text = pattern.slice(0, start) + step + pattern.slice(start + at.length);
    changes.push(change(`${at} to ${step || 'nothing'}`, replace(node, `/${text}/${flags}`)));
  }
  return changes.filter(({ edits }) => !edits[0].text.startsWith('//'));
}

function isText(node) {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}
