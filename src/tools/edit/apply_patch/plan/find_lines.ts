/** Finds the places of some lines in a file. */

/** Every index at or after `from` at which all of `wanted` stand in a row. Takes time linear in both. */
export function occurrences(lines: readonly string[], wanted: readonly string[], from: number): number[] {
  const found: number[] = [];
  const fallback = fallbacks(wanted);
  let matched = 0;
  for (let at = from; at < lines.length; at++) {
    while (matched > 0 && lines[at] !== wanted[matched]) matched = fallback[matched - 1] ?? 0;
    if (lines[at] === wanted[matched]) matched += 1;
    if (matched < wanted.length) continue;
    found.push(at - matched + 1);
    matched = fallback[matched - 1] ?? 0;
  }
  return found;
}

/** Whether all of `wanted` stand at this exact index. */
export function standsAt(lines: readonly string[], wanted: readonly string[], at: number): boolean {
  return at + wanted.length <= lines.length && wanted.every((line, index) => lines[at + index] === line);
}

/** For each start, the first place at or after it, without repeats. Both lists and the answer ascend. */
export function firstBehind(places: readonly number[], starts: readonly number[]): number[] {
  const found: number[] = [];
  let next = 0;
  for (const start of starts) {
    while ((places[next] ?? start) < start) next += 1;
    const place = places[next];
    if (place === undefined) break;
    if (found.at(-1) !== place) found.push(place);
  }
  return found;
}

/** For each length, how much of the beginning also stands at the end (Knuth, Morris and Pratt). */
function fallbacks(wanted: readonly string[]): number[] {
  const table = [0];
  let matched = 0;
  for (let at = 1; at < wanted.length; at++) {
    while (matched > 0 && wanted[at] !== wanted[matched]) matched = table[matched - 1] ?? 0;
    if (wanted[at] === wanted[matched]) matched += 1;
    table.push(matched);
  }
  return table;
}
