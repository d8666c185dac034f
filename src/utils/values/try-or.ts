/** Turns a failure that is an answer, such as that of a missing file, into a value. */

/** What `act` returns, or `otherwise` if it throws anything. */
export function tryOr<T, Other>(act: () => T, otherwise: Other): T | Other {
  try {
    return act();
  } catch {
    return otherwise;
  }
}
