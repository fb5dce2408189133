// Separates the requests of the conversation from those the CLI makes beside it. Side requests, as seen on
// CLI 2.1.33 and 2.1.325: a trial of a new model (`set_model`: one "Hi", one token), a session title and
// prompt hooks (an output format is asked for), and calls that offer the model no tools of the session's
// though the session has some (2.1.33 has a small model say what prefix a Bash command has and which files
// it showed; WebSearch offers only the search itself). Subagents, compaction, side questions and prompt suggestions look like
// the conversation and take steps from it unless a `when` of the script sends them elsewhere.
import { isRecord } from '@inboard/core/util/guards.js';
import { reply, text, type MessageReply } from '../script/reply.js';
import type { ReceivedRequest, RequestKind } from './model-request.js';
import { readTools } from './read-request.js';

/** Classifies requests by path, shape and what their session has asked before. */
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
    // Server tools have a dated type of their own.
    const hasOwn = readTools(body).some((tool) => tool['type'] === undefined || tool['type'] === 'custom');
    if (hasOwn) this.#sessionsWithTools.add(sessionId);
    // A subagent may have no tools; the newer CLI says so when it is one.
    return !hasOwn && this.#sessionsWithTools.has(sessionId) && !systemText.includes('cc_is_subagent=true');
  }
}

/** The default answer to a side request: what was asked for in form, and nothing in substance. */
export function answerSideRequest(request: ReceivedRequest): MessageReply {
  const format = readFormat(request);
  if (format !== undefined) return text(JSON.stringify(fillSchema(format['schema'])));
  // To the question for the prefix of a command, this is the answer that allows nothing.
  const nothing = text('none');
  return request.body.max_tokens === 1 ? reply(nothing, { stopReason: 'max_tokens' }) : nothing;
}

function readFormat({ body }: ReceivedRequest): Readonly<Record<string, unknown>> | undefined {
  const config = body['output_config'];
  const format = isRecord(config) ? config['format'] : body['output_format'];
  return isRecord(format) ? format : undefined;
}

// The smallest value that a CLI's own schema takes: these are flat objects of strings, numbers and flags.
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
