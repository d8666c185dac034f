/** Writes the page of one tool from what the tool says about itself: nothing on it is written by hand. */
import { z } from "zod";
import type { Tool } from "../../src/tools/core/tool.ts";
import { type Field, fieldsOf, type JsonSchema } from "./schema-rows.ts";

export const MADE_BY = "<!-- Made by `npm run docs`; change what it is made from, not this page. -->";

/** `call` is how the toolkit's own method is written. */
export function toolPage(tool: Tool, call: string): string {
  const { name, description } = tool.definition;
  const input = fieldsOf(jsonSchema(tool.input, "input"));
  const output = fieldsOf(jsonSchema(tool.output, "output"));
  return [
    MADE_BY,
    `# \`${name}\``,
    `${tool.title}. A model is told:`,
    quoted(description),
    facts(tool, call),
    "## Arguments",
    input.length === 0
      ? "None: an empty object, or nothing."
      : table(["argument", "type", "limits", "what a model is told"], input.map(argumentRow(tool))),
    pathNotes(tool),
    "Unknown arguments, `null` for a left-out one, and fractions for whole numbers are refused.",
    "## Answer",
    "What `data` holds on success; the envelope around it is the [same for all tools](README.md#every-answer).",
    table(["field", "type", "means"], output.map(fieldRow)),
    "## Codes",
    Object.keys(tool.codes).length === 0
      ? "It has none of its own."
      : table(["code", "means"], codeRows(tool)),
    "Every tool can be answered with the [codes of the checks](README.md#codes-of-the-checks) before it.",
    ...(tool.notes.length === 0 ? [] : ["## Good to know", tool.notes.map((note) => `- ${note}`).join("\n")]),
    "## Definition",
    "What a model gets, letter by letter:",
    `\`\`\`json\n${JSON.stringify(tool.definition, null, 2)}\n\`\`\``,
    "[All tools](README.md#the-tools)",
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

/** What the tool does to the workspace, in words. */
export const EFFECTS: Readonly<Record<Tool["effect"], string>> = {
  reads: "reads; works under `read-only` too",
  writes: "writes files; refused under `read-only`",
  executes: "runs programs; refused under `read-only`",
  decides: "reads or writes, by its arguments; what writes is refused under `read-only`",
};

function facts({ definition, effect, hints }: Tool, call: string): string {
  const { destructive, idempotent, openWorld } = hints;
  const said = [
    destructive ? "may destroy what is there" : "destroys nothing",
    idempotent ? "twice is the same as once" : "twice is not the same as once",
    openWorld ? "may reach beyond this machine" : "stays on this machine",
  ];
  return table(
    ["", ""],
    [
      ["library", `\`toolkit.${call}\``],
      ["MCP and `invoke`", `\`${definition.name}\``],
      ["command line", `\`tazuna tool ${definition.name} JSON\``],
      ["effect", EFFECTS[effect]],
      ["hints", said.join("; ")],
    ],
  );
}

function argumentRow({ definition }: Tool): (field: Field) => readonly string[] {
  const told = definition.parameters.properties;
  return ({ name, type, limits, required, description }) => [
    `\`${name}\`${required ? "" : " (optional)"}`,
    type,
    limits,
    (Object.hasOwn(told, name) ? told[name]?.description : undefined) ?? description,
  ];
}

function fieldRow({ name, type, required, description }: Field): readonly string[] {
  return [`\`${name}\`${required ? "" : " (optional)"}`, type, description];
}

function codeRows({ codes }: Tool): readonly (readonly string[])[] {
  return Object.entries(codes).map(([code, means]) => [`\`${code}\``, means]);
}

function pathNotes({ paths }: Tool): string {
  const must = {
    "be-directory": "must be a folder",
    exist: "must exist",
    "stay-inside": "may name what is not there yet",
  };
  const absolute = { inside: "absolute paths inside it pass", refused: "absolute paths are refused" };
  return paths
    .map(
      (rule) =>
        `\`${rule.argument}\` is a path inside the workspace, by its real location. It ${must[rule.must]}, and ${absolute[rule.absolute]}.`,
    )
    .join("\n");
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  return z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonSchema;
}

function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}

/** A Markdown table; a bar inside a cell would end it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
