// What the model of `inboard play` makes of questions, in the words of people who have not read what it understands.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readQuestion, type Wish } from '../../src/play/read-question.js';
import { propertyOptions } from '../../../../test/support/seed.js';

const apples = 'apples';
const stock = (...articles: string[]): Wish => ({ kind: 'stock', articles });
const price = (...articles: string[]): Wish => ({ kind: 'price', articles });
const order = (number: number): Wish => ({ kind: 'order', order: number });
const refund = (number?: number, amount?: number): Wish => ({ kind: 'refund', order: number, amount });
const buy = (article: string | undefined, count: number): Wish => ({ kind: 'buy', article, count });
const plain = (kind: 'articles' | 'crash' | 'export' | 'greeting' | 'help' | 'memory' | 'orders'): Wish => ({
  kind,
});

describe('readQuestion', () => {
  it.each<[string, Wish]>([
    ['what do you have', plain('articles')],
    ['What do you sell?', plain('articles')],
    ['show me the articles', plain('articles')],
    ['list your products, please', plain('articles')],
    ['wich prodcts are there?', plain('articles')],
    ['what is in stock?', plain('articles')],
    ['What does everything cost?', plain('articles')],
    ['How many apples do you have?', stock(apples)],
    ['how many appels are left', stock(apples)],
    ['apples', stock(apples)],
    ['do you have any honey?', stock('jars of honey')],
    ['how much bread is left?', stock('loaves of bread')],
    ['got cofee?', stock('bags of coffee')],
    ['is there an apple for me', stock(apples)],
    ['How many apples and pears are in stock?', stock(apples, 'pears')],
    ['where are the carrots', stock('carrots')],
    ['what do apples cost?', price(apples)],
    ['How much is a jar of honey?', price('jars of honey')],
    ['how much are the carots', price('carrots')],
    ['price of coffee and bread', price('bags of coffee', 'loaves of bread')],
    ['where is order 1042', order(1042)],
    ['Where is my order #1042?', order(1042)],
    ['1042', order(1042)],
    ['status of 1041 please', order(1041)],
    ['has the parcel of order 1043 arrived yet?', order(1043)],
    ["Where is Grace's order?", order(1042)],
    ['what did barbara order', order(1044)],
    ['track oder 1042', order(1042)],
    ['show all orders', plain('orders')],
    ['how many orders are open?', plain('orders')],
    ['which parcels are on their way', plain('orders')],
    ['refund order 1042', refund(1042)],
    ['refund order 1042 40 euros', refund(1042, 40)],
    ['refund 12.50 EUR of order 1042', refund(1042, 12.5)],
    ['Please pay €7,50 back for 1041.', refund(1041, 7.5)],
    ['give Ada her money back', refund(1041)],
    ['reimburse Grace with twenty euros', refund(1042, 20)],
    ['refnd 1042', refund(1042)],
    ['I want to return order 1044', refund(1044)],
    ['refund the whole order 1042', refund(1042)],
    ['refund something', refund()],
    ['buy 3 apples', buy(apples, 3)],
    ['I would like to order two pears', buy('pears', 2)],
    ['can I have a dozen carrots', buy('carrots', 12)],
    ['get me five jars of honey', buy('jars of honey', 5)],
    ['purchase bread', buy('loaves of bread', 1)],
    ['buy something', buy(undefined, 1)],
    ['export the orders', plain('export')],
    ['download all orders as csv', plain('export')],
    ['crash', plain('crash')],
    ['please crash now!', plain('crash')],
    ['kill the CLI', plain('crash')],
    ['crahs', plain('crash')],
    ['resume', { kind: 'resume' }],
    ['go on', { kind: 'resume' }],
    ['what did I ask you before?', plain('memory')],
    ['what did I ask', plain('memory')],
    ['what have we said earlier', plain('memory')],
    ['what should I ask', plain('help')],
    ['do you remember me?', plain('memory')],
    ['help', plain('help')],
    ['what can I ask?', plain('help')],
    ['how does this work', plain('help')],
    ['?', plain('help')],
    ['', plain('help')],
    ['do you take cash?', { kind: 'unknown' }],
    ['do you have peas?', plain('articles')],
    ['how many bananas have you got', plain('articles')],
    ['buy 3 bananas', buy(undefined, 3)],
    ['hello', plain('greeting')],
    ['Good morning!', plain('greeting')],
    ['thanks a lot', { kind: 'thanks' }],
    ['who will win the cup?', { kind: 'unknown' }],
    ['write me a poem about the sea', { kind: 'unknown' }],
  ])('reads %j', (text, wish) => {
    expect(readQuestion(text)).toEqual(wish);
  });

  it.each<[string[], string, Wish]>([
    [['where is order 1042?'], 'refund it', refund(1042)],
    [['where is order 1042?', 'and 1043?', 'hello'], 'please refund that, 5 euros', refund(1043, 5)],
    [['how many apples?'], 'what do they cost?', price(apples)],
    [['how many apples?', 'and pears?'], 'buy 2 of them', buy('pears', 2)],
    [['where is order 1042?'], 'refund something', refund()],
    [[], 'refund it', refund()],
  ])('reads after %j: %j', (earlier, text, wish) => {
    expect(readQuestion(text, earlier)).toEqual(wish);
  });

  it('reads any text, and the same text always in the same way', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string(), { maxLength: 3 }), (text, earlier) => {
        expect(readQuestion(text, earlier)).toEqual(readQuestion(text, earlier));
      }),
      propertyOptions(30),
    );
  });
});
