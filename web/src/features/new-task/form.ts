/** What the new-task form holds, and the request and the command that it stands for. */
import type { TaskDraft } from "@contract/endpoints/drafts.ts";
import type { CreateTaskRequest } from "@contract/endpoints/tasks.ts";

export type Publish = NonNullable<CreateTaskRequest["publish"]>;

interface AgentChoice {
  readonly count: number;
  /** Empty: the agent's own. */
  readonly model: string;
}

export interface TaskForm {
  /** Empty: made from the issue. */
  readonly title: string;
  readonly issue: string;
  readonly context: string;
  readonly constraints: string;
  /** The id of a repository; null before one is chosen. */
  readonly repository: string | null;
  /** Empty: the configured one. */
  readonly base: string;
  readonly fromWorktree: boolean;
  readonly agents: Readonly<Record<string, AgentChoice>>;
  /** Null: as configured. */
  readonly publish: Publish | null;
  /** As written; empty: as configured. */
  readonly budget: string;
  readonly minutes: string;
  readonly offline: boolean;
}

export const EMPTY_FORM: TaskForm = {
  title: "",
  issue: "",
  context: "",
  constraints: "",
  repository: null,
  base: "",
  fromWorktree: false,
  agents: {},
  publish: null,
  budget: "",
  minutes: "",
  offline: false,
};

const MOST_OF_ONE = 9;

export function countOf({ agents }: Pick<TaskForm, "agents">, id: string): number {
  return agents[id]?.count ?? 0;
}

export function attemptsOf({ agents }: Pick<TaskForm, "agents">): number {
  return Object.values(agents).reduce((sum, { count }) => sum + count, 0);
}

export function withCount(form: TaskForm, id: string, count: number): TaskForm {
  const kept = Math.max(0, Math.min(MOST_OF_ONE, count));
  return withAgent(form, id, { count: kept });
}

export function withModel(form: TaskForm, id: string, model: string): TaskForm {
  return withAgent(form, id, { model });
}

function withAgent(form: TaskForm, id: string, change: Partial<AgentChoice>): TaskForm {
  const before = form.agents[id] ?? { count: 0, model: "" };
  return { ...form, agents: { ...form.agents, [id]: { ...before, ...change } } };
}

/** A number as a person writes it; null if it is none. */
function numberOf(text: string): number | null {
  const value = Number(text.trim());
  return text.trim() !== "" && Number.isFinite(value) && value > 0 ? value : null;
}

/** Null as long as something is missing. */
export function requestOf(form: TaskForm): CreateTaskRequest | null {
  const { repository } = form;
  if (repository === null || form.issue.trim() === "" || attemptsOf(form) === 0) return null;
  return { ...placedOf(form), repository, issue: form.issue, ...wordsOf(form) };
}

/** What decides how the task would begin: all but its words. Null before a repository is chosen. */
export function previewOf(form: TaskForm): PreviewAsked | null {
  const { repository } = form;
  return repository === null ? null : { ...placedOf(form), repository };
}

export type PreviewAsked = Omit<CreateTaskRequest, "issue">;

function wordsOf({ title, context, constraints }: TaskForm) {
  return { title: textOf(title), context: textOf(context), constraints: textOf(constraints) };
}

function placedOf(form: TaskForm) {
  const minutes = numberOf(form.minutes);
  return {
    base: form.fromWorktree ? null : textOf(form.base),
    from_worktree: form.fromWorktree,
    agents: chosenAgents(form).map(({ id, model }) => (model === null ? id : { id, model })),
    publish: form.publish,
    offline: form.offline,
    budget_usd: numberOf(form.budget),
    ...(minutes === null ? {} : { settings: { "limits.timeout_s": Math.round(minutes * 60) } }),
  };
}

/** What the server keeps while the form is filled in. */
export function draftOf(form: TaskForm): TaskDraft {
  const { repository, issue, context, constraints, publish, fromWorktree, offline } = form;
  const minutes = numberOf(form.minutes);
  return {
    repository,
    title: textOf(form.title),
    issue,
    context,
    constraints,
    base: textOf(form.base),
    agents: chosenAgents(form),
    publish,
    branch: null,
    from_worktree: fromWorktree,
    offline,
    budget_usd: numberOf(form.budget),
    settings: minutes === null ? {} : { "limits.timeout_s": Math.round(minutes * 60) },
  };
}

