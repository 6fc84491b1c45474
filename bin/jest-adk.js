#!/usr/bin/env node
// Launcher: everything else is in src/cli.
require('../dist/src/cli/main').start();
