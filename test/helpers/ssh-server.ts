/** Starts a real `sshd` that shows a host key and lets nobody in. */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { tempDir } from "./temp-dir.ts";
import { waitFor } from "./wait-for.ts";

const SSHD = Bun.which("sshd", { PATH: `${process.env.PATH ?? ""}:/usr/sbin:/usr/local/sbin` });

/** Why none can be started here; null if it can. */
export const NO_SSHD = SSHD === null || Bun.which("ssh") === null ? "no sshd, or no ssh" : null;

export interface SshServer extends AsyncDisposable {
  readonly port: number;
  /** A line of `known_hosts` with its key, or with a key that it does not have. */
  known(which: "right" | "wrong"): Promise<string>;
}

export async function sshServer(): Promise<SshServer> {
  const folder = await tempDir();
  const port = await freePort();
  const key = async (name: string) => {
    await Bun.$`ssh-keygen -q -t ed25519 -N "" -f ${join(folder.path, name)}`.quiet();
    return join(folder.path, name);
  };
  const keys = { right: await key("right"), wrong: await key("wrong") };
  const config = join(folder.path, "config");
  const lines = [`Port ${port}`, "ListenAddress 127.0.0.1", `HostKey ${keys.right}`, "PidFile none"];
  await writeFile(config, `${lines.join("\n")}\n`);
  // As root it wants this folder, which a service makes otherwise.
  if (process.getuid?.() === 0 && !existsSync("/run/sshd")) await mkdir("/run/sshd", { mode: 0o755 });
  const server = Bun.spawn([SSHD ?? "", "-D", "-e", "-f", config], { stdio: ["ignore", "ignore", "ignore"] });
  await waitFor("sshd to listen", () => answers(port));
  return {
    port,
    known: async (which) => `[127.0.0.1]:${port} ${await readFile(`${keys[which]}.pub`, "utf8")}`,
    [Symbol.asyncDispose]: async () => {
      server.kill();
      await server.exited;
      await folder[Symbol.asyncDispose]();
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}
