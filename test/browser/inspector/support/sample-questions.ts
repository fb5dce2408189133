// One question of each kind, with everything a card can show.
import type { Question } from '../../../../packages/inspector/src/stream/question.js';

/** In the order in which they are asked. */
export function sampleQuestions(): Array<Partial<Question>> {
  const now = Date.now();
  return [
    {
      id: 'mail',
      subject: 'mcp__shop__send_mail',
      title: 'Claude wants to send a mail',
      description: 'Sends a mail to a customer, in the name of the shop.',
      reason: 'No rule allows this tool.',
      agentId: 'toolu_scripted_0004',
      askedAt: now - 134_000,
      input: {
        to: 'ines.duarte@example.com',
        subject: 'Your express order',
        body: 'Dear Ines,\n\nyour lamp goes out from Lund before noon.\n\nThe shop',
        priority: 'normal',
        copies: 2,
        receipt: true,
        headers: { 'X-Token': '[redacted]', 'X-Order': 'A-1043' },
        tags: ['express', 'lamp'],
      },
      hidden: [['headers', 'X-Token']],
      schema: {
        type: 'object',
        properties: {
          to: { type: 'string', format: 'email', description: 'Who gets it' },
          subject: { type: 'string', maxLength: 80 },
          body: { type: 'string' },
          priority: { enum: ['low', 'normal', 'high'] },
          copies: { type: 'integer', minimum: 0, maximum: 5 },
          receipt: { type: 'boolean' },
          headers: { type: 'object', additionalProperties: { type: 'string' } },
          tags: { type: 'array', items: { type: 'string' } },
          sendAt: { type: 'string', format: 'date-time', title: 'Send at' },
        },
        required: ['to', 'subject', 'body', 'tags', 'headers'],
      },
      suggestions: ['Allow send_mail of shop in this project', 'Allow every tool of shop in this session'],
    },
    {
      id: 'bash',
      title: 'Claude wants to run a command',
      askedAt: now - 42_000,
      attempt: 2,
      blockedPath: '/srv/deploy',
      input: { command: 'rm -rf build && npm run build', description: 'Build again from nothing' },
      suggestions: ['Allow Bash(npm run build:*) in this project'],
    },
    {
      id: 'ask',
      kind: 'ask-user',
      subject: 'AskUserQuestion',
      title: 'The model has two questions',
      askedAt: now - 20_000,
      input: {
        questions: [
          {
            question: 'Which warehouse should send the lamp?',
            header: 'Warehouse',
            multiSelect: false,
            options: [
              { label: 'Lund', description: 'Express goes out before noon' },
              { label: 'Ghent', description: 'A day later, and cheaper' },
              { label: 'Porto', description: '' },
            ],
          },
          {
            question: 'Who is to be told?',
            header: 'People',
            multiSelect: true,
            options: [
              { label: 'The customer', description: '' },
              { label: 'The warehouse', description: '' },
            ],
          },
        ],
      },
    },
    {
      id: 'elicit',
      kind: 'elicitation',
      subject: 'bank',
      title: 'The bank needs to know who you are',
      askedAt: now - 9000,
      schema: {
        type: 'object',
        properties: {
          name: { type: 'string', title: 'Name', minLength: 1 },
          born: { type: 'string', format: 'date', title: 'Day of birth' },
          branch: {
            type: 'string',
            enum: ['Lund', 'Ghent', 'Porto', 'Turku', 'Bergen', 'Aarhus'],
            title: 'Branch',
          },
          agreed: { type: 'boolean', title: 'You agree to the terms' },
        },
        required: ['name', 'agreed'],
      },
    },
    {
      id: 'url',
      kind: 'elicitation',
      subject: 'calendar',
      title: 'Sign in to the calendar',
      askedAt: now - 7000,
      input: {
        mode: 'url',
        url: 'https://calendar.example/authorize?state=2f9a',
        message: 'Sign in, then come back.',
      },
    },
    {
      id: 'dialog',
      kind: 'dialog',
      subject: 'trust_folder',
      title: 'The CLI asks: trust_folder',
      askedAt: now - 5000,
      input: { folder: '/srv/shop', reason: 'It is new' },
    },
    {
      id: 'held',
      kind: 'held',
      subject: 'mcp__shop__refund_order',
      title: 'Pay back order A-1043?',
      description: 'The handler waits for a person before it pays.',
      askedAt: now - 3000,
      input: { order: 'A-1043', amount: 79.5 },
      schema: {
        type: 'object',
        properties: { order: { type: 'string' }, amount: { type: 'number', minimum: 0, maximum: 500 } },
        required: ['order', 'amount'],
      },
    },
  ];
}
