/** Holds what the new-task form sends, and the command that it shows. */
import { describe, expect, test } from "bun:test";
import {
  attemptsOf,
  commandOf,
  draftOf,
  EMPTY_FORM,
  formOf,
  isEmpty,
  presetName,
  presetsFor,
  previewOf,
  requestOf,
  type TaskForm,
  withCount,
  withModel,
  withOwnPresets,
} from "../../web/src/features/new-task/form.ts";
import { sortForTakeBack } from "../../web/src/features/new-task/taken-back.ts";

const written: TaskForm = { ...EMPTY_FORM, issue: "Mend the import", repository: "r1" };

describe("the new-task form", () => {
  test("asks for nothing as long as issue, repository or agents are missing", () => {
    const full = withCount(written, "codex", 1);
    expect(requestOf(full)).not.toBeNull();
    expect(requestOf({ ...full, issue: "  " })).toBeNull();
    expect(requestOf({ ...full, repository: null })).toBeNull();
    expect(requestOf(withCount(full, "codex", 0))).toBeNull();
  });

  test("names an agent once for each of its attempts, with its model", () => {
    const form = withModel(
      withCount(withCount(written, "codex", 2), "claude-code", 1),
      "claude-code",
      "haiku",
    );
    expect(attemptsOf(form)).toBe(3);
    expect(requestOf(form)?.agents).toEqual(["codex", "codex", { id: "claude-code", model: "haiku" }]);
  });

  test("keeps the number of attempts of one agent from 0 to 9", () => {
    expect(attemptsOf(withCount(written, "codex", -1))).toBe(0);
    expect(attemptsOf(withCount(written, "codex", 12))).toBe(9);
  });

  test("sends limits only if they are numbers, and no base with the working tree", () => {
    const form = { ...withCount(written, "codex", 1), minutes: "30", budget: "2.5", base: "main" };
    expect(requestOf(form)).toMatchObject({
      base: "main",
      budget_usd: 2.5,
      settings: { "limits.timeout_s": 1800 },
    });
    const other = requestOf({ ...form, minutes: "soon", budget: "-1", fromWorktree: true });
    expect(other).toMatchObject({ base: null, from_worktree: true, budget_usd: null });
    expect(other?.settings).toBeUndefined();
  });

  test("offers one of each agent and three of one, the demo only if it is alone", () => {
    expect(presetsFor(["demo"]).map(({ agent }) => agent)).toEqual(["demo"]);
    const presets = presetsFor(["codex", "gemini", "demo"]);
    expect(presets.map(({ agent }) => agent)).toEqual([null, "codex", "gemini"]);
    expect(Object.keys(presets[0]?.agents ?? {})).toEqual(["codex", "gemini"]);
    const kept = [
      { gone: { count: 1, model: "" } },
      { codex: { count: 2, model: "" }, gone: { count: 1, model: "" } },
    ];
    const all = withOwnPresets(kept, presets, ["codex", "gemini", "demo"]);
    expect(all.map((each) => [each.own, presetName(each)])).toEqual([
      [1, "codex ×2"],
      [null, "codex + gemini"],
      [null, "codex ×3"],
      [null, "gemini ×3"],
    ]);
  });

  test("writes the command so that a shell takes every word as it is", () => {
    const form = { ...withCount(written, "codex", 1), issue: "Don't `rm`", base: "v1.0", offline: true };
    expect(commandOf(form, { short: false })).toBe(
      "tazuna run 'Don'\\''t `rm`' --agent codex --base v1.0 --offline",
    );
    expect(commandOf(form, { short: true })).toBe('tazuna run "…" --agent codex --base v1.0 --offline');
  });

  test("comes back from its draft as it was", () => {
    const form: TaskForm = {
      ...withModel(withCount(withCount(written, "codex", 2), "claude-code", 1), "claude-code", "haiku"),
      context: "The importer",
      minutes: "30",
      budget: "2.5",
      publish: "hold",
    };
    expect(draftOf(formOf(draftOf(form)))).toEqual(draftOf(form));
    expect(isEmpty(formOf(draftOf(form)))).toBe(false);
    expect(isEmpty(formOf(draftOf(EMPTY_FORM)))).toBe(true);
  });

  test("is previewed before it has words, and words change nothing in that", () => {
    const form = withCount({ ...written, issue: "" }, "codex", 1);
    expect(previewOf(form)).toEqual(previewOf({ ...form, issue: "Mend", context: "more" }));
    expect(previewOf({ ...form, repository: null })).toBeNull();
  });
});

test("a start that is taken back cancels what has not begun, and tells what works from what has ended", () => {
  const attempt = (id: string, ...statuses: string[]) =>
    ({ id, runs: statuses.map((status) => ({ status, held: false, question: null })) }) as never;
  const { unbegun, goOn, ended } = sortForTakeBack([
    attempt("waits", "PENDING"),
    attempt("works", "RUNNING"),
    attempt("failed", "FAILED"),
    attempt("pushed", "SUCCEEDED"),
    attempt("continued", "FAILED", "PENDING"),
  ]);
  const ids = (attempts: typeof goOn) => attempts.map(({ id }) => id);
  expect(ids(unbegun)).toEqual(["waits"]);
  expect(ids(goOn)).toEqual(["works", "continued"]);
  expect(ids(ended)).toEqual(["failed", "pushed"]);
});
