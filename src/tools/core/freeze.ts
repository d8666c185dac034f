/** Freezes what is handed out, with everything in it, so that no caller changes it for another one. */

/** For plain data only: no classes, and no values that change by themselves. A getter has to freeze what it returns. */
export function frozen<Data>(data: Data): Data {
  if (typeof data !== "object" || data === null) return data;
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(data))) frozen(value);
  return Object.freeze(data);
}
