// Saying no to whoever asked, in words for a person; and reading what was sent.
import type { HonoRequest } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { z } from 'zod';

export function refuse(status: 401 | 403 | 404 | 409 | 410 | 413 | 415 | 422 | 429, message: string): never {
  throw new HTTPException(status, { message });
}

export async function readBody<Body>(request: HonoRequest, schema: z.ZodType<Body>): Promise<Body> {
  const read = schema.safeParse(await request.json().catch(() => refuse(422, 'Send JSON.')));
  return read.success ? read.data : refuse(422, read.error.issues[0]?.message ?? 'That cannot be read.');
}
