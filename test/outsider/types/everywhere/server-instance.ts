// The server behind `instance` has the inner `server` that programs for the official SDK reach for.
import { createSdkMcpServer } from 'inboard';

const { instance } = createSdkMcpServer({ name: 'a' });
export const inner = instance.server;
instance.server.onclose = () => console.log('a connection has ended');
instance.server.oninitialized = () => {};
instance.server.onerror = (error) => console.error(error.message);
// @ts-expect-error There is no such property.
export const wrong = instance.servr;
