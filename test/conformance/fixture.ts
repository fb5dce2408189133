// The tools, prompts and resources that the public MCP conformance suite expects of a server.
import { setTimeout as sleep } from 'node:timers/promises';
import { createSdkMcpServer, mcpPrompt, mcpResource, tool, type HandlerExtra } from 'inboard';

const RED_PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';
const PAUSE_MS = 50;

const image = { type: 'image', data: RED_PIXEL, mimeType: 'image/png' };

function embed(uri: string, mimeType: string, text: string) {
  return { type: 'resource', resource: { uri, mimeType, text } };
}

async function elicit(extra: HandlerExtra, message: string, properties: object, required: string[] = []) {
  const requestedSchema = { type: 'object', properties, required };
  return extra.sendRequest<{ action: string; content?: object }>({
    method: 'elicitation/create',
    params: { message, requestedSchema },
  });
}

function describe({ action, content }: { action: string; content?: object }): string {
  return `action=${action}, content=${JSON.stringify(content ?? {})}`;
}

const options = ['option1', 'option2', 'option3'];
const titled = (word: string) => [
  { const: 'value1', title: `First ${word}` },
  { const: 'value2', title: `Second ${word}` },
  { const: 'value3', title: `Third ${word}` },
];

export default createSdkMcpServer({
  name: 'conformance',
  tools: [
    tool('test_simple_text', 'Returns a text', {}, () => 'This is a simple text response for testing.'),
    tool('test_image_content', 'Returns an image', {}, () => ({ content: [image] })),
    tool('test_audio_content', 'Returns a sound', {}, () => ({
      content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }],
    })),
    tool('test_embedded_resource', 'Returns a resource', {}, () => ({
      content: [embed('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    })),
    tool('test_multiple_content_types', 'Returns a bit of everything', {}, () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        image,
        embed('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    })),
    tool('test_tool_with_logging', 'Writes log lines', {}, async (_, extra) => {
      extra.log('info', 'Tool execution started');
      await sleep(PAUSE_MS);
      extra.log('info', 'Tool processing data');
      await sleep(PAUSE_MS);
      extra.log('info', 'Tool execution completed');
      return 'Logged three lines.';
    }),
    tool('test_tool_with_progress', 'Reports progress', {}, async (_, extra) => {
      for (const progress of [0, 50, 100]) {
        extra.progress({ progress, total: 100 });
        await sleep(PAUSE_MS);
      }
      return 'Reported progress three times.';
    }),
    tool('test_error_handling', 'Always fails', {}, () => {
      throw new Error('This tool intentionally returns an error for testing');
    }),
    tool('test_sampling', "Asks the client's model", { prompt: 'string' }, async ({ prompt }, extra) => {
      const messages = [{ role: 'user', content: { type: 'text', text: prompt } }];
      const answer = await extra.sendRequest<{ content: { text?: string } }>({
        method: 'sampling/createMessage',
        params: { messages, maxTokens: 100 },
      });
      return `LLM response: ${answer.content.text}`;
    }),
    tool('test_elicitation', 'Asks the user', { message: 'string' }, async ({ message }, extra) => {
      const properties = {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      };
      return `User response: ${describe(await elicit(extra, message, properties, ['username', 'email']))}`;
    }),
    tool('test_elicitation_sep1034_defaults', 'Asks the user, with defaults', {}, async (_, extra) => {
      const answer = await elicit(extra, 'Please check these', {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      });
      return `Elicitation completed: ${describe(answer)}`;
    }),
    tool('test_elicitation_sep1330_enums', 'Asks the user to choose', {}, async (_, extra) => {
      const answer = await elicit(extra, 'Please choose', {
        untitledSingle: { type: 'string', enum: options },
        titledSingle: { type: 'string', oneOf: titled('Option') },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
        titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
      });
      return `Elicitation completed: ${describe(answer)}`;
    }),
    tool({
      name: 'json_schema_2020_12_tool',
      description: 'Tool with JSON Schema 2020-12 features',
      inputSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: {
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
          },
        },
        properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
        additionalProperties: false,
      },
      run: () => 'Taken.',
    }),
  ],
  prompts: [
    mcpPrompt('test_simple_prompt', 'A prompt', () => 'This is a simple prompt for testing.'),
    mcpPrompt(
      'test_prompt_with_arguments',
      'A prompt with arguments',
      { arg1: 'string', arg2: 'string' },
      ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
      { complete: { arg1: ['paris', 'park', 'party'] } },
    ),
    mcpPrompt(
      'test_prompt_with_embedded_resource',
      'A prompt with a resource',
      { resourceUri: 'string' },
      ({ resourceUri }) => [
        embed(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
        'Please process the embedded resource above.',
      ],
    ),
    mcpPrompt('test_prompt_with_image', 'A prompt with an image', () => [
      image,
      'Please analyze the image above.',
    ]),
  ],
  resources: [
    {
      name: 'static-text',
      uri: 'test://static-text',
      description: 'A text',
      mimeType: 'text/plain',
      read: () => 'This is the content of the static text resource.',
    },
    {
      name: 'static-binary',
      uri: 'test://static-binary',
      description: 'An image',
      mimeType: 'image/png',
      read: () => Buffer.from(RED_PIXEL, 'base64'),
    },
    mcpResource({
      name: 'template',
      uri: 'test://template/{id}/data',
      description: 'One of many',
      mimeType: 'application/json',
      read: (_uri, { id }) => ({ id, templateTest: true, data: `Data for ID: ${id}` }),
    }),
    {
      name: 'watched',
      uri: 'test://watched-resource',
      description: 'Asked for by the scenarios on subscriptions',
      mimeType: 'text/plain',
      read: () => 'Watched.',
    },
  ],
});
