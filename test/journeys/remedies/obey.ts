/** Types a command that is refused, reads its remedy, does exactly that, and expects it to go through. */
import { expect } from "bun:test";
import { refused } from "../../helpers/journey.ts";
import type { Product, RunOptions } from "../../helpers/product.ts";
import { commandsIn, typed, wrongWords } from "./follow.ts";

export interface Scene {
  readonly title: string;
  /** The codes whose remedies it follows. */
  readonly codes: readonly string[];
  /** `done` takes the codes that are obeyed in another way than by `obey`. */
  play(product: Product, obey: Obey, done: Set<string>): Promise<void>;
}

export interface Refused {
  readonly code: string;
  /** The command that is refused, after `tazuna`. */
  readonly args: readonly string[];
  readonly where?: RunOptions;
  /** What the remedy has to say; for a value that the test knows. */
  readonly says?: string | RegExp;
  /** What the remedy asks of a person. */
  readonly person?: (remedy: string) => Promise<unknown>;
  /**
   * What the remedy wants typed. That is all its commands in order, the first or the last, or the refused command,
   * unchanged or corrected.
   */
  /** In place of the refused command, if the person has done what that was for. */
  readonly again?: readonly string[];
  readonly type: "commands" | "first" | "last" | "again" | "corrected" | "commands and again";
}

export type Obey = (refusal: Refused) => Promise<string>;

/** What it returns is the remedy. Codes that were obeyed are added to `done`. */
export function obeyIn(product: Product, done: Set<string>): Obey {
  return async ({ code, args, where = {}, says, person, type, again }) => {
    const { error } = await refused(product, args, where);
    const { remedy } = error;
    expect([args.join(" "), error.code, remedy]).toEqual([
      args.join(" "),
      code,
      expect.stringMatching(says ?? /./),
    ]);
    const wrong = wrongWords(remedy, { worktree: true }).filter((word) => word !== "it names no command");
    expect({ remedy, wrong }).toEqual({ remedy, wrong: [] });
    await person?.(remedy);
    const all = commandsIn(remedy);
    const lines = type.startsWith("commands")
      ? all
      : type === "first"
        ? all.slice(0, 1)
        : type === "last"
          ? all.slice(-1)
          : [];
    if (/command|first|last/.test(type))
      expect({ remedy, lines: lines.length }).not.toEqual({ remedy, lines: 0 });
    for (const line of lines)
      expect({ line, ...(await typed(product, line, where.cwd)) }).toMatchObject({ line, code: 0 });
    if (type === "corrected") await goesThrough(product, corrected(args, remedy), where);
    if (type.endsWith("again")) await goesThrough(product, again ?? args, where);
    done.add(code);
    return remedy;
  };
}

async function goesThrough(product: Product, args: readonly string[], where: RunOptions): Promise<void> {
  const { code, stdout, stderr } = await product.tazuna(args, where);
  expect({ args, code, said: code === 0 ? "" : stdout + stderr }).toEqual({ args, code: 0, said: "" });
}

/** `Leave out` removes a flag. A flag in place of another takes its position. Any other flag in the words is added. */
export function corrected(args: readonly string[], remedy: string): readonly string[] {
  const flags = [...remedy.matchAll(/`(--[a-z-]+)(?: ([^`]+))?`/g)].map(([, flag = "", value]) => ({
    flag,
    value,
  }));
  const [first] = flags;
  if (first === undefined) return args;
  const without = (flag: string) => {
    const at = args.indexOf(flag);
    return at < 0
      ? args
      : args.filter((_, index) => index !== at && (flag === "--from-worktree" || index !== at + 1));
  };
  if (/leave out `$/i.test(remedy.slice(0, remedy.indexOf(first.flag)))) return without(first.flag);
  const other = /in place of `(--[a-z-]+)/.exec(remedy)?.[1] ?? first.flag;
  return [...without(other), first.flag, ...(first.value === undefined ? [] : [first.value])];
}
