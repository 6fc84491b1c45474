/** `preset: 'jest-adk/js'`: no transform of ours; Jest's own default, babel-jest, stays. */
'use strict';
module.exports = require('../dist/environment/preset').createPreset({ typescript: 'none' });
