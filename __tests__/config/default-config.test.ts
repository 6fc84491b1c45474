import { defaultConfig } from '../../src/config/find';
import { configFromObject } from '../../src/config/reader';

test('the defaults are what a file with the same numbers gives', () => {
  expect(configFromObject({ criteria: { tool_trajectory_avg_score: 1.0, response_match_score: 0.8 } }).value).toEqual(defaultConfig);
});
