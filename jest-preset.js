/** `preset: 'jest-adk'`: TypeScript through the project's own ts-jest where there is one. */
'use strict';
module.exports = require('./dist/environment/preset').createPreset();
