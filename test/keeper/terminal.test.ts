/** Holds what the host of a terminal does without an engine: it waits for its reader, and leaves nothing behind. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formatMessage, TERMINAL_MARKER, type TerminalOrder } from "../../src/keeper/terminal/messages.ts";
import { listMarked } from "../../src/utils/programs/process-identity.ts";
import { newId } from "../../src/utils/values/ids.ts";
import { LINUX, POSIX } from "../helpers/need.ts";
import { deep } from "../helpers/tier.ts";
import { waitFor } from "../helpers/wait-for.ts";

setDefaultTimeout(150_000);

const MAIN = join(import.meta.dir, "../../src/main.ts");

function startHost(argv: readonly string[]) {
  const id = newId();
  const host = Bun.spawn([process.execPath, MAIN, "__terminal"], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const order: TerminalOrder = {
    argv,
    cwd: "/",
    env: { PATH: process.env.PATH ?? "" },
    id,
    size: { columns: 80, rows: 24 },
  };
  host.stdin.write(formatMessage(order));
  host.stdin.flush();
  const alive = async () => (await listMarked(TERMINAL_MARKER)).filter(({ value }) => value === id).length;
  return { host, alive };
}

test.skipIf(LINUX.missing)(
  deep(
    `a program that prints without end stands still while nobody reads, and goes on when somebody does${LINUX.why}`,
  ),
  async () => {
    const { host, alive } = startHost(["sh", "-c", "yes"]);
    const reader = host.stdout.getReader();
    await reader.read();
    const rss = () => Number(/^VmRSS:\s+(\d+)/m.exec(statusOf(host.pid))?.[1] ?? 0);
    const used = () => cpuOf(host.pid);
    // Bun reads ahead into this process; once its pipe is full, the host works no more.
    await waitFor("the host to stand still", async () => {
      const before = used();
      await Bun.sleep(300);
      return used() - before <= 1;
    });
    expect(rss()).toBeLessThan(300_000);
    let bytes = 0;
    while (bytes < 5_000_000) bytes += (await reader.read()).value?.length ?? 0;
    host.stdin.end();
    await host.exited;
    expect(await alive()).toBe(0);
    reader.cancel();
  },
);

test.skipIf(POSIX.missing)(
  deep("what is typed arrives, and the code of the shell is the host's"),
  async () => {
    const { host } = startHost(["sh", "-c", "read -r line; stty size; echo got $line; exit 7"]);
    host.stdin.write(formatMessage({ size: { columns: 101, rows: 33 } }));
    host.stdin.write(formatMessage({ input: "words\r" }));
    host.stdin.flush();
    const text = await new Response(host.stdout).text();
    expect([await host.exited, text]).toEqual([7, expect.stringMatching(/33 101\s+got words/)]);
  },
);

function statusOf(pid: number): string {
  return readFileSync(`/proc/${pid}/status`, "utf8");
}

function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
