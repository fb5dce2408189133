// What the model says to the command.
import { text, toolUse } from 'inboard/testing';

export default [toolUse('mcp__shop__count', { article: 'apples' }), text('There are seven apples.')];