/** The form that a draft was made of. An agent has one model, that of its first attempt. */
export function formOf(draft: TaskDraft): TaskForm {
  const seconds = Number(draft.settings["limits.timeout_s"] ?? 0);
  const form: TaskForm = {
    ...EMPTY_FORM,
    title: draft.title ?? "",
    issue: draft.issue,
    context: draft.context,
    constraints: draft.constraints,
    repository: draft.repository,
    base: draft.base ?? "",
    fromWorktree: draft.from_worktree,
    publish: draft.publish,
    offline: draft.offline,
    budget: draft.budget_usd === null ? "" : String(draft.budget_usd),
    minutes: seconds > 0 ? String(seconds / 60) : "",
  };
  return draft.agents.reduce<TaskForm>((made, { id, model }) => {
    const counted = withCount(made, id, countOf(made, id) + 1);
    return model === null ? counted : withModel(counted, id, model);
  }, form);
}

/** The same words and agents in the repository that a person asked for. A base is one of its own repository. */
export function inRepository(form: TaskForm, wanted: string | null): TaskForm {
  return wanted === null || wanted === form.repository ? form : { ...form, repository: wanted, base: "" };
}

/** Nobody has written or chosen anything yet. */
export function isEmpty({ title, issue, context, constraints, agents }: TaskForm): boolean {
  const isBlank = [title, issue, context, constraints].every((text) => text.trim() === "");
  return isBlank && attemptsOf({ agents }) === 0;
}

/** One entry for each attempt, in the order of the rows. */
function chosenAgents({ agents }: Pick<TaskForm, "agents">) {
  return Object.entries(agents).flatMap(([id, { count, model }]) =>
    Array.from({ length: count }, () => ({ id, model: textOf(model) })),
  );
}

function textOf(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}

export interface Preset {
  /** Null: one attempt of each agent. */
  readonly agent: string | null;
  readonly agents: TaskForm["agents"];
  /** What a person kept has the place in their list; null for a ready one. */
  readonly own: number | null;
}

const MOST_PRESETS = 9;

/** Those that a person kept come first. Agents that are not here any more are left out of them. */
export function withOwnPresets(
  kept: readonly TaskForm["agents"][],
  ready: readonly Preset[],
  known: readonly string[],
): readonly Preset[] {
  const own = kept.flatMap((agents, index): readonly Preset[] => {
    const there = Object.entries(agents).filter(([id, { count }]) => known.includes(id) && count > 0);
    return there.length === 0 ? [] : [{ agent: null, agents: Object.fromEntries(there), own: index }];
  });
  return [...own, ...ready].slice(0, MOST_PRESETS);
}

/** Such as `codex ×2 + gemini`. */
export function presetName({ agents }: Preset): string {
  return Object.entries(agents)
    .filter(([, { count }]) => count > 0)
    .map(
      ([id, { count, model }]) => `${id}${model === "" ? "" : ` ${model}`}${count > 1 ? ` ×${count}` : ""}`,
    )
    .join(" + ");
}

/** One of each agent that can run, and three of one. The demo stands in if no other can. */
export function presetsFor(ready: readonly string[]): readonly Preset[] {
  const own = ready.filter((id) => id !== "demo");
  const ids = own.length === 0 ? ready : own;
  const oneEach = Object.fromEntries(ids.map((id) => [id, { count: 1, model: "" }]));
  return [
    ...(ids.length > 1 ? [{ agent: null, agents: oneEach, own: null }] : []),
    ...ids.map((id) => ({ agent: id, agents: { [id]: { count: 3, model: "" } }, own: null })),
  ].slice(0, MOST_PRESETS);
}

/** The same task on the command line. `short` leaves the text of the issue out. */
export function commandOf(form: TaskForm, options: { readonly short: boolean }): string {
  const given = (flag: string, text: string) => (text.trim() === "" ? [] : [flag, quoted(text.trim())]);
  return [
    "tazuna run",
    options.short ? '"…"' : quoted(form.issue.trim()),
    ...(options.short ? [] : given("--context", form.context)),
    ...(options.short ? [] : given("--constraints", form.constraints)),
    ...given("--title", form.title),
    ...chosenAgents(form).flatMap(({ id }) => ["--agent", id]),
    ...(form.fromWorktree ? ["--from-worktree"] : given("--base", form.base)),
    ...given("--budget", form.budget),
    ...(form.offline ? ["--offline"] : []),
  ].join(" ");
}

function quoted(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
