/** `preset: 'jest-adk/ts'`: TypeScript through ts-jest, always. */
'use strict';
module.exports = require('../dist/environment/preset').createPreset({ typescript: 'ts-jest' });
