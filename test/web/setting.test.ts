/** Holds how Settings reads the schema, and what a person's text means. */
import { describe, expect, test } from "bun:test";
import {
  choicesOf,
  type SettingSchema,
  schemaOf,
  textOfValue,
  valueOfText,
} from "../../web/src/features/settings/setting.ts";

const schema: SettingSchema = {
  properties: {
    publish: { type: "string", enum: ["push", "commit", "hold"] },
    branch: { type: "string" },
    limits: { type: "object", properties: { parallel: { type: "integer" } } },
    forge: { properties: { fix_loop: { properties: { enabled: { type: "boolean" } } } } },
  },
};

describe("a setting", () => {
  test("is found in the schema by its dotted key", () => {
    expect(schemaOf(schema, "limits.parallel")?.type).toBe("integer");
    expect(schemaOf(schema, "limits.none")).toBeNull();
    expect(schemaOf(undefined, "publish")).toBeNull();
  });

  test("offers its choices, also those of yes and no", () => {
    expect(choicesOf(schemaOf(schema, "publish"))).toEqual(["push", "commit", "hold"]);
    expect(choicesOf(schemaOf(schema, "forge.fix_loop.enabled"))).toEqual(["true", "false"]);
    expect(choicesOf(schemaOf(schema, "branch"))).toEqual([]);
  });

  test("is edited without quotes and read back as what it is", () => {
    expect(textOfValue("push")).toBe("push");
    expect(textOfValue(["a"])).toBe('["a"]');
    expect(valueOfText("4", schemaOf(schema, "limits.parallel"))).toBe(4);
    expect(valueOfText("4", schemaOf(schema, "branch"))).toBe("4");
    expect(valueOfText("true", schemaOf(schema, "forge.fix_loop.enabled"))).toBe(true);
    expect(valueOfText("", null)).toBeNull();
    expect(valueOfText('["a"]', null)).toEqual(["a"]);
    expect(valueOfText("bun test", null)).toBe("bun test");
  });
});
