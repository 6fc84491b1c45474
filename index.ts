/** Entry of the package. Importing it registers nothing; `jest-adk/register` does. */
export * from './src/index';
export * from './environment/outside';
