import { refusal } from '../support/errors';
import { didYouMean } from '../support/nearest';

const formats = ['toml', 'json'] as const;

/** What stands for everything that has to be written. */
const placeholder = 'REPLACE_ME';

const template = {
  eval_set_id: placeholder,
  name: placeholder,
  eval_cases: [
    {
      eval_id: placeholder,
      session_input: { app_name: placeholder, user_id: placeholder },
      conversation: [
        {
          user_content: { role: 'user', parts: [{ text: placeholder }] },
          final_response: { role: 'model', parts: [{ text: placeholder }] },
          intermediate_data: { tool_uses: [{ name: placeholder, args: { [placeholder]: placeholder } }] },
        },
      ],
    },
  ],
};

/**
 * An eval set to be filled in: one case with one turn, as it is read.
 *
 * @param format  `toml` or `json`
 * @throws {JestAdkError} `bad_option` for another format
 */
export function evalSetTemplate(format: 'toml' | 'json' = 'toml'): string {
  if (!(formats as readonly string[]).includes(format)) {
    throw refusal('bad_option', `There is no template in the format ${JSON.stringify(format)}; formats are ${formats.join(', ')}.`, didYouMean(String(format), formats));
  }
  if (format === 'json') return `${JSON.stringify(template, null, 2)}\n`;
  const { stringifyToml } = require('../support/toml-writer') as typeof import('../support/toml-writer');
  return stringifyToml(template).text;
}
