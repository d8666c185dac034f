/** Waits for the tools that an attempt's agent is offered over MCP, and tells Gemini of them. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findMarked } from "../../src/utils/programs/process-identity.ts";
import type { RealAgentId } from "./agent-home.ts";
import type { WireId } from "./fake-model/wire-format.ts";
import type { RealProduct } from "./real-product.ts";
import { waitFor } from "./wait-for.ts";

/** How each agent speaks to its model. */
export const WIRES: Readonly<Record<RealAgentId, WireId>> = {
  "claude-code": "anthropic-messages",
  codex: "openai-responses",
  gemini: "gemini",
  opencode: "openai-chat",
};

/** Resolves once the tools of a run are there. Some agents do not wait for their servers. */
export function offersTools(run: string): Promise<unknown> {
  return waitFor(`the tools of run ${run}`, () => hasOffered(run), { withinMs: 150_000 });
}

/** Looks in a row at which a server used no time and waited. */
const QUIET_LOOKS = 40;
const quiet = new Map<number, { readonly used: string; readonly looks: number }>();

/** Whether the server of a run's agent has come to rest. Its client asks first, before it is up. */
async function hasOffered(run: string): Promise<boolean> {
  for (const pid of await findMarked({ name: "TAZUNA_RUN", value: run })) {
    const read = (name: string) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
    if (!/main\.ts\0mcp\0$/.test(await read("cmdline"))) continue;
    const [state = "", ...fields] = (await read("stat")).replace(/^.*\) /s, "").split(" ");
    const used = fields.slice(10, 12).join(" ");
    const before = quiet.get(pid);
    const looks = state === "S" && before?.used === used ? before.looks + 1 : 0;
    quiet.set(pid, { used, looks });
    if (looks >= QUIET_LOOKS) return true;
  }
  return false;
}

/** As `gemini mcp add --scope user --trust tazuna tazuna mcp` does: this agent has no other way to be told. */
export async function addToolkitToGemini(real: RealProduct): Promise<void> {
  const file = join(real.home("gemini").path, ".gemini", "settings.json");
  const settings = JSON.parse(await readFile(file, "utf8"));
  const tazuna = { command: join(import.meta.dir, "../../bin/tazuna"), args: ["mcp"], trust: true };
  await writeFile(file, JSON.stringify({ ...settings, mcpServers: { tazuna } }));
}
