/** Runs the whole product with the installed agent CLIs, each with its own HOME and a scripted model. */
import { describe, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LogLine } from "../../src/contract/endpoints/runs.ts";
import type { AttemptDocument, RunDocument } from "../../src/contract/task-document.ts";
import { KEEPER_FILES, type KeeperRecord } from "../../src/keeper/files.ts";
import { type AgentHome, agentHome, type RealAgentId } from "./agent-home.ts";
import type { Script } from "./fake-model/script.ts";
import { type FakeModel, startFakeModel } from "./fake-model/start-fake-model.ts";
import { ask, type TaskEnd } from "./journey.ts";
import { type Product, startProduct } from "./product.ts";
import { type RealAgent, realAgent } from "./real-agents.ts";
import { OUTSIDE_DEV } from "./temp-dir.ts";
import { deep } from "./tier.ts";

const REAL_AGENTS: readonly { readonly id: RealAgentId; readonly real: RealAgent }[] = [
  { id: "claude-code", real: realAgent("claude") },
  { id: "codex", real: realAgent("codex") },
  { id: "gemini", real: realAgent("gemini") },
  { id: "opencode", real: realAgent("opencode") },
];

/** The agents that are installed here. */
export const INSTALLED: readonly RealAgentId[] = REAL_AGENTS.filter(({ real }) => real.skip === null).map(
  ({ id }) => id,
);

/**
 * Declares deep tests with the agents that are installed. For each missing agent it declares a skipped test with the
 * reason; all are skipped if none is there.
 */
export function describeReal(
  what: string,
  declare: () => void,
  options: { readonly missing?: string | null } = {},
): void {
  for (const { id, real } of REAL_AGENTS)
    if (real.skip !== null) test.skip(deep(`${what}: ${id} [skipped: ${real.skip}]`), () => {});
  const none = INSTALLED.length === 0 ? "no agent is installed: run `npm run agents`" : null;
  const missing = none ?? options.missing ?? null;
  const skip = missing === null ? "" : ` [skipped: ${missing}]`;
  describe.skipIf(skip !== "")(deep(`${what}${skip}`), declare);
}

export interface RealProduct extends AsyncDisposable {
  readonly product: Product;
  readonly model: FakeModel;
  /** The pinned versions of the installed agents. */
  readonly versions: Readonly<Partial<Record<RealAgentId, string>>>;
  home(agent: RealAgentId): AgentHome;
  /** What `agents.NAME` says of an installed agent, each with `over` in place of its own. */
  profiles(
    over?: (agent: RealAgentId) => Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>>;
  /** `tazuna run INSTRUCTION` with all installed agents, or those named. */
  run(instruction: string, agents?: readonly RealAgentId[]): Promise<TaskEnd>;
  /** The same with `--detach`. */
  begin(instruction: string, agents?: readonly RealAgentId[]): Promise<TaskEnd>;
  /** `tazuna continue` of each attempt, side by side; the last run of each. */
  continueEach(attempts: readonly AttemptDocument[], instruction: string): Promise<readonly TaskEnd[]>;
  /** The lines of a run's log, as `tazuna logs RUN --json` tells them. */
  log(run: string): Promise<readonly LogLine[]>;
  /** The sessions that the agent named in a run's log, one for each of its starts. */
  sessions(run: string): Promise<readonly unknown[]>;
  /** What the keeper of a run wrote about it; null before it did. */
  keeper(run: string): Promise<KeeperRecord | null>;
}

/** A product whose `claude-code`, `codex`, `gemini` and `opencode` are the pinned binaries, told to ask the scripted model. */
export async function startRealProduct(options: {
  readonly script: Script;
  readonly env?: Readonly<Record<string, string>>;
  /** As users have it unless told: in the sandbox, if this machine has one. */
  readonly isolation?: "sandbox" | "guard";
  /** Where the agents find the model, given where it is: its own address unless told. */
  readonly modelAt?: (url: string) => Promise<string>;
}): Promise<RealProduct> {
  await using stack = new AsyncDisposableStack();
  const model = stack.use(await startFakeModel({ script: options.script }));
  const url = (await options.modelAt?.(model.url)) ?? model.url;
  const homes = new Map<RealAgentId, AgentHome>();
  for (const id of INSTALLED) homes.set(id, stack.use(await agentHome(id, { url })));
  const { env, isolation = "auto" } = options;
  const product = stack.use(
    await startProduct({ place: OUTSIDE_DEV, isolation, ...(env === undefined ? {} : { env }) }),
  );
  const installed = REAL_AGENTS.filter(({ id }) => homes.has(id));
  const profiles: RealProduct["profiles"] = (over = () => ({})) =>
    Object.fromEntries(
      installed.map(({ id, real }) => [
        id,
        // Nobody answers in these tests; what an agent does unasked is what they look at.
        { executor: id, command: [real.binary], approvals: "never", ...homes.get(id)?.profile, ...over(id) },
      ]),
    );
  await product.configure({ agents: profiles() });
  const log = async (run: string) =>
    (await product.tazuna(["logs", run, "--json"])).json<{ readonly lines: readonly LogLine[] }>().lines;
  const flags = (agents: readonly RealAgentId[]) => agents.flatMap((agent) => ["--agent", agent]);
  const owned = stack.move();
  return {
    product,
    model,
    versions: Object.fromEntries(installed.map(({ id, real }) => [id, real.version])),
    home: (agent) => {
      const home = homes.get(agent);
      if (home === undefined) throw new Error(`${agent} is not installed`);
      return home;
    },
    profiles,
    run: (instruction, agents = INSTALLED) => ask(product, ["run", instruction, ...flags(agents)]),
    begin: (instruction, agents = INSTALLED) =>
      ask(product, ["run", instruction, ...flags(agents), "--detach"]),
    continueEach: (attempts, instruction) =>
      Promise.all(attempts.map(({ id }) => ask(product, ["continue", id, instruction]))),
    log,
    sessions: async (run) =>
      (await log(run)).flatMap(({ event }) => (event.kind === "session" ? [event.sessionId] : [])),
    keeper: async (run) => {
      const file = join(product.home, "runs", run, KEEPER_FILES.keeper);
      const text = await readFile(file, "utf8").catch(() => null);
      return text === null ? null : (JSON.parse(text) as KeeperRecord);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Agent → what `of` says of its latest run. */
export function byAgent<T>(
  attempts: readonly AttemptDocument[],
  select: (run: RunDocument, attempt: AttemptDocument) => T,
): Readonly<Record<string, T>> {
  return Object.fromEntries(
    attempts.map((attempt) => [attempt.agent, select(attempt.runs.at(-1) as RunDocument, attempt)]),
  );
}

/** The same if finding out takes time. */
export async function byAgentSoon<T>(
  attempts: readonly AttemptDocument[],
  select: (run: RunDocument, attempt: AttemptDocument) => Promise<T>,
): Promise<Readonly<Record<string, T>>> {
  const found = byAgent(attempts, select);
  const entries = Object.entries(found).map(async ([agent, soon]) => [agent, await soon] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** Agent → what is expected of it, for the agents that are installed, or those named. */
export function expected<T>(
  select: (agent: RealAgentId) => T,
  agents: readonly RealAgentId[] = INSTALLED,
): Readonly<Record<string, T>> {
  return Object.fromEntries(agents.map((agent) => [agent, select(agent)]));
}
