import { describe, expect, test } from "bun:test";
import { runInNewContext } from "node:vm";
import { z } from "zod";
import { checkArguments } from "../../../src/tools/core/check-arguments.ts";

const schema = z.strictObject({
  path: z.string().min(1, "must not be empty"),
  count: z.int().min(1).max(10).optional(),
  mode: z.enum(["a", "b"]).default("a"),
  flag: z.boolean().optional(),
  list: z.array(z.string()).optional(),
  inner: z.strictObject({ x: z.number() }).optional(),
});

/** The message and the named argument of a refusal, or what the tool would get. */
function check(given: unknown) {
  return checkArguments(schema, given).match(
    (input) => ({ input: input as object }),
    ({ message, error }) => ({ code: error.code, message, details: error.details }),
  );
}

describe("arguments that are no JSON object", () => {
  class Arguments {
    readonly path = "x";
  }
  const NONE: readonly (readonly [string, unknown])[] = [
    ["null", null],
    ["a text", '{"path":"x"}'],
    ["a number", 1],
    ["a truth value", true],
    ["a list", [{ path: "x" }]],
    ["an object of a class", new Arguments()],
    ["a date", new Date()],
    ["a map", new Map([["path", "x"]])],
    ["a function", () => ({ path: "x" })],
    ["a symbol", Symbol("path")],
    ["bytes", new Uint8Array(1)],
    ["an object that inherits its fields", Object.create({ path: "x" })],
  ];
  for (const [name, given] of NONE)
    test(`${name} is refused`, () => {
      expect(check(given)).toEqual({
        code: "INVALID_ARGUMENT",
        message: "The arguments must be a JSON object.",
        details: {},
      });
    });

  test("nothing at all is the same as none", () => {
    expect(check(undefined)).toEqual({
      ...{ code: "INVALID_ARGUMENT", message: "path is required." },
      details: { argument: "path" },
    });
  });

  test("an object without a prototype, and one of another realm, are objects like any other", () => {
    const bare = Object.assign(Object.create(null), { path: "x" });
    const foreign: unknown = runInNewContext('({ path: "x" })');
    expect([check(bare), check(foreign)]).toEqual([
      { input: { path: "x", mode: "a" } },
      { input: { path: "x", mode: "a" } },
    ]);
  });
});

describe("a message names the argument and says what is wanted", () => {
  const WRONG: readonly (readonly [object, string])[] = [
    [{}, "path is required."],
    [{ path: undefined }, "path is required."],
    [{ path: null }, "path: invalid input: expected string, received null."],
    [{ path: 7 }, "path: invalid input: expected string, received number."],
    [{ path: ["x"] }, "path: invalid input: expected string, received array."],
    [{ path: "" }, "path: must not be empty."],
    [{ path: "x", count: null }, "count: invalid input: expected number, received null."],
    [{ path: "x", count: "3" }, "count: invalid input: expected number, received string."],
    [{ path: "x", count: 1.5 }, "count: invalid input: expected int, received number."],
    [{ path: "x", count: 0 }, "count: too small: expected number to be >=1."],
    [{ path: "x", count: 11 }, "count: too big: expected number to be <=10."],
    [{ path: "x", count: Number.NaN }, "count: invalid input: expected number, received NaN."],
    [{ path: "x", mode: "c" }, 'mode: invalid option: expected one of "a"|"b".'],
    [{ path: "x", mode: null }, 'mode: invalid option: expected one of "a"|"b".'],
    [{ path: "x", flag: "true" }, "flag: invalid input: expected boolean, received string."],
    [{ path: "x", list: "x" }, "list: invalid input: expected array, received string."],
    [{ path: "x", list: ["x", 2] }, "list[1]: invalid input: expected string, received number."],
    [{ path: "x", inner: { x: "1" } }, "inner.x: invalid input: expected number, received string."],
    [{ path: "x", inner: { x: 1, y: 2 } }, '"y" is no argument of inner.'],
    [{ path: "x", nonsense: 1 }, '"nonsense" is no argument of this tool.'],
    [{ path: "x", a: 1, b: 2 }, '"a", "b" are no arguments of this tool.'],
    [{ path: "x", constructor: 1 }, '"constructor" is no argument of this tool.'],
    [JSON.parse('{"path":"x","__proto__":1}'), '"__proto__" is no argument of this tool.'],
    [
      { path: 7, mode: "c" },
      'path: invalid input: expected string, received number; mode: invalid option: expected one of "a"|"b".',
    ],
  ];
  for (const [given, message] of WRONG)
    test(`${JSON.stringify(given)}: ${message}`, () => {
      expect(check(given)).toMatchObject({ code: "INVALID_ARGUMENT", message });
    });

  test("the details name the first of them", () => {
    expect([check({ path: "x", list: [1] }), check({ path: "x", nonsense: 1 })]).toMatchObject([
      { details: { argument: "list" } },
      { details: { argument: "nonsense" } },
    ]);
  });

  test("of hundreds of wrong ones five are named", () => {
    const many = checkArguments(z.strictObject({ list: z.array(z.string()) }), { list: Array(500).fill(1) });
    expect(many._unsafeUnwrapErr().message.split("; ")).toHaveLength(5);
  });

  test("a list of millions is refused by its length, before its items are looked at", () => {
    const looked = { at: 0 };
    const element = z.string().refine(() => ++looked.at > 0);
    const many = z.strictObject({ list: z.array(element) });
    const wordsOf = (length: number) =>
      checkArguments(many, { list: Array(length).fill("x") }).match(
        ({ list }) => list.length,
        ({ error: { code, message, details } }) => ({ code, message, details }),
      );
    expect([wordsOf(2_000_000), looked.at, wordsOf(100_000)]).toEqual([
      {
        code: "INVALID_ARGUMENT",
        message: "list: must have at most 100000 elements, and has 2000000.",
        details: { argument: "list" },
      },
      0,
      100_000,
    ]);
  });

  test("so are arguments by the hundred thousand", () => {
    const given = Object.fromEntries(Array.from({ length: 100_001 }, (_, index) => [`k${index}`, 1]));
    expect(check(given)).toEqual({
      code: "INVALID_ARGUMENT",
      message: "There must be at most 100000 arguments, and there are 100001.",
      details: {},
    });
  });

  test("a very long unknown name does not make a very long message", () => {
    const { message = "" } = check({ path: "x", ["k".repeat(100_000)]: 1 }) as { message?: string };
    expect(message.length).toBeLessThan(1000);
  });
});
