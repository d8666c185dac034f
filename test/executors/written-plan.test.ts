/** Holds that plans which agents write with a tool are told as plans. */
import { expect, test } from "bun:test";
import { plansOf } from "../../src/executors/shared/plan.ts";

test("the list of TodoWrite and of write_todos is a plan", () => {
  const todos = [
    { content: "Read", status: "completed" },
    { content: "Write", status: "in_progress" },
    { description: "Test", status: "anything else" },
  ];
  const entries: ReturnType<typeof plansOf>[number]["entries"] = [
    { content: "Read", status: "completed" },
    { content: "Write", status: "in_progress" },
    { content: "Test", status: "pending" },
  ];
  expect(plansOf({ tool: "TodoWrite", input: { todos } })).toEqual([{ kind: "plan", entries }]);
  expect(plansOf({ tool: "write_todos", input: { todos } })).toEqual([{ kind: "plan", entries }]);
});

test("other tools, and a list that is none, are no plan", () => {
  expect(plansOf({ tool: "Read", input: { todos: [{ content: "x", status: "pending" }] } })).toEqual([]);
  expect(plansOf({ tool: "TodoWrite", input: { todos: "all of it" } })).toEqual([]);
  expect(plansOf({ tool: "TodoWrite", input: {} })).toEqual([]);
});
