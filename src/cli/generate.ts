import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { refusal } from '../support/errors';
import { sharedController } from '../support/signals';
import { writeOutput } from './files';
import { modelOfFlags } from './model-flags';
import type { CliArguments, CliIo, CommandModule, ExitCode } from './types';

/** `jest-adk generate scenarios`: scenarios made up by a model from an agent's instructions and tools. */
export const generateCommand: CommandModule = {
  define: (yargs) =>
    yargs
      .usage('$0 generate scenarios AGENT [flags]\n\nHas a model make up conversation scenarios from the instructions and tools of an agent (a module path), for `eval-set add-cases`.')
      .option('count', { type: 'string', requiresArg: true, describe: 'How many' })
      .option('model', { type: 'string', requiresArg: true, describe: 'Model that makes them up' })
      .option('model-url', { type: 'string', requiresArg: true, describe: "Address that speaks OpenAI's chat completions, where that model is asked" })
      .option('model-key-env', { type: 'string', requiresArg: true, describe: 'Variable of the environment with the key for --model-url' })
      .option('instruction', { type: 'string', requiresArg: true, describe: 'What they should be about' })
      .option('environment', { type: 'string', requiresArg: true, describe: 'What is known of the world they take place in' })
      .option('config', { type: 'string', requiresArg: true, describe: "google-adk's ConversationGenerationConfig as a JSON file; flags win" })
      .option('output', { alias: 'o', type: 'string', requiresArg: true, describe: 'File to write; its folder is made' })
      .option('force', { type: 'boolean', default: false, describe: 'Overwrite the file' })
      .option('env-file', { type: 'string', requiresArg: true, describe: 'File with environment variables; those that are set already win' })
      .example('$0 generate scenarios ./agent.ts --count 5 -o scenarios.json', 'Five scenarios')
      .epilogue('Exit code: 0 done, 2 something was in the way.'),
  run: generate,
};

async function generate(args: CliArguments, io: CliIo): Promise<ExitCode> {
  const [what, path, ...more] = ((args._ ?? []) as readonly unknown[]).slice(1).map(String);
  if (what !== 'scenarios' || path === undefined || more.length > 0) throw refusal('usage', 'It takes "scenarios" and the path of a module that exports an agent: jest-adk generate scenarios ./agent.ts');
  if (args['env-file'] !== undefined) (require('./env-file') as typeof import('./env-file')).applyEnvFile(args['env-file'] as string, io);
  const output = args.output as string | undefined;
  if (output !== undefined && args.force !== true && existsSync(resolve(io.cwd, output))) throw refusal('file_exists', `${output} exists already.`, 'Choose another name, or overwrite it with --force.');
  const { modelName, ...config } = configOf(args, io.cwd);
  const model = modelOfFlags({ model: modelName, url: args['model-url'] as string | undefined, keyEnv: args['model-key-env'] as string | undefined }, { model: '--model', url: '--model-url', keyEnv: '--model-key-env' }) ?? modelName;
  const { createNodeLoader } = require('../target/module-loader') as typeof import('../target/module-loader');
  const { describeAgents } = require('../target/describe-agents') as typeof import('../target/describe-agents');
  const { sendSdkLogsToStderr } = require('../target/adk-copy') as typeof import('../target/adk-copy');
  const { Models } = require('../evaluation/judges') as typeof import('../evaluation/judges');
  const { generateScenarios } = require('../simulation/user/generate') as typeof import('../simulation/user/generate');
  sendSdkLogsToStderr();
  const loader = createNodeLoader();
  const agents = describeAgents(await loader.load(resolve(io.cwd, path)));
  if (agents.length === 0) throw refusal('no_agent', `${path} exports no agent of @google/adk, whose instructions could be read.`);
  const host = { rootDir: io.cwd, callerDir: io.cwd, loader, listeners: [] };
  const client = await new Models({}, host).client(model, 'generator', 'generate scenarios');
  const scenarios = await generateScenarios(agents, config, client, sharedController().signal);
  const text = `${JSON.stringify({ scenarios: scenarios.map(({ startingPrompt, conversationPlan }) => ({ starting_prompt: startingPrompt, conversation_plan: conversationPlan })) }, null, 2)}\n`;
  if (output === undefined) io.stdout.write(text);
  else writeOutput(resolve(io.cwd, output), text, args.force === true);
  io.stderr.write(`${scenarios.length} scenarios by ${modelName}\n`);
  return 0;
}

function configOf(args: CliArguments, cwd: string): import('../simulation/user/generation').GenerationConfig {
  const { generationConfigFromJson } = require('../simulation/user/generation') as typeof import('../simulation/user/generation');
  const { parseDocument } = require('../support/document') as typeof import('../support/document');
  const file = args.config === undefined ? undefined : resolve(cwd, args.config as string);
  const given = file === undefined ? {} : (parseDocument(readFileSync(file, 'utf8'), file) as object);
  const count = args.count === undefined ? undefined : Number(args.count);
  if (count !== undefined && !(Number.isInteger(count) && count >= 1)) throw refusal('usage', `--count takes a whole number of at least 1; got ${JSON.stringify(args.count)}.`);
  return generationConfigFromJson({
    count: 5,
    model_name: 'gemini-2.5-flash',
    ...given,
    ...(count === undefined ? {} : { count }),
    ...(args.model === undefined ? {} : { model_name: args.model }),
    ...(args.instruction === undefined ? {} : { generation_instruction: args.instruction }),
    ...(args.environment === undefined ? {} : { environment_context: args.environment }),
  });
}
