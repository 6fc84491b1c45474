/**
 * `jest-adk` inside a test file: the core of the worker, bound to this file. The names are those of the real entry; the last lines are
 * for Jest's ES module loader, which reads the names of a CommonJS module from its text.
 */
import { useBridge } from '../bridge';

const names = useBridge("An import of 'jest-adk'").api();
Object.assign(exports, names);
if (names === undefined) module.exports = require('../../index');
