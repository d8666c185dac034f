/** Declares the tools with which an agent looks: attempts, one of them, its patch, a comparison. */
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { findNamed } from "../../contract/client/named-thing.ts";
import { ATTEMPT_ENDPOINTS } from "../../contract/endpoints/attempts.ts";
import { DECISION_ENDPOINTS } from "../../contract/endpoints/decisions.ts";
import { pageQuery } from "../../contract/endpoints/fields.ts";
import type { ApiError } from "../../contract/problem.ts";
import { attemptField, controlTool, type Engine, taskField } from "./control-tool.ts";
import { cutDiff } from "./cut-diff.ts";
import { findAttempt } from "./find-attempt.ts";

/** A query string has texts; an agent sends numbers and booleans. */
const limit = z.int().min(1).max(50).default(20);
const DIFF_BYTES = 64 * 1024;
const MAX_DIFF_BYTES = 1024 * 1024;

const diffFields = ATTEMPT_ENDPOINTS.diff.request.shape;

export const LOOK_TOOLS = [
  controlTool({
    name: "list_attempts",
    title: "List attempts",
    description: "Lists attempts of all tasks with their runs, the newest first, in pages.",
    readOnly: true,
    input: pageQuery.extend({ limit }),
    output: ATTEMPT_ENDPOINTS.attempts.answer,
    act: (args, { engine }) => engine.ask((client) => client.attempts(args)),
  }),
  controlTool({
    name: "get_attempt",
    title: "Show an attempt",
    description:
      "Shows an attempt: its state, branch and changes, and its runs with what each asks a person, its checks and why it failed.",
    readOnly: true,
    input: z.strictObject({ attempt: attemptField }),
    output: ATTEMPT_ENDPOINTS.attempt.answer,
    act: async (args, { engine }) => {
      const found = await findAttempt(engine, args.attempt);
      if (found.isErr()) return err(found.error);
      return engine.ask((client) => client.attempt(found.value.attempt.id));
    },
  }),
  controlTool({
    name: "get_diff",
    title: "Show what an attempt changed",
    description:
      "Shows the changed files and the patch of an attempt, or how it differs from another one. A long patch is cut; `truncated` says how much of it is shown, and `path` shows one file.",
    readOnly: true,
    input: z.strictObject({
      attempt: attemptField,
      other: diffFields.other,
      path: diffFields.path,
      max_bytes: z.int().min(1).max(MAX_DIFF_BYTES).default(DIFF_BYTES),
    }),
    output: ATTEMPT_ENDPOINTS.diff.answer,
    act: async ({ attempt, other, path, max_bytes }, { engine }) => {
      const found = await findAttempt(engine, attempt);
      if (found.isErr()) return err(found.error);
      const against = await attemptId(engine, other);
      if (against.isErr()) return err(against.error);
      const query = { path, other: against.value };
      const diff = await engine.ask((client) => client.diff(found.value.attempt.id, query));
      return diff.map((whole) => cutDiff(whole, max_bytes));
    },
  }),
  controlTool({
    name: "compare_task",
    title: "Compare the attempts of a task",
    description:
      "Compares the attempts of a task: checks, files, lines, costs, time, and the files that several of them changed.",
    readOnly: true,
    input: z.strictObject({ task: taskField, hide_names: z.boolean().default(false) }),
    output: DECISION_ENDPOINTS.compare.answer,
    act: async ({ task, hide_names }, { engine }) => {
      const found = await findNamed(engine, task);
      if (found.isErr()) return err(found.error);
      return engine.ask((client) => client.compare(found.value.found.task, { hide_names }));
    },
  }),
];

async function attemptId(engine: Engine, id: string | null): Promise<Result<string | null, ApiError>> {
  if (id === null) return ok(null);
  return (await findAttempt(engine, id)).map(({ attempt }) => attempt.id);
}
