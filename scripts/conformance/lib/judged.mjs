// A scripted judge for the golden files of judged metrics, and results in their words.

/** A metric of the product under google-adk, its judge a list of scripted answers. */
export async function scoreJudged(core, { metric, criterion, actual, expected = null, scenario = null, answers, vertex }) {
  const { makeMetric, evaluateMetric } = core('metrics/registry');
  const { googleAdkProfile: profile } = core('support/profile');
  const made = makeMetric({ metricName: metric, criterion }, profile);
  const judge = clientOf(core, answers);
  const context = { profile, signal: new AbortController().signal, warn: () => undefined };
  return evaluateMetric({ ...made, ...(vertex === undefined ? { judge } : { vertex }) }, { actual, expected, scenario }, context);
}

/** A client of the product whose model says what a function gives: a text, 'blocked', 'error' or 'nothing' as { special }. */
export function clientOf(core, next) {
  const { ModelClient } = core('judge/client');
  const { ModelLimit } = core('judge/limit');
  const { UsageLedger } = core('judge/usage');
  const { resolveModel } = core('judge/source');
  const llm = {
    model: 'fake-judge',
    async *generateContentAsync(request) {
      const answer = await next(request.contents[0].parts[0].text);
      if (answer === 'error') throw Object.assign(new Error('scripted'), { name: 'Scripted' });
      if (answer === 'nothing') return;
      if (answer === 'blocked') yield { errorCode: 'SAFETY' };
      else yield answer === null ? {} : { content: typeof answer === 'string' ? { role: 'model', parts: [{ text: answer }] } : answer };
    },
  };
  const model = { name: 'fake-judge', kind: 'llm', generate: async (request, signal) => (await resolveModel(llm, () => Promise.reject(new Error('no SDK')), 'golden')).generate(request, signal) };
  return new ModelClient(model, 'judge', new ModelLimit(`fake-judge-${(count += 1)}`, 8), { ledger: new UsageLedger() });
}

let count = 0;

const status = (word) => (word === 'error' ? 'NOT_EVALUATED' : word.toUpperCase());

/** A result in the words of the golden files. An error is what google-adk calls not evaluated. */
export function inGoldenWords(score, { rubrics = false, turns } = {}) {
  const unevaluated = score.status === 'error' || score.status === 'not_evaluated';
  const perInvocation = turns !== undefined && score.perInvocation.length === 0 && turns > 0 ? [] : score.perInvocation;
  return {
    overall_score: unevaluated ? null : score.score,
    overall_status: status(score.status),
    per_invocation: perInvocation.map((turn) => ({
      score: turn.status === 'error' ? null : turn.score,
      status: status(turn.status),
      ...(rubrics ? { rubric_scores: rubricScores(turn.details) } : {}),
    })),
    ...(rubrics ? { overall_rubric_scores: rubricScores(score.details) } : {}),
  };
}

const rubricScores = (details) => details?.rubricScores?.map(({ rubricId, score }) => ({ rubric_id: rubricId, score })) ?? null;

/** Raw answers of final_response_match_v2 for the words of the golden files. */
export const matchAnswer = (word) => (word === 'valid' || word === 'invalid' ? `{"reasoning": "r", "is_the_agent_response_valid": "${word}"}` : word === 'unparsed' ? 'hm' : word);

/** Raw answers of the rubric metrics. */
export function rubricAnswer(sample) {
  if (typeof sample === 'string') return sample === 'garbage' ? 'hm' : sample;
  const pairs = Array.isArray(sample) ? sample : Object.entries(sample);
  return pairs.map(([id, verdict]) => `ID: ${id}\nProperty: Property of ${id}.\nRationale: because\nVerdict: ${verdict === 'unclear' ? 'unclear' : verdict}`).join('\n\n');
}

/** Turns with a text on both sides. */
export function plainTurns(core, count, more = () => ({})) {
  const { invocationFromJson } = core('evalset/parts');
  const { googleAdkProfile } = core('support/profile');
  return Array.from({ length: count }, (_, index) => invocationFromJson({ invocation_id: `inv-${index}`, user_content: { role: 'user', parts: [{ text: `q${index}` }] }, final_response: { role: 'model', parts: [{ text: `a${index}` }] }, ...more(index) }, googleAdkProfile));
}

/** A turn in the golden files' short form: texts or contents, events or the older shape, agents. */
export function shortTurn(core, { user, final, intermediate, agents }, index) {
  const { invocationFromJson } = core('evalset/parts');
  const { googleAdkProfile } = core('support/profile');
  const content = (value, role) => (typeof value === 'string' ? { role, parts: [{ text: value }] } : { role, ...value });
  return invocationFromJson(
    {
      invocation_id: `inv-${index}`,
      user_content: content(user ?? 'QUESTION', 'user'),
      ...(final === null || final === undefined ? {} : { final_response: content(final, 'model') }),
      ...(intermediate === null || intermediate === undefined ? {} : { intermediate_data: intermediate.events === undefined ? intermediate : { invocation_events: intermediate.events } }),
      ...(agents === undefined ? {} : { app_details: { agent_details: Object.fromEntries(Object.entries(agents).map(([name, { instructions, tools }]) => [name, { name, instructions: instructions ?? '', tool_declarations: tools ?? [] }])) } }),
    },
    googleAdkProfile,
  );
}
