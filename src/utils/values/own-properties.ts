/** Reads only the own properties of what a caller hands in, so that nothing inherited counts. */

/** A shallow copy without a prototype; for nothing, an empty object. Runtimes and destructuring read inherited ones. */
export function ownOptions<Options extends object>(options: Options): Options {
  return Object.assign(Object.create(null), options);
}

/** Deeper than any schema looks. Deeper values are not copied. */
const DEEPEST = 64;

/**
 * A copy without a prototype: own enumerable properties, each read once, also of instances of a class. Lists lose
 * inherited properties too. Other values (functions, maps, signals) stay as they are.
 */
export function ownProperties<Given>(given: Given): Given {
  return copyOf(given, new Map(), 0) as Given;
}

function copyOf(value: unknown, copies: Map<object, unknown>, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > DEEPEST) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    copies.set(value, list);
    for (let index = 0; index < value.length; index += 1)
      list.push(Object.hasOwn(value, index) ? copyOf(value[index], copies, depth + 1) : undefined);
    return list;
  }
  if (Object.prototype.toString.call(value) !== "[object Object]") return value;
  const copy: Record<string, unknown> = Object.create(null);
  copies.set(value, copy);
  for (const key of Object.keys(value))
    copy[key] = copyOf((value as Readonly<Record<string, unknown>>)[key], copies, depth + 1);
  return copy;
}
