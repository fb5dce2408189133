import { work } from '../../work.mjs';

export const dynamic = 'force-dynamic';

export async function GET() {
  return Response.json(await work(process.env.INBOARD_BUNDLED_CLI));
}
