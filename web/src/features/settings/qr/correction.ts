/** Adds the correction bytes of Reed and Solomon, and interleaves the blocks. */

/** Powers of two in the field of 256 elements, by x^8 + x^4 + x^3 + x^2 + 1. `LOGS` says which power a value is. */
const POWERS: number[] = [];
const LOGS: number[] = [];
for (let power = 0, value = 1; power < 255; power += 1) {
  POWERS[power] = value;
  LOGS[value] = power;
  value = value < 128 ? value * 2 : (value * 2) ^ 0x11d;
}

function times(one: number, other: number): number {
  if (one === 0 || other === 0) return 0;
  return POWERS[((LOGS[one] ?? 0) + (LOGS[other] ?? 0)) % 255] ?? 0;
}

/** The first blocks are shorter by a byte if the data do not divide. */
export function withCorrection(
  data: readonly number[],
  { blocks, correction }: { readonly blocks: number; readonly correction: number },
): readonly number[] {
  const short = Math.floor(data.length / blocks);
  const longOnes = data.length % blocks;
  const parts = Array.from({ length: blocks }, (_, index) => {
    const begin = index * short + Math.max(0, index - (blocks - longOnes));
    return data.slice(begin, begin + short + (index >= blocks - longOnes ? 1 : 0));
  });
  const checks = parts.map((part) => correctionOf(part, correction));
  return [...interleaved(parts), ...interleaved(checks)];
}

function interleaved(parts: readonly (readonly number[])[]): readonly number[] {
  const longest = Math.max(...parts.map((part) => part.length));
  return Array.from({ length: longest }, (_, index) => parts.flatMap((part) => part[index] ?? [])).flat();
}

/** The remainder of the data, as a polynomial, by (x - 2^0)(x - 2^1)… */
function correctionOf(data: readonly number[], count: number): readonly number[] {
  const generator = generatorOf(count);
  let rest: readonly number[] = Array.from({ length: count }, () => 0);
  for (const byte of data) {
    const factor = byte ^ (rest[0] ?? 0);
    rest = [...rest.slice(1), 0].map((value, index) => value ^ times(generator[index] ?? 0, factor));
  }
  return rest;
}

/** Its coefficients without the first one, which is 1. */
function generatorOf(count: number): readonly number[] {
  let coefficients: readonly number[] = [1];
  for (let root = 0; root < count; root += 1) {
    const shifted = [...coefficients, 0];
    const scaled = [0, ...coefficients.map((value) => times(value, POWERS[root] ?? 0))];
    coefficients = shifted.map((value, index) => value ^ (scaled[index] ?? 0));
  }
  return coefficients.slice(1);
}
