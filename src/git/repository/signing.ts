/** Tries once whether commits can be signed without a prompt. */
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { withScratch } from "../runner/scratch.ts";
import { type Identity, identityVariables } from "./identity.ts";

type SigningFacts =
  /** The user's configuration does not sign commits. */
  | { readonly wanted: false }
  | { readonly wanted: true; readonly works: true; readonly format: string }
  | { readonly wanted: true; readonly works: false; readonly format: string; readonly reason: string };

/** Signs an empty commit into a separate folder, so that the repository gains no object. At most 15 s. */
export async function probeSigning(git: Git, target: GitTarget, identity: Identity): GitAnswer<SigningFacts> {
  const wanted = await readConfig(git, target, ["--type=bool", "--get", "commit.gpgSign"]);
  if (wanted.isErr()) return err(wanted.error);
  if (wanted.value !== "true") return ok({ wanted: false });
  const set = await readConfig(git, target, ["--get", "gpg.format"]);
  if (set.isErr()) return err(set.error);
  const format = set.value ?? "openpgp";
  const signed = await signScratchCommit(git, target, identity);
  if (signed.isOk()) return ok({ wanted: true, works: true, format });
  const { error } = signed;
  if (error.kind !== "git_failed" && error.kind !== "timed_out") return err(error);
  return ok({ wanted: true, works: false, format, reason: error.message });
}

async function readConfig(git: Git, target: GitTarget, args: readonly string[]): GitAnswer<string | null> {
  const read = await git.run(target, ["config", ...args], { expect: [0, 1] });
  return read.map(({ exitCode, stdout }) => (exitCode === 0 ? stdout.trim() : null));
}

async function signScratchCommit(git: Git, target: GitTarget, identity: Identity): GitAnswer<unknown> {
  return withScratch(git, "signing", async (objects) => {
    const extraEnv = { ...identityVariables(identity), GIT_OBJECT_DIRECTORY: objects };
    const tree = await git.run(target, ["mktree"], { extraEnv, stdin: "" });
    if (tree.isErr()) return tree;
    return await git.run(
      target,
      ["commit-tree", "-S", "-m", "Tazuna signing probe", tree.value.stdout.trim()],
      {
        extraEnv,
        timeoutMs: 15_000,
      },
    );
  });
}
