import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { IssueDefinitionAggregate } from "../../../src/domain/issue/issue-definition-aggregate.ts";

// Real files and many runs, on a busy machine.
setDefaultTimeout(150_000);

const createdAt = new Date("2026-01-31T09:05:00.000Z");
const define = (request: Parameters<typeof IssueDefinitionAggregate.defineIssue>[0]) =>
  IssueDefinitionAggregate.defineIssue(request, { createdAt });
const good = { issue: "title", context: "background", constraints: "limits" };

describe("IssueDefinitionAggregate", () => {
  test("seed 004 Domain-Driven Design Alignment: IssueDefinitionAggregate defines an issue, with createdAt handed in", () => {
    expect(define(good)._unsafeUnwrap() as object).toEqual({ ...good, createdAt });
  });

  test("the three texts are kept without the white space at their ends, of any script", () => {
    const padded = { issue: "\u3000 課題\n", context: "\t背景 の話 \r\n", constraints: "\u00a0制約\ufeff" };
    expect(define(padded)._unsafeUnwrap() as object).toEqual({
      issue: "課題",
      context: "背景 の話",
      constraints: "制約",
      createdAt,
    });
  });

  test("seed 004 Domain-Driven Design Alignment: the texts of issue, context and constraints refuse what is missing, blank or too long", () => {
    const failed = define({ issue: " ".repeat(300), context: 7, constraints: "x".repeat(4001) });
    expect(failed._unsafeUnwrapErr()).toEqual({
      type: "ValidationFailed",
      validationErrors: [
        { type: "too_short", field: "issue", message: "must not be blank" },
        { type: "invalid_type", field: "context", message: "must be text" },
        {
          type: "too_long",
          field: "constraints",
          message: "must have at most 4000 characters, and has 4001",
          most: 4000,
          actual: 4001,
        },
      ],
    });
    const types = (request: object) =>
      define(request)
        ._unsafeUnwrapErr()
        .validationErrors.map(({ field, type }) => `${field} ${type}`);
    expect(types({})).toEqual(["issue required", "context required", "constraints required"]);
    expect(types({ ...good, context: null })).toEqual(["context required"]);
    expect(types({ ...good, constraints: ["a"] })).toEqual(["constraints invalid_type"]);
  });

  test("at most 200, 4,000 and 4,000 characters, counted as UTF-16 units after trimming", () => {
    const longest = { issue: "あ".repeat(200), context: "c".repeat(4000), constraints: "😀".repeat(2000) };
    expect(define(longest)._unsafeUnwrap() as object).toEqual({ ...longest, createdAt });
    expect(define({ ...longest, issue: `  ${longest.issue}\n` }).isOk()).toBe(true);
    const over = (texts: object) => define({ ...good, ...texts })._unsafeUnwrapErr().validationErrors;
    const tooLong = (field: "issue" | "context" | "constraints", most: number, actual: number) => ({
      type: "too_long" as const,
      field,
      message: `must have at most ${most} characters, and has ${actual}`,
      most,
      actual,
    });
    expect(over({ issue: "😀".repeat(101) })).toEqual([tooLong("issue", 200, 202)]);
    expect(over({ issue: "i".repeat(201) })).toEqual([tooLong("issue", 200, 201)]);
    expect(over({ context: "c".repeat(4001) })).toEqual([tooLong("context", 4000, 4001)]);
    expect(over({ constraints: "😀".repeat(2001) })).toEqual([tooLong("constraints", 4000, 4002)]);
  });

  test("whatever it is given, it answers either the trimmed texts or every field that is wrong", () => {
    const anything = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.string({ unit: "grapheme", minLength: 190, maxLength: 210 }),
      fc.constantFrom("", " ", "\n\u3000", "x".repeat(4000), "x".repeat(4001)),
      fc.anything(),
    );
    fc.assert(
      fc.property(anything, anything, anything, (issue, context, constraints) => {
        const fits = (value: unknown, most: number) =>
          typeof value === "string" && value.trim() !== "" && value.trim().length <= most;
        const wrong = [
          ...(fits(issue, 200) ? [] : ["issue"]),
          ...(fits(context, 4000) ? [] : ["context"]),
          ...(fits(constraints, 4000) ? [] : ["constraints"]),
        ];
        const result = define({ issue, context, constraints });
        const told = result.match(
          () => [],
          (failed) => failed.validationErrors.map(({ field }) => field as string),
        );
        expect(told).toEqual(wrong);
        if (result.isErr()) return;
        const [a, b, c] = [issue, context, constraints].map((text) => String(text).trim());
        expect(result.value as unknown).toEqual({ issue: a, context: b, constraints: c, createdAt });
      }),
    );
  });
});
