// A model that is a script, for trying the example without an account. It searches for three things in the record and follows
// the rules of what it found. Its first answer is wrong in ways models are wrong in, to show that this is refused.
import { reply, startOffline, structuredOutput, toolUse, type ScriptContext } from 'inboard/testing';
import { splitSentences, type Patient } from '../app/records.js';
import { holds, isAbnormal, isMeant, listLatest, mentions, readRule, type Rule } from '../app/rules.js';
import { addDays, shortestInterval } from '../src/dates.js';

const SEARCH = 'mcp__briefing__search_clinical_guidelines';

/** The real model where there is a key, and the script on loopback where there is none. */
export async function openModel(note: (text: string) => void) {
  const hasKey = Boolean(process.env['ANTHROPIC_API_KEY']);
  note(hasKey ? 'The model is the real one.' : 'No ANTHROPIC_API_KEY: the model is a script on loopback.');
  const offline = hasKey ? undefined : await startOffline({ onExhausted: answerByScript });
  return { options: offline?.options, close: () => offline?.close({ verify: false }) };
}

export function answerByScript({ prompt, answers }: ScriptContext) {
  const [, today = '', record = '{}'] = /Today is (\S+)\.\s*<patient>(.*)<\/patient>/s.exec(prompt) ?? [];
  const patient = JSON.parse(record) as Patient;
  const odd = listLatest(patient).filter(isAbnormal);
  const medicines = patient.medications.map(({ name }) => name);
  const values = odd.slice(0, 2).map(({ name }, at) => `${name} ${medicines[at] ?? ''}`);
  const conditions = patient.conditions.map(({ name }) => name).join(' ');
  const topics = [...values, `${medicines.join(' ')} together`, conditions, patient.reason].slice(0, 3);
  const searches = answers.filter(({ name }) => name === SEARCH);
  if (searches.length === 0) return reply(...topics.map((query) => toolUse(SEARCH, { query })));

  const sources = searches.flatMap(({ text }) => readSources(text));
  const isRight = answers.length > searches.length;
  const quotes = sources.flatMap(({ id, sentences }) => sentences.map((quote) => ({ source: id, quote })));
  const isMet = ({ conditions }: Rule): boolean => conditions.every((each) => holds(each, patient, today));
  const met = sources.flatMap(({ rules }) => rules).filter((rule) => rule.force === 'must' && isMet(rule));
  const flags = odd.map(({ name, value, unit, date }, at) => {
    const about = quotes.filter(({ quote }) => mentions(quote, name));
    const cited = about.find(({ quote }) => met.some(({ says }) => quote === says)) ?? about[0];
    return {
      severity: at === 0 ? 'critical' : 'warning',
      lab: name,
      value: isRight ? value : 95,
      unit,
      observedOn: date,
      citations: cited ? [cited] : [],
    };
  });
  const actions = new Map<string, object>();
  for (const { id, rules } of sources)
    for (const rule of rules) {
      const isDone = rule.force === 'must' || (rule.force === 'advise' && rule.kind === 'refer');
      if (!isDone || !isMet(rule)) continue;
      const quote = rule.says;
      const what = patient.medications.find(({ name }) => isMeant(name, rule.what))?.name ?? rule.what;
      const days = Math.min(shortestInterval(quote) ?? 7, rule.kind === 'monitor' ? Infinity : 7);
      const dueBy = addDays(today, isRight ? days : 60);
      actions.set(`${rule.kind} ${what}`, {
        kind: rule.kind,
        what,
        dueBy,
        citations: [{ source: id, quote }],
      });
    }
  return structuredOutput({ flags, actions: [...actions.values()] });
}

function readSources(xml: string) {
  return Array.from(
    xml.matchAll(/<source id="(.+?)".*?>\n(.*?)(\n<rule.*?)?\n<\/source>/gs),
    ([, id = '', text = '', rules = '']) => ({
      id,
      sentences: splitSentences(unescapeXml(text)),
      rules: Array.from(
        rules.matchAll(/<rule says="(.+?)">(\w+) (.+?)<\/rule>/g),
        ([, says = '', force = '', rule = '']) => readRule(id, force, unescapeXml(`${rule} | ${says}`)),
      ).filter((rule) => rule !== undefined),
    }),
  );
}

function unescapeXml(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
