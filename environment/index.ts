/**
 * Jest environment: `jest-environment-node` of the Jest that is running, with jest-adk attached. Options stand under one key,
 * `testEnvironmentOptions: { adk: {…} }`. The module is the class, as Jest expects it of CommonJS, with `createEnvironment` beside it.
 */
import { createEnvironment, type TestEnvironmentClass } from './create-environment';
import { resolveFromJest } from './jest-packages';

const { TestEnvironment: NodeEnvironment } = require(resolveFromJest('jest-environment-node')) as { TestEnvironment: TestEnvironmentClass };

/** The environment of the preset. */
const AdkEnvironment = Object.assign(createEnvironment(NodeEnvironment), { createEnvironment });
export = AdkEnvironment;
