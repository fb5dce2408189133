// The door `inboard/otel`: spans for queries, turns, tool calls and permission waits.
export {};
