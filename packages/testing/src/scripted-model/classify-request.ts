// Separates the requests of the conversation from side requests of the CLI, which take no step of the script. Side
// requests try out a new model with one token, ask for an output format (session titles, prompt hooks), or lack the
// tools of the session (WebSearch; in 2.1.33 questions about a Bash command). Requests of subagents and for compaction
// take steps of the conversation, unless a `when` gives them other answers.
import { isRecord } from '@inboard/core/util/guards.js';
import { reply, text, type MessageReply } from '../script/reply.js';
import type { ReceivedRequest, RequestKind } from './model-request.js';
import { readTools } from './read-request.js';

/** Classifies requests by their path and form, and by earlier requests of their session. */
export class RequestClassifier {
  readonly #sessionsWithTools = new Set<string>();

  classify(request: ReceivedRequest): RequestKind {
    const { method, path, body } = request;
    if (method === 'HEAD' || method === 'GET') return 'probe';
    if (method !== 'POST') return 'unknown';
    if (path.endsWith('/v1/messages/count_tokens')) return 'count_tokens';
    if (!path.endsWith('/v1/messages') || !Array.isArray(body.messages)) return 'unknown';
    return body.max_tokens === 1 || readFormat(request) !== undefined || this.#lacksTools(request)
      ? 'side'
      : 'conversation';
  }

  #lacksTools({ body, sessionId, systemText }: ReceivedRequest): boolean {
    if (sessionId === undefined) return false;
    // Tools that the API runs itself have a dated type.
    const hasOwn = readTools(body).some((tool) => tool['type'] === undefined || tool['type'] === 'custom');
    if (hasOwn) this.#sessionsWithTools.add(sessionId);
    // A subagent may have no tools. The newer CLI marks the requests of subagents.
    return !hasOwn && this.#sessionsWithTools.has(sessionId) && !systemText.includes('cc_is_subagent=true');
  }
}

/** The default answer to a side request. It has the requested form, but no meaning. */
export function answerSideRequest(request: ReceivedRequest): MessageReply {
  const format = readFormat(request);
  if (format !== undefined) return text(JSON.stringify(fillSchema(format['schema'])));
  // When the CLI asks for the prefix of a command, "none" is the answer that allows nothing.
  const nothing = text('none');
  return request.body.max_tokens === 1 ? reply(nothing, { stopReason: 'max_tokens' }) : nothing;
}

function readFormat({ body }: ReceivedRequest): Readonly<Record<string, unknown>> | undefined {
  const config = body['output_config'];
  const format = isRecord(config) ? config['format'] : body['output_format'];
  return isRecord(format) ? format : undefined;
}

// A simple value that fits a schema of the CLI. These schemas are flat objects of strings, numbers and flags.
function fillSchema(schema: unknown): unknown {
  if (!isRecord(schema)) return null;
  const options = schema['enum'];
  if (Array.isArray(options)) return options[0];
  switch (schema['type']) {
    case 'object': {
      const properties = isRecord(schema['properties']) ? schema['properties'] : {};
      const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
      return Object.fromEntries(required.map((name) => [name, fillSchema(properties[name])]));
    }
    case 'array':
      return [];
    case 'string':
      return 'ok';
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return 0;
    default:
      return null;
  }
}
