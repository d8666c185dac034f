/** The machines of a team: two workers and a third one that may join, the database, and the forge that has the origin. */
import { appendFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { makeCertificate, OPENSSL, type TestCertificate } from "../certificate.ts";
import type { GitSandbox } from "../git-repo.ts";
import { type Machine, type Network, network } from "./machines.ts";
import { whyNoNamespaces } from "./namespaces.ts";

const NAMES = ["here", "there", "third", "database", "forge"] as const;

export type TeamNetwork = Network<(typeof NAMES)[number]>;

export const teamNetwork = (): Promise<TeamNetwork> => network(NAMES);

/** Why there can be no such team here; null if there can. */
export const whyNoTeamNetwork = (): string | null =>
  OPENSSL === null ? "there is no openssl" : whyNoNamespaces();

/** One certificate for the machines that serve, which the git of all trusts, also one whose clock is behind. */
export async function certificateOf(
  { machines: { there, third, forge } }: TeamNetwork,
  { folder, sandbox }: { readonly folder: string; readonly sandbox: GitSandbox },
): Promise<TestCertificate> {
  const names = [there, third, forge].map(({ address }) => `IP:${address}`).join(",");
  const made = await makeCertificate(folder, { names, isOld: true });
  await appendFile(join(sandbox.home, ".gitconfig"), `[http]\n\tsslCAInfo = ${made.cert}\n`);
  return made;
}

/** Serves this bare repository on that machine. */
export async function originOn(
  machine: Machine,
  path: string,
  { cert, key }: TestCertificate,
): Promise<AsyncDisposable & { readonly url: string }> {
  const program = join(import.meta.dir, "serve-origin.ts");
  const words = [program, dirname(path), basename(path), machine.address, cert, key];
  const child = Bun.spawn([...machine.behind, process.execPath, ...words], { stdout: "pipe" });
  const first = await child.stdout.pipeThrough(new TextDecoderStream()).getReader().read();
  return {
    url: first.value?.trim() ?? "",
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
