/** In your own project this line is `preset: 'jest-adk'`; here the preset comes from this checkout. */
module.exports = {
  preset: '../../jest-preset.js',
};
