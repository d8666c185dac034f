/** Turns acts in neutral words into calls of the tools that a CLI offered. */
import { isAbsolute, join } from "node:path";
import type { JsonRecord } from "./json.ts";
import type { NeutralCall, ToolCall } from "./script.ts";
import type { AnswerCall, Conversation, OfferedTool } from "./wire-format.ts";

/** The script asks for what this CLI cannot be asked; the server answers 400 with the message. */
export class ScriptFault extends Error {}

/** The call to make for one act of the script. */
export function callFor(
  call: ToolCall,
  conversation: Pick<Conversation, "tools" | "cwd">,
): Omit<AnswerCall, "id"> {
  if ("name" in call) return { name: call.name, input: call.input };
  for (const { name, input } of waysOf(call, (path) => absolute(path, conversation.cwd))) {
    const tool = conversation.tools.find((offered) => offered.name === name);
    if (tool) return { name, input: input(tool) };
  }
  // Codex keeps the tools of servers behind a search, and takes a call of one that it did not list.
  if (call.op === "mcp") return { name: namespaced(call), input: call.input };
  const offered = conversation.tools.map(({ name }) => name).join(", ");
  throw new ScriptFault(`no tool for ${call.op} among: ${offered}`);
}

/** One tool that can do the act; its input is made only when it is offered. */
interface Way {
  readonly name: string;
  readonly input: (tool: OfferedTool) => JsonRecord | string;
}

type CallOf<O> = Extract<NeutralCall, { readonly op: O }>;
type Resolve = (path: string) => string;

/** The tools that can do an act, the best first. */
function waysOf(call: NeutralCall, resolve: Resolve): readonly Way[] {
  switch (call.op) {
    case "write":
      return write(call, resolve);
    case "edit":
      return edit(call, resolve);
    case "read":
      return read(call, resolve);
    case "shell":
      return shell(call.command);
    case "mcp":
      return mcp(call);
  }
}

const way = (name: string, input: () => JsonRecord): Way => ({ name, input });

function write({ path, content }: CallOf<"write">, resolve: Resolve): readonly Way[] {
  const lines = content.replace(/\n$/, "").split("\n");
  return [
    way("Write", () => ({ file_path: resolve(path), content })),
    way("write_file", () => ({ file_path: resolve(path), content })),
    way("write", () => ({ filePath: resolve(path), content })),
    patch([`*** Add File: ${path}`, ...lines.map((line) => `+${line}`)]),
    ...shell(
      `mkdir -p -- "$(dirname -- ${quoted(path)})" && printf %s ${Buffer.from(content).toString("base64")} | base64 -d > ${quoted(path)}`,
    ),
  ];
}

function edit({ path, old, new: replacement }: CallOf<"edit">, resolve: Resolve): readonly Way[] {
  const snake = () => ({ file_path: resolve(path), old_string: old, new_string: replacement });
  return [
    way("Edit", snake),
    way("replace", () => ({ ...snake(), instruction: `Replace ${old} in ${path}.` })),
    way("edit", () => ({ filePath: resolve(path), oldString: old, newString: replacement })),
    patch([
      `*** Update File: ${path}`,
      "@@",
      ...old.split("\n").map((line) => `-${line}`),
      ...replacement.split("\n").map((line) => `+${line}`),
    ]),
  ];
}

function read({ path }: CallOf<"read">, resolve: Resolve): readonly Way[] {
  return [
    way("Read", () => ({ file_path: resolve(path) })),
    way("read_file", () => ({ file_path: resolve(path) })),
    way("read", () => ({ filePath: resolve(path) })),
    ...shell(`cat -- ${quoted(path)}`),
  ];
}

function shell(command: string): readonly Way[] {
  const description = "Runs what the script says";
  return [
    way("Bash", () => ({ command, description })),
    way("run_shell_command", () => ({ command, description })),
    way("bash", () => ({ command, description })),
    way("exec_command", () => ({ cmd: command })),
    way("shell_command", () => ({ command })),
    way("shell", () => ({ command: ["sh", "-c", command] })),
  ];
}

function mcp(call: CallOf<"mcp">): readonly Way[] {
  const { server, tool, input } = call;
  const names = [`mcp__${server}__${tool}`, `mcp_${server}_${tool}`, `${server}_${tool}`, namespaced(call)];
  return names.map((name) => way(name, () => ({ ...input })));
}

/** A name with its namespace before a slash. */
const namespaced = ({ server, tool }: CallOf<"mcp">) => `mcp__${server}/${tool}`;

/** Codex offers its patch tool as free-form text or, to some models, as a function. */
function patch(lines: readonly string[]): Way {
  const whole = ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
  return { name: "apply_patch", input: ({ schema }) => (schema === null ? whole : { input: whole }) };
}

function absolute(path: string, cwd: string | null): string {
  if (isAbsolute(path)) return path;
  if (cwd === null) throw new ScriptFault(`the CLI does not say where it works, so ${path} has no place`);
  return join(cwd, path);
}

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
