import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cutFindings, type Finding, MAX_FINDINGS } from "../../../src/domain/publish/findings.ts";

const numbered = (findings: readonly Finding[]) => findings.map((finding, id) => ({ ...finding, id }));
const anyFindings = fc
  .array(
    fc.record({
      rule: fc.constantFrom("left_out", "denied_path", "file_too_large"),
      level: fc.constantFrom("reject" as const, "report" as const),
    }),
    { maxLength: 3 * MAX_FINDINGS },
  )
  .map(numbered);

describe("a list of findings", () => {
  test("is shown whole, in its order, if it is short", () => {
    const findings = numbered([
      { rule: "left_out", level: "report" },
      { rule: "denied_path", level: "reject" },
    ]);
    expect(cutFindings(findings)).toEqual({ shown: findings, more: 0, moreOf: {} });
  });

  test("that is long keeps what rejects, and counts the rest by rule", () => {
    const reports = Array<Finding>(12_000).fill({ rule: "left_out", level: "report" });
    const cut = cutFindings([...reports, { rule: "denied_path", level: "reject" }]);
    expect(cut.shown.slice(0, 2).map(({ rule }) => rule)).toEqual(["denied_path", "left_out"]);
    expect([cut.shown.length, cut.more, cut.moreOf]).toEqual([MAX_FINDINGS, 11_951, { left_out: 11_951 }]);
  });

  test("is never longer than the limit, loses nothing from its count, and never a rejection for a report", () => {
    fc.assert(
      fc.property(anyFindings, (findings) => {
        const { shown, more, moreOf } = cutFindings(findings);
        expect(shown.length).toBe(Math.min(findings.length, MAX_FINDINGS));
        expect(shown.length + more).toBe(findings.length);
        expect(Object.values(moreOf).reduce((sum, count) => sum + count, 0)).toBe(more);
        const seen = new Set(shown.map(({ id }) => id));
        expect(seen.size).toBe(shown.length);
        const cut = findings.filter(({ id }) => !seen.has(id));
        const showsReport = shown.some(({ level }) => level === "report");
        expect(showsReport && cut.some(({ level }) => level === "reject")).toBe(false);
        for (const level of ["reject", "report"])
          expect(shown.filter((one) => one.level === level)).toEqual(
            findings.filter((one) => one.level === level && seen.has(one.id)),
          );
      }),
    );
  });
});
