/** Turns an expression into a program that runs over a text once, for any form of expression. */
import type { Assertion, CharacterSet, RegexNode } from "./parse_regex.ts";

/** One step: take a character, split in two (the first way is preferred), check the place, or be done. */
export type Step =
  | { readonly op: "take"; readonly test: CharacterTest; next: number }
  | { readonly op: "split"; first: number; second: number }
  | { readonly op: "assert"; readonly what: Assertion; next: number }
  | { readonly op: "match" };

/** Whether a character, given by its code point, belongs to a set. */
export type CharacterTest = (code: number) => boolean;

/** With more steps, a long line takes too long. */
const MAX_STEPS = 2000;

/** Null if the program would become too large. */
export function compileRegex(
  node: RegexNode,
  options: { readonly foldsCase: boolean },
): readonly Step[] | null {
  if (sizeOf(node) >= MAX_STEPS) return null;
  const steps: Step[] = [];
  const tests = new Map<string, CharacterTest>();
  const testOf = (set: CharacterSet): CharacterTest => {
    const known = tests.get(set.js) ?? characterTest(set, options);
    tests.set(set.js, known);
    return known;
  };
  emit(node, steps, testOf);
  steps.push({ op: "match" });
  return steps;
}

/** The number of steps, with every repeat written out. */
function sizeOf(node: RegexNode): number {
  if (node.kind === "set" || node.kind === "assert") return 1;
  if (node.kind !== "repeat") {
    const jumps = node.kind === "choice" ? 2 : 0;
    return node.parts.reduce((sum, part) => sum + sizeOf(part) + jumps, 0);
  }
  const times = node.max === Number.POSITIVE_INFINITY ? Math.max(node.min, 1) : node.max;
  return Math.min(MAX_STEPS, times * (sizeOf(node.part) + 2));
}

/** After each piece, the program continues with the next step. */
function emit(node: RegexNode, steps: Step[], testOf: (set: CharacterSet) => CharacterTest): void {
  if (node.kind === "set") steps.push({ op: "take", test: testOf(node.set), next: steps.length + 1 });
  if (node.kind === "assert") steps.push({ op: "assert", what: node.what, next: steps.length + 1 });
  if (node.kind === "sequence") for (const part of node.parts) emit(part, steps, testOf);
  if (node.kind === "choice") emitChoice(node.parts, steps, testOf);
  if (node.kind === "repeat") emitRepeat(node, steps, testOf);
}

function emitChoice(
  parts: readonly RegexNode[],
  steps: Step[],
  testOf: (set: CharacterSet) => CharacterTest,
): void {
  const jumps: { op: "split"; first: number; second: number }[] = [];
  for (const [index, part] of parts.entries()) {
    const split = { op: "split" as const, first: steps.length + 1, second: steps.length + 1 };
    steps.push(split);
    emit(part, steps, testOf);
    if (index === parts.length - 1) continue;
    const jump = { op: "split" as const, first: 0, second: 0 };
    steps.push(jump);
    jumps.push(jump);
    split.second = steps.length;
  }
  for (const jump of jumps) [jump.first, jump.second] = [steps.length, steps.length];
}

function emitRepeat(
  { part, min, max, lazy }: Extract<RegexNode, { kind: "repeat" }>,
  steps: Step[],
  testOf: (set: CharacterSet) => CharacterTest,
): void {
  for (let time = 0; time < min; time++) emit(part, steps, testOf);
  const branch = () => {
    const split = { op: "split" as const, first: steps.length + 1, second: steps.length + 1 };
    steps.push(split);
    return split;
  };
  const leave = (split: { first: number; second: number }, to: number) => {
    if (lazy) [split.first, split.second] = [to, split.first];
    else split.second = to;
  };
  if (max === Number.POSITIVE_INFINITY) {
    const at = steps.length;
    const split = branch();
    emit(part, steps, testOf);
    steps.push({ op: "split", first: at, second: at });
    leave(split, steps.length);
    return;
  }
  const splits = Array.from({ length: max - min }, () => {
    const split = branch();
    emit(part, steps, testOf);
    return split;
  });
  for (const split of splits) leave(split, steps.length);
}

/**
 * Asks JavaScript's own engine about one character at a time, and remembers the answers. No set holds the zero
 * character.
 */
function characterTest({ js }: CharacterSet, { foldsCase }: { readonly foldsCase: boolean }): CharacterTest {
  const pattern = new RegExp(`^${js}$`, foldsCase ? "iv" : "v");
  const ascii = Uint8Array.from({ length: 128 }, (_, code) =>
    // ripgrep takes it for the end of a line, because it would otherwise keep whole disk images in memory.
    Number(code !== 0 && pattern.test(String.fromCharCode(code))),
  );
  const others = new Map<number, boolean>();
  return (code) => {
    if (code < 128) return ascii[code] === 1;
    const known = others.get(code);
    if (known !== undefined) return known;
    const belongs = pattern.test(String.fromCodePoint(code));
    others.set(code, belongs);
    return belongs;
  };
}
