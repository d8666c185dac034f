/** Says which agents share the limits of a login. */
import { expect, test } from "bun:test";
import { createExecutors } from "../../src/executors/registry.ts";
import { loginOf, shownLogin } from "../../src/services/agents/login-of.ts";
import type { ResolvedAgent } from "../../src/services/agents/resolve-agent.ts";
import { agentProfile } from "../helpers/agent-streams.ts";

const executor = createExecutors({ selfCommand: [] }).find("claude-code");
if (executor === null) throw new Error("no such executor");
const agent = (login: string | null): ResolvedAgent => ({
  executor,
  profile: { ...agentProfile({ id: "mine", executor: "claude-code" }), login },
});
const worker = (owner: string) => ({ db: { kind: "postgres" } as const, owner });
const alone = { db: { kind: "sqlite" } as const, owner: "a" };

test("a login is an account on its worker, and a named one is the same on all", () => {
  const own = loginOf(worker("a"), agent(null));
  expect(own).not.toBe(loginOf(worker("b"), agent(null)));
  expect([shownLogin(worker("a"), own), shownLogin(worker("b"), own)]).toEqual(["claude-code", null]);
  const named = loginOf(worker("a"), agent("team"));
  expect(named).toBe(loginOf(worker("b"), agent("team")));
  expect(shownLogin(worker("b"), named)).toBe("team");
  expect([loginOf(alone, agent(null)), shownLogin(alone, "claude-code")]).toEqual([
    "claude-code",
    "claude-code",
  ]);
});
