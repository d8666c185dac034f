/** Finds the author of commits: the user's own identity, or Tazuna's if git knows none. */
import { err, ok } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";

export interface Identity {
  /** `fallback` is a doctor finding: git would refuse to commit, or invent an address. */
  readonly source: "user" | "fallback";
  readonly author: Person;
  readonly committer: Person;
}

interface Person {
  readonly name: string;
  readonly email: string;
}

export const TAZUNA: Person = { name: "Tazuna", email: "tazuna@localhost" };

/** The identity that the user gave, in files or variables. A guess of git from the machine's name does not count. */
export async function readIdentity(git: Git, target: GitTarget): GitAnswer<Identity> {
  const [author, committer] = await Promise.all([
    ask(git, target, "GIT_AUTHOR_IDENT"),
    ask(git, target, "GIT_COMMITTER_IDENT"),
  ]);
  if (author.isErr()) return err(author.error);
  if (committer.isErr()) return err(committer.error);
  if (author.value === null || committer.value === null)
    return ok({ source: "fallback", author: TAZUNA, committer: TAZUNA });
  return ok({ source: "user", author: author.value, committer: committer.value });
}

/** The variables that make git use this identity. None for the user's own, which git finds itself. */
export function identityVariables(identity: Identity): Readonly<Record<string, string>> {
  if (identity.source === "user") return {};
  return {
    GIT_AUTHOR_NAME: identity.author.name,
    GIT_AUTHOR_EMAIL: identity.author.email,
    GIT_COMMITTER_NAME: identity.committer.name,
    GIT_COMMITTER_EMAIL: identity.committer.email,
  };
}

async function ask(git: Git, target: GitTarget, variable: string): GitAnswer<Person | null> {
  const asked = await git.run(target, ["var", variable], {
    expect: [0, 1, 128],
    identity: "given",
  });
  return asked.map(({ exitCode, stdout }) => {
    const [, name, email] = /^([^\n]*) <([^\n]*)> \d+ [+-]\d{4}\n?$/.exec(stdout) ?? [];
    return exitCode !== 0 || name === undefined || email === undefined || name === ""
      ? null
      : { name, email };
  });
}
