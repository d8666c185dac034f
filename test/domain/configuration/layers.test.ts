import { describe, expect, test } from "bun:test";
import { layersFromEnvironment } from "../../../src/domain/configuration/environment.ts";
import { joinLayers } from "../../../src/domain/configuration/layers.ts";
import { configurationJsonSchema, configurationSchema } from "../../../src/domain/configuration/schema.ts";

describe("configuration", () => {
  test("an empty document has every default", () => {
    expect(configurationSchema.parse({})).toMatchObject({
      base: null,
      remote: "origin",
      push_remote: null,
      branch: "tazuna/{id8}",
      publish: "push",
      deny: [".env", ".env.*", "*.key", "*.pem", "!.env.example", "!.env.sample", "!.env.template"],
      hooks: "off",
      sign: "inherit",
      submodules: "none",
      isolation: "auto",
      sandbox: { write: [], network: "on" },
      limits: {
        parallel: 8,
        per_repository: 8,
        per_login: 4,
        timeout_s: 3600,
        stall_s: 600,
        setup_s: 900,
        git_s: 120,
        cost_usd: null,
      },
    });
  });

  test("a base that git could not know is refused", () => {
    for (const base of ["main", "v1^{commit}", "HEAD~1", "日本"])
      expect(configurationSchema.safeParse({ base }).success).toBe(true);
    for (const base of ["a..b", "-x", "a b", ""])
      expect(configurationSchema.safeParse({ base }).success).toBe(false);
  });

  test("the stronger layer wins value by value, and each value says where it comes from", () => {
    const joined = joinLayers([
      { source: "--base", values: { base: "dev" } },
      { source: "repo.json", values: { base: "main", limits: { parallel: 2 }, setup: ["a"] } },
      { source: "home.json", values: { limits: { parallel: 4, stall_s: 9 }, setup: ["b", "c"] } },
    ])._unsafeUnwrap();
    expect(joined.values).toMatchObject({ base: "dev", setup: ["a"], limits: { parallel: 2, stall_s: 9 } });
    expect(Object.fromEntries(joined.sources)).toEqual({
      base: "--base",
      "limits.parallel": "repo.json",
      "limits.stall_s": "home.json",
      setup: "repo.json",
    });
  });

  test("an agent is one value: a stronger layer replaces it whole", () => {
    const joined = joinLayers([
      { source: "a", values: { agents: { x: { executor: "codex" } } } },
      {
        source: "b",
        values: { agents: { x: { executor: "claude-code", model: "haiku" }, y: { executor: "demo" } } },
      },
    ])._unsafeUnwrap();
    expect(joined.values.agents.x).toMatchObject({ executor: "codex", model: null });
    expect(joined.values.agents.y).toMatchObject({ executor: "demo" });
  });

  test.each([
    [{ limits: { paralel: 3 } }, 'unknown key "limits.paralel"; did you mean "parallel"?'],
    [{ setpu: [] }, 'unknown key "setpu"; did you mean "setup"?'],
    [
      { checks: [{ name: "a", run: "b", requird: true }] },
      'unknown key "checks.0.requird"; did you mean "required"?',
    ],
    [
      { agents: { a: { executer: "x", executor: "x" } } },
      'unknown key "agents.a.executer"; did you mean "executor"?',
    ],
    [{ zzzzzz: 1 }, 'unknown key "zzzzzz"'],
    [[], "it is not a JSON object"],
  ])("a fault names the key and the nearest known one: %j", (values, message) => {
    expect(joinLayers([{ source: "f.json", values }])._unsafeUnwrapErr()).toMatchObject({
      source: "f.json",
      message,
    });
  });

  test("a fault is said in words of a person's", () => {
    const fault = (values: unknown) => {
      const joined = joinLayers([{ source: "file", values }]);
      return joined.isErr() ? joined.error.message : null;
    };
    expect(fault({ limits: { parallel: "x" } })).toBe('"limits.parallel": expected number, received string');
    expect(fault({ agents: { 日本: { executor: "demo" } } })).toBe(
      '"agents.日本": an agent is named with letters, digits, ".", "_" and "-" (at most 64), beginning with a letter or a digit',
    );
  });

  test.each(["/", "//", "relative", "./x", "~", "~root/x", "", "~//"])(
    "a place that is everything, or depends on the current directory, opens nothing: %j",
    (place) => {
      const joined = joinLayers([
        { source: "f", values: { sandbox: { write: ["/srv/data", "~/notes", place] } } },
      ]);
      expect(joined._unsafeUnwrapErr().key).toBe("sandbox.write.2");
    },
  );

  test("a wrong value names its key", () => {
    const fault = joinLayers([{ source: "f", values: { limits: { parallel: 0 } } }])._unsafeUnwrapErr();
    expect(fault.key).toBe("limits.parallel");
  });

  test("environment variables set single values, and a fault names the variable", () => {
    const layers = layersFromEnvironment({
      TAZUNA_BASE: "dev",
      TAZUNA_LIMITS_PARALLEL: "3",
      TAZUNA_FORGE_FIX_LOOP_ENABLED: "true",
      TAZUNA_HOME: "/x",
    });
    const joined = joinLayers(layers)._unsafeUnwrap();
    expect(joined.values).toMatchObject({
      base: "dev",
      limits: { parallel: 3 },
      forge: { fix_loop: { enabled: true } },
    });
    expect(joined.sources.get("limits.parallel")).toBe("TAZUNA_LIMITS_PARALLEL");
    expect(
      joinLayers(layersFromEnvironment({ TAZUNA_LIMITS_PARALLEL: "x" }))._unsafeUnwrapErr(),
    ).toMatchObject({
      source: "TAZUNA_LIMITS_PARALLEL",
      key: "limits.parallel",
    });
  });

  test("the JSON Schema names every key", () => {
    const schema = configurationJsonSchema() as { properties: Record<string, unknown> };
    expect(Object.keys(schema.properties)).toEqual(Object.keys(configurationSchema.parse({})));
  });
});
