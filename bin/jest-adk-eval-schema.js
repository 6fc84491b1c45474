#!/usr/bin/env node
// The same as `jest-adk schema`, under the name that pytest-adk's users know.
require('../dist/src/cli/main').start(['schema', ...process.argv.slice(2)]);
