/** Limits options to their own properties, because runtimes and destructuring also read inherited ones. */

/** A shallow copy without a prototype; for nothing, an empty object. */
export function ownOptions<Options extends object>(options: Options): Options {
  return Object.assign(Object.create(null), options);
}
