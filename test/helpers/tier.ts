/** Marks the tests that `npm test` leaves to `npm run test:deep`. */

/** The title of a test or `describe` that only the deep tests run. `scripts/run-tests.mjs` looks for the mark. */
export const deep = (title: string): string => `${title} [deep]`;
