import { expect, test } from "bun:test";
import { approvalsOf } from "../../src/domain/question/approvals.ts";

test("without a setting, a person is asked under the guard alone", () => {
  expect(approvalsOf(null, "guard")).toBe("ask");
  expect(approvalsOf(null, "sandbox")).toBe("never");
});

test("a setting holds in both", () => {
  expect(approvalsOf("never", "guard")).toBe("never");
  expect(approvalsOf("ask", "sandbox")).toBe("ask");
});
