import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { loosened } from "../../../src/domain/configuration/loosened.ts";
import { configurationSchema } from "../../../src/domain/configuration/schema.ts";
import { gatePolicy } from "../../../src/services/runs/stage/gate-policy.ts";

const loosenedBy = (repository: object, users: object = {}) =>
  loosened(configurationSchema.parse({ ...users, ...repository }), configurationSchema.parse(users));

describe("what a repository loosens", () => {
  test.each<[string, object, object, readonly string[]]>([
    ["nothing", {}, {}, []],
    [
      "isolation down",
      { isolation: "auto" },
      { isolation: "sandbox" },
      ["isolation: auto (instead of sandbox)"],
    ],
    ["isolation up", { isolation: "sandbox" }, {}, []],
    [
      "a rule off",
      { gate: { rules: { credential: "off" } } },
      {},
      ["gate.rules.credential: off (instead of reject)"],
    ],
    ["a rule up", { gate: { rules: { binary_file: "reject" } } }, {}, []],
    [
      "the user's rule forgotten",
      { gate: { rules: {} } },
      { gate: { rules: { workflow_file: "reject" } } },
      ["gate.rules.workflow_file: report (instead of reject)"],
    ],
    ["larger files", { gate: { max_file_mib: 50 } }, {}, ["gate.max_file_mib: 50 (instead of 10)"]],
    ["smaller files", { gate: { max_file_mib: 1 } }, {}, []],
    ["deny shorter", { deny: ["a"] }, { deny: ["a", "b"] }, ["deny: no longer holds b"]],
    ["deny longer", { deny: ["x", "a", "b"] }, { deny: ["a", "b"] }, []],
    ["an exception more", { deny: ["a", "!a/b"] }, { deny: ["a"] }, ["deny: lets a/b through"]],
    ["an exception less", { deny: ["a"] }, { deny: ["a", "!a/b"] }, []],
    ["an exception later", { deny: ["a", "!b"] }, { deny: ["!b", "a"] }, ["deny: lets b through"]],
    [
      "a variable handed on",
      { env: { deny: [] } },
      { env: { deny: ["KEY"] } },
      ["env.deny: no longer holds back KEY"],
    ],
    ["hooks on", { hooks: "run" }, {}, ["hooks: run (instead of off)"]],
    ["hooks off", { hooks: "off" }, { hooks: "run" }, ["hooks: off (instead of run)"]],
    ["unsigned", { sign: "off" }, {}, ["sign: off (instead of inherit)"]],
    ["pushed", { publish: "push" }, { publish: "hold" }, ["publish: push (instead of hold)"]],
    ["held", { publish: "hold" }, {}, []],
    [
      "no budget",
      { limits: { cost_usd: null } },
      { limits: { cost_usd: 2 } },
      ["limits.cost_usd: none (instead of 2)"],
    ],
    [
      "no checks",
      { checks: [] },
      { checks: [{ name: "test", run: "make" }] },
      ["checks: your required check test is left out or changed"],
    ],
    ["hosts", { sandbox: { network: ["a.example"] } }, {}, []],
    [
      "more hosts",
      { sandbox: { network: ["a.example", "b.example"] } },
      { sandbox: { network: ["a.example"] } },
      ["sandbox.network: b.example"],
    ],
  ])("%s", (_, repository, users, told) => {
    expect(loosenedBy(repository, users)).toEqual([...told]);
  });

  test("a list of patterns that is not told denies whatever was denied before", () => {
    const pattern = fc.constantFrom("a", "b", "*.x", "d/", "!a", "!b", "!c.x", "!d/a");
    const list = fc.array(pattern, { maxLength: 5 });
    const paths = ["a", "b", "c.x", "d/a", "d/c.x", "e"];
    fc.assert(
      fc.property(list, list, (deny, before) => {
        if (loosenedBy({ deny }, { deny: before }).length > 0) return;
        const denied = (patterns: string[]) =>
          gatePolicy({ values: configurationSchema.parse({ deny: patterns }) }).isDenied;
        for (const path of paths)
          if (denied(before)(path)) expect([path, denied(deny)(path)]).toEqual([path, true]);
      }),
      { numRuns: 2000 },
    );
  });
});
