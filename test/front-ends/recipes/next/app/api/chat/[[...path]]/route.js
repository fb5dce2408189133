// route.js
import { chat } from '../../../../chat.mjs';

export const dynamic = 'force-dynamic';

const answer = (request) => chat.fetch(request);
export { answer as GET, answer as POST };
