import { describe, expect, test } from "bun:test";
import { layersFromEnvironment, layersFromSettings } from "../../../src/domain/configuration/environment.ts";
import { joinLayers } from "../../../src/domain/configuration/layers.ts";
import {
  ENGINE_SETTINGS,
  settingsOfEnvironment,
  TASK_SETTINGS,
  variableFor,
  withoutTaskSettings,
} from "../../../src/domain/task/task-settings.ts";

describe("settings of a task", () => {
  test("every key that a variable can set is of a task or of the engine", () => {
    const known = [...TASK_SETTINGS, ...ENGINE_SETTINGS].map(variableFor);
    const everything = new Proxy<Record<string, string>>({}, { get: () => "1" });
    const set = layersFromEnvironment(everything).map(({ source }) => source);
    expect(known.toSorted()).toEqual(set.toSorted());
  });

  test("are those variables of the environment that have a value, apart from the engine's", () => {
    const env = {
      TAZUNA_BASE: "dev",
      TAZUNA_LIMITS_TIMEOUT_S: "60",
      TAZUNA_LIMITS_PARALLEL: "2",
      TAZUNA_HOME: "/x",
      TAZUNA_SIGN: "",
    };
    expect(settingsOfEnvironment(env)).toEqual({
      task: { base: "dev", "limits.timeout_s": "60" },
      engine: [{ variable: "TAZUNA_LIMITS_PARALLEL", key: "limits.parallel", text: "2" }],
    });
    expect(withoutTaskSettings(env)).toEqual({
      TAZUNA_LIMITS_PARALLEL: "2",
      TAZUNA_HOME: "/x",
    });
  });

  test("stand over files, are read as variables are, and a fault names the variable", () => {
    const file = { source: "file", values: { base: "main", limits: { timeout_s: 1, stall_s: 2 } } };
    const settings = { base: "dev", "limits.timeout_s": "60", "limits.cost_usd": 1.5 };
    const joined = joinLayers([...layersFromSettings(settings), file])._unsafeUnwrap();
    expect(joined.values).toMatchObject({
      base: "dev",
      limits: { timeout_s: 60, stall_s: 2, cost_usd: 1.5 },
    });
    expect(joined.sources.get("limits.timeout_s")).toBe("TAZUNA_LIMITS_TIMEOUT_S");
    expect(joinLayers(layersFromSettings({ "limits.timeout_s": "soon" }))._unsafeUnwrapErr()).toMatchObject({
      source: "TAZUNA_LIMITS_TIMEOUT_S",
      key: "limits.timeout_s",
    });
  });

  test("that another version stored are left alone", () => {
    expect(layersFromSettings({ base: "dev", moods: "good" } as object)).toEqual([
      { source: "TAZUNA_BASE", values: { base: "dev" } },
    ]);
  });
});
