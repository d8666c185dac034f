/** Says quickly whether a line matches; it remembers which steps follow a set of steps and a kind of character. */
import type { CharacterTest, Step } from "./compile_regex.ts";
import type { Assertion } from "./parse_regex.ts";
import { holds, isWordCharacter } from "./word_character.ts";

/** A set of steps that may come next, before the next character is known. */
interface State {
  readonly steps: readonly number[];
  readonly before: number | null;
  /** By the kind of the next character. */
  readonly next: (State | typeof MATCH | undefined)[];
}

const MATCH = "match";
/** The kind of the position after the last character. */
const END = 0;
/** With more states than this, it is slower than to follow all ways at the same time. */
const MAX_STATES = 1000;

/** False if the line does not match. True if it does, or if this test is too expensive for the expression. */
export function lineTester(program: readonly Step[]): (line: string) => boolean {
  const kinds = characterKinds(program);
  const asserts = program.some(({ op }) => op === "assert");
  const states = new Map<string, State>();

  const stateOf = (steps: readonly number[], code: number | null): State => {
    // About the character before, only two facts matter: whether there is one, and whether it belongs to a word.
    const before = asserts && code !== null ? (isWordCharacter(code) ? LETTER : BLANK) : null;
    const key = `${before}:${steps.join()}`;
    const known = states.get(key);
    if (known !== undefined) return known;
    const state = { steps, before, next: [] };
    states.set(key, state);
    return state;
  };
  const move = ({ steps, before }: State, kind: number): State | typeof MATCH => {
    const after = kind === END ? null : kinds.example(kind);
    const reached = reach(program, [0, ...steps], (what) => holds(what, { before, after }));
    if (reached === MATCH) return MATCH;
    const next = new Set<number>();
    for (const step of reached) if (after !== null && step.test(after)) next.add(step.next);
    return stateOf(
      [...next].sort((a, b) => a - b),
      after,
    );
  };
  const moved = (state: State, kind: number): State | typeof MATCH => {
    const known = state.next[kind] ?? move(state, kind);
    state.next[kind] = known;
    return known;
  };

  return (line) => {
    if (states.size > MAX_STATES) return true;
    let state: State | typeof MATCH = stateOf([], null);
    for (let at = 0; at < line.length; at++) {
      let code = line.charCodeAt(at);
      if (code >= 0xd800 && code <= 0xdbff) {
        code = line.codePointAt(at) ?? code;
        if (code > 0xffff) at += 1;
      }
      state = moved(state, kinds.kindFor(code));
      if (state === MATCH || states.size > MAX_STATES) return true;
    }
    return moved(state, END) === MATCH;
  };
}

const LETTER = 0x61;
const BLANK = 0x20;

type Take = Extract<Step, { op: "take" }>;

/** The steps that take a character and can be reached without taking one. `match` if the end is among them. */
function reach(
  program: readonly Step[],
  from: readonly number[],
  allows: (what: Assertion) => boolean,
): readonly Take[] | typeof MATCH {
  const seen = new Set<number>();
  const pending = [...from];
  const takes: Take[] = [];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const step = program[at];
    if (step?.op === "match") return MATCH;
    if (step?.op === "take") takes.push(step);
    if (step?.op === "split") pending.push(step.first, step.second);
    if (step?.op === "assert" && allows(step.what)) pending.push(step.next);
  }
  return takes;
}

/** Sorts characters into kinds. No step of the program distinguishes two of one kind. Kind 0 is the end of the line. */
function characterKinds(program: readonly Step[]) {
  const tests = new Set<CharacterTest>([isWordCharacter]);
  for (const step of program) if (step.op === "take") tests.add(step.test);
  const bySignature = new Map<string, number>();
  const examples: number[] = [0];
  const ascii = new Int32Array(128).fill(-1);
  const others = new Map<number, number>();
  const kindOf = (code: number): number => {
    const signature = [...tests].map((test) => (test(code) ? "1" : "0")).join("");
    const known = bySignature.get(signature);
    if (known !== undefined) return known;
    bySignature.set(signature, examples.length);
    return examples.push(code) - 1;
  };
  return {
    example: (kind: number) => examples[kind] ?? 0,
    kindFor: (code: number): number => {
      const known = code < 128 ? ascii[code] : others.get(code);
      if (known !== undefined && known !== -1) return known;
      const kind = kindOf(code);
      if (code < 128) ascii[code] = kind;
      else others.set(code, kind);
      return kind;
    },
  };
}
