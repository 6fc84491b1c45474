import { placeBridge, type Bridge } from '../../environment/bridge';
import { evaluate } from '../../environment/evaluate';
import { WatchedCalls } from '../../environment/watched-calls';
import * as matchers from '../../matchers';
import * as core from '../../src/index';
import type { Host } from '../../src/evaluation/types';

/** Puts the matchers, as built from these sources, in place of those of the surroundings; the core runs beside them. */
export function installMatchers(): void {
  const calls = new WatchedCalls((message) => new Error(message));
  const host: Host = { rootDir: __dirname, callerDir: __dirname, listeners: [], loader: { load: () => Promise.reject(new Error('no modules here')), loadPackage: () => Promise.reject(new Error('no modules here')) } };
  const bridge: Partial<Bridge> = {
    core: () => core,
    watch: (call, work) => calls.start(call.what, undefined, work, true),
    evaluate: (target, evalSets, options, signal) => evaluate({ core: () => core, host: () => host, defaults: {} } as never, target, evalSets, options, signal),
    ask: (target, start, options) => core.runSingleTurn(target, start, options, host),
  };
  placeBridge(globalThis, bridge as Bridge);
  const { configureToPassEvalSet: _configure, ...all } = matchers;
  expect.extend(all as never);
}

/** What a failing matcher says, without colours; fails when it passes. */
export async function failureOf(assertion: () => unknown): Promise<string> {
  try {
    await assertion();
  } catch (error) {
    return (error as Error).message.replace(/\u001b\[[0-9;]*m/g, '').replaceAll(__dirname, '<here>');
  }
  throw new Error('the matcher passed');
}
