/** Freezes what is handed out, with everything in it, so that no caller changes it for another one. */

/** For plain data only: no classes, and no values that change by themselves. */
export function frozen<Data>(data: Data): Data {
  if (typeof data !== "object" || data === null) return data;
  for (const part of Object.values(data)) frozen(part);
  return Object.freeze(data);
}
