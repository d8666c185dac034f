/** Ends an idle engine of an older version for one of this version, or says why it stays. */
import { compareVersions } from "../../domain/engine/versions.ts";
import { sleep } from "../../utils/time/waiting.ts";
import type { Settings } from "../process/settings.ts";
import type { ServerFile } from "../server/server-file.ts";
import { clientOf, isItsProcess } from "./living-server.ts";

const GONE_MS = 20_000;
const POLL_MS = 20;

/** `gone` once its process has ended, no matter which command ended it. */
export async function replaceOlder(
  { version }: Pick<Settings, "version">,
  engine: ServerFile,
  tell: (line: string) => void,
): Promise<"stays" | "gone"> {
  const order = compareVersions(engine.version, version);
  if (engine.version === version || order === 0) return "stays";
  const what = `The engine (process ${engine.pid}) is of version ${engine.version}, this command of ${version}`;
  if (order === null || order > 0) {
    const remedy = order === null ? "" : " Update this Tazuna: the engine may know more than it.";
    tell(`${what}; the command goes on with it.${remedy}`);
    return "stays";
  }
  if (engine.kind === "background") {
    const asked = await clientOf(engine).leave({ only_idle: true });
    // If another command told it first, it does not answer any more.
    const leaves = asked.isOk() ? asked.value.leaving : asked.error.kind === "unreachable";
    if (leaves && (await isGone(engine))) return "gone";
  }
  tell(`${what}; ${WHY[engine.kind]}`);
  return "stays";
}

const WHY: Readonly<Record<ServerFile["kind"], string>> = {
  background:
    "it has work to do, so the command goes on with it. It is replaced once it is idle, or now by `tazuna engine restart`.",
  terminal:
    "it was started in a terminal, so the command goes on with it. End it there with Ctrl-C and start it again.",
  command: "it belongs to a `tazuna run --foreground`, so the command goes on with it until that ends.",
};

async function isGone(engine: ServerFile): Promise<boolean> {
  const deadline = performance.now() + GONE_MS;
  while (performance.now() < deadline) {
    if (!(await isItsProcess(engine))) return true;
    await sleep(POLL_MS);
  }
  return false;
}
