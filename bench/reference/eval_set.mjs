// The workload of the comparison with google-adk: one eval set, one config, and an agent in either language that answers at once.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One case: a question, one tool call, an answer that matches its reference in most words. */
function evalCase(index) {
  return {
    eval_id: `case_${index}`,
    conversation: [
      {
        invocation_id: `turn_${index}`,
        user_content: { role: 'user', parts: [{ text: `How many parts are in box ${index}?` }] },
        final_response: { role: 'model', parts: [{ text: 'There are twelve parts in the box that you asked about.' }] },
        intermediate_data: { tool_uses: [{ name: 'count_parts', args: { box: 7 } }] },
      },
    ],
  };
}

/** Writes `parts.test.json` and `test_config.json`; gives the path of the eval set. */
export function writeWorkload(folder, cases) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'parts.test.json');
  writeFileSync(file, JSON.stringify({ eval_set_id: 'parts', eval_cases: Array.from({ length: cases }, (_, index) => evalCase(index)) }));
  writeFileSync(join(folder, 'test_config.json'), JSON.stringify({ criteria: { tool_trajectory_avg_score: 1.0, response_match_score: 0.7 } }));
  return file;
}
