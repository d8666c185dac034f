/** Holds every printed remedy to its word: it is read, exactly that is done, and it ends in success. */
import { expect, test } from "bun:test";
import { FAILURE_CODES } from "../../src/domain/run/failure.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { type Product, startProduct } from "../helpers/product.ts";
import { deep, drawn } from "../helpers/tier.ts";
import { FAILURES, type FailureCase, NOT_PROVOKED } from "./remedies/failures.ts";
import { afterTyping, commandsIn, goingOn, printedRemedy, typed, wrongWords } from "./remedies/follow.ts";
import { BREACHES, lawbreakers } from "./remedies/gate-rules.ts";

test("every failure code has a case, or a reason why it cannot be provoked", () => {
  const known = new Set([...FAILURES.map(({ code }) => code), ...Object.keys(NOT_PROVOKED)]);
  expect(FAILURE_CODES.filter((code) => !known.has(code))).toEqual([]);
});

/** What people meet most: the others change seldom. */
const EVERYDAY: readonly string[] = [
  "agent_failed",
  "agent_not_found",
  "auth_required",
  "checks_failed",
  "conflict",
  "gate_rejected",
  "push_auth",
  "push_rejected",
  "setup_failed",
];

const titleOf = ({ code, what, skipped }: FailureCase) =>
  `${code}: ${what}; what the remedy says ends in success${skipped ? ` (skipped: ${skipped})` : ""}`;

/** The first case of each of those codes. */
const isEveryday = (one: FailureCase) =>
  EVERYDAY.includes(one.code) && FAILURES.find(({ code }) => code === one.code) === one;
const rare = new Set(drawn(FAILURES.filter((each) => !isEveryday(each)).map(titleOf)));

for (const each of FAILURES.filter((one) => isEveryday(one) || rare.has(titleOf(one))))
  test.skipIf((each.skipped ?? null) !== null)(
    isEveryday(each) ? titleOf(each) : deep(titleOf(each)),
    async () => {
      await using later = new AsyncDisposableStack();
      const product = later.use(await startProduct());
      const { end, person } = await each.play(product, (dispose) =>
        later.defer(async () => void (await dispose())),
      );
      expect([end.run.status, end.run.failure?.code, end.run.failure?.message]).toEqual([
        "FAILED",
        each.code,
        expect.any(String),
      ]);
      const remedy = await printedRemedy(product, end);
      const worktree = end.attempt.runs.some(({ isolation }) => isolation !== null);
      expect({ remedy, wrong: wrongWords(remedy, { worktree }) }).toEqual({ remedy, wrong: [] });
      await person?.();
      const own = commandsIn(remedy).filter((command) => /^(?:git|tazuna config set) /.test(command));
      for (const command of each.own === true ? own : [])
        expect(await typed(product, command)).toMatchObject({ code: 0 });
      const commands = goingOn(remedy);
      expect({ remedy, commands: commands.length }).not.toEqual({ remedy, commands: 0 });
      const command = (each.take === "first" ? commands[0] : commands.at(-1)) ?? "";
      expect(await afterTyping(product, end, command)).toMatchObject({
        command,
        code: 0,
        status: "SUCCEEDED",
      });
    },
    PATIENCE_MS,
  );

/** Each attempt of a task in which every agent broke a rule, with the commands that its remedy names. */
async function rejections(product: Product) {
  const agents = Object.keys(BREACHES).flatMap((rule) => ["--agent", rule]);
  const { attempts } = await ask(product, ["run", "Change it", ...agents]);
  return attempts.map(({ agent, runs }) => {
    const { remedy = "", details } = runs.at(-1)?.failure ?? {};
    const found = (details?.findings ?? []) as readonly { rule: string }[];
    expect({ agent, rules: found.map(({ rule }) => rule) }).toEqual({ agent, rules: [agent] });
    expect({ remedy, wrong: wrongWords(remedy, { worktree: true }) }).toEqual({ remedy, wrong: [] });
    return { agent, commands: goingOn(remedy) };
  });
}

test(
  deep(
    "the gate's findings, rule by rule: the agent mends each, and each that may be allowed is published so",
  ),
  async () => {
    await using product = await startProduct();
    await lawbreakers(product);
    for (const { agent, commands } of await rejections(product))
      expect({ agent, ...(await typed(product, commands[0] ?? "false")) }).toMatchObject({ agent, code: 0 });
    for (const { agent, commands } of await rejections(product)) {
      expect({ agent, allow: commands.some((command) => command.includes(`--allow ${agent} `)) }).toEqual({
        agent,
        allow: BREACHES[agent]?.allowed ?? false,
      });
      if (BREACHES[agent]?.allowed === true)
        expect({ agent, ...(await typed(product, commands.at(-1) ?? "")) }).toMatchObject({ agent, code: 0 });
    }
  },
  PATIENCE_MS,
);
