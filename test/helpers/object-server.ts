/** Serves object storage as S3 does (`s3rver`, in a process of its own), with one empty bucket. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pinnedProgram } from "./pinned-program.ts";
import { tempDir } from "./temp-dir.ts";
import { waitFor } from "./wait-for.ts";

const { binary } = pinnedProgram("s3rver");

/** Why tests with it are skipped, or null. */
export const missingObjects = binary === null ? "s3rver is not installed: run `npm run agents`" : null;

const BUCKET = "logs";

/** The only ones that it knows. */
export const OBJECT_KEYS = { id: "S3RVER", secret: "S3RVER" };
export const OBJECT_ENV = {
  TAZUNA_LOGS_KEY_ID: OBJECT_KEYS.id,
  TAZUNA_LOGS_SECRET_KEY: OBJECT_KEYS.secret,
};

export interface ObjectServer extends AsyncDisposable {
  /** As `serve --logs` takes it. */
  readonly place: string;
  /** The names of the objects that are there, sorted. */
  names(): Promise<readonly string[]>;
  stop(): Promise<void>;
  /** Again at the same address. */
  start(): Promise<void>;
}

export async function objectServer(): Promise<ObjectServer> {
  if (binary === null) throw new Error(missingObjects ?? "");
  const folder = await tempDir();
  let server = await begin(binary, folder.path, "0");
  const stop = async () => {
    server.child.kill("SIGKILL");
    await server.exited;
  };
  return {
    place: `s3://${BUCKET}/team/?endpoint=${encodeURIComponent(`http://127.0.0.1:${server.port}`)}&region=us-east-1`,
    names: async () => {
      const files = await readdir(join(folder.path, BUCKET), { recursive: true });
      const objects = files.filter((name) => name.endsWith("._S3rver_object"));
      return objects.map((name) => name.replace("._S3rver_object", "")).sort();
    },
    stop,
    start: async () => {
      server = await begin(binary, folder.path, server.port);
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Resolves once it listens, and says where. */
async function begin(program: string, folder: string, port: string) {
  const flags = ["-d", folder, "-a", "127.0.0.1", "-p", port, "--configure-bucket", BUCKET];
  const child = spawn(program, flags, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  let said = "";
  // It is read to its end: the server ends if nobody takes what it says.
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const found = await waitFor("s3rver to listen", () => /listening on 127\.0\.0\.1:(\d+)/.exec(said)?.[1]);
  return { child, exited, port: found };
}
