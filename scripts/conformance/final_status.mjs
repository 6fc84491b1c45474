export function run(input, { core }) {
  const { trialStatus } = core('evaluation/rollup');
  const { googleAdkProfile } = core('support/profile');
  const statuses = input.statuses.map((status) => status.toLowerCase());
  return { final_eval_status: trialStatus(statuses, googleAdkProfile).toUpperCase() };
}
