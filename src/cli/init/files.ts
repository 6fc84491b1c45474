/** The files of a first eval, as they are written into a project. */
import { join, relative } from 'node:path';
import type { Project } from './project';

/** A file to be made. */
export interface NewFile {
  /** Relative to the project. */
  readonly path: string;
  readonly text: string;
  /** What it is for, in a few words. */
  readonly about: string;
}

/** Folder of the eval sets and their test. */
const folder = 'evals';

/** The script that runs them: in ES modules Jest needs a flag of Node's. */
export function evalScript({ esm, typescript }: Project): string {
  return esm && !typescript ? `node --experimental-vm-modules node_modules/jest/bin/jest.js ${folder}` : `jest ${folder}`;
}

/** Every file that the project needs, the Jest configuration only where it has none. */
export function filesFor(project: Project): readonly NewFile[] {
  const { esm, typescript, jestConfig } = project;
  const extension = typescript ? 'ts' : 'js';
  return [
    ...(jestConfig === undefined ? [{ path: esm ? 'jest.config.mjs' : 'jest.config.js', text: esm ? "export default { preset: 'jest-adk' };\n" : "module.exports = { preset: 'jest-adk' };\n", about: 'Jest with the preset' }] : []),
    { path: `${folder}/example-agent.${extension}`, text: agentText(project), about: 'an agent that needs no model; put yours in its place' },
    { path: `${folder}/example.test.json`, text: evalSet(project), about: 'what is expected of it' },
    { path: `${folder}/example.config.json`, text: config(project), about: 'what is scored, and how good is good enough' },
    { path: `${folder}/example.eval.test.${extension}`, text: testText(project), about: 'the Jest test' },
    { path: join(project.repository, '.github', 'workflows', 'eval.yml'), text: workflow(project), about: 'the same on each pull request' },
  ];
}

function testText({ esm, typescript }: Project): string {
  const load = esm || typescript ? "import { describeEvalSet } from 'jest-adk';" : "const { describeEvalSet } = require('jest-adk');";
  return `${load}

// One Jest test per eval case. The agent is named by its module; the value itself will do, too.
describeEvalSet('./example-agent', './example.test.json');
`;
}

function agentText(project: Project): string {
  return project.sdk ? sdkAgent(project) : functionAgent(project);
}

/** `export const` or `exports.`, as the project has it. */
function exported({ esm, typescript }: Project, name: string): string {
  return esm || typescript ? `export const ${name}` : `exports.${name}`;
}

function functionAgent(project: Project): string {
  const parameter = project.typescript ? 'turn: { text: string }' : 'turn';
  return `/** Stands in for your agent: any async function can be evaluated, and so can an agent of @google/adk or the URL of a server. */
${exported(project, 'agent')} = async (${parameter}) => (/lamp/i.test(turn.text) ? 'The lamp is on.' : 'I only know about lamps.');
`;
}

function sdkAgent(project: Project): string {
  const { typescript, esm } = project;
  const imports = esm || typescript ? (names: string, from: string) => `import { ${names} } from '${from}';` : (names: string, from: string) => `const { ${names} } = require('${from}');`;
  const types = typescript ? ', type LlmRequest, type LlmResponse' : '';
  const signature = typescript ? 'override async *generateContentAsync(request: LlmRequest): AsyncGenerator<LlmResponse, void>' : 'async *generateContentAsync(request)';
  const connect = typescript ? 'override connect(): Promise<never>' : 'connect()';
  return `/** An agent with one tool. Its model is scripted, so that no key is needed: put \`model: 'gemini-2.5-flash'\` in its place. */
${imports(`BaseLlm, FunctionTool, LlmAgent${types}`, '@google/adk')}
${imports('z', 'zod')}

class ScriptedModel extends BaseLlm {
  constructor() {
    super({ model: 'scripted' });
  }

  ${signature} {
    const parts = request.contents.at(-1)?.parts ?? [];
    const answered = parts.some((part) => part.functionResponse !== undefined);
    const part = answered ? { text: 'The lamp is on.' } : { functionCall: { name: 'switch_lamp', args: { on: true } } };
    yield { content: { role: 'model', parts: [part] } };
  }

  ${connect} {
    return Promise.reject(new Error('the scripted model has no live connection'));
  }
}

const switchLamp = new FunctionTool({
  name: 'switch_lamp',
  description: 'Switches the lamp on or off.',
  parameters: z.object({ on: z.boolean() }),
  execute: ({ on }) => ({ on }),
});

${exported(project, 'rootAgent')} = new LlmAgent({
  name: 'example_agent',
  instruction: 'You look after a lamp. Use the tool, and answer in one short sentence.',
  model: new ScriptedModel(),
  tools: [switchLamp],
});
`;
}

function evalSet({ sdk }: Project): string {
  const turn = {
    user_content: { role: 'user', parts: [{ text: 'Turn on the lamp.' }] },
    final_response: { role: 'model', parts: [{ text: 'The lamp is on.' }] },
    ...(sdk ? { intermediate_data: { tool_uses: [{ name: 'switch_lamp', args: { on: true } }] } } : {}),
  };
  return json({ eval_set_id: 'example', eval_cases: [{ eval_id: 'lamp_on', conversation: [turn] }] });
}

function config({ sdk }: Project): string {
  return json({ criteria: { ...(sdk ? { tool_trajectory_avg_score: 1 } : {}), response_match_score: 0.8 } });
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const install = { npm: 'npm ci', pnpm: 'pnpm install --frozen-lockfile', yarn: 'yarn install --immutable' } as const;

function workflow({ packageManager, repository, dir }: Project): string {
  const inside = repository === '' ? '' : relative(join(dir, repository), dir).replaceAll('\\', '/');
  return [
    'name: eval',
    'on: [pull_request]',
    'jobs:',
    '  eval:',
    '    runs-on: ubuntu-latest',
    ...(inside === '' ? [] : ['    defaults:', '      run:', `        working-directory: ${inside}`]),
    '    steps:',
    '      - uses: actions/checkout@v4',
    ...(packageManager === 'pnpm' ? ['      - uses: pnpm/action-setup@v4'] : []),
    '      - uses: actions/setup-node@v4',
    '        with:',
    '          node-version: 22',
    `      - run: ${install[packageManager]}`,
    `      - run: ${packageManager} run eval`,
    '        # For an agent that asks Gemini:',
    '        # env:',
    '        #   GEMINI_API_KEY: ${{ secrets.GEMINI_API_KEY }}',
    '',
  ].join('\n');
}
