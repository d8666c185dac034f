/** Finds the commit that a task starts from (seed 003 Whole workflow). */
import { err, ok, safeTry } from "neverthrow";
import type { GitAnswer } from "../process/git-error.ts";
import type { RemoteError } from "../process/remote-error.ts";
import { branchOf, listRefs, readHead } from "../refs/refs.ts";
import type { Git, GitTarget } from "../runner/run-git.ts";
import { symrefHead } from "./ls-remote.ts";
import {
  type Asked,
  type BaseAnswer,
  type BaseQuestion,
  baseMissing,
  branchBase,
  type KnownBranches,
  namedBase,
} from "./named-base.ts";
import type { Remote } from "./remote.ts";

/**
 * The base after the fetch: `REMOTE/BASE`, or the local branch if there is no remote. Without a name: the remote's
 * HEAD as stored, else as asked (`ls-remote --symref`), else the branch that is checked out. It may fetch one branch
 * (single-branch and bare clones): call it under the repository's lock.
 */
export async function resolveBase(git: Git, target: GitTarget, question: BaseQuestion): Promise<BaseAnswer> {
  return safeTry(async function* () {
    const known = yield* await knownBranches(git, target, question.remote);
    const asked: Asked = { git, target, question, known };
    if (known.local.size + known.remote.size === 0) {
      const head = yield* await readHead(git, target);
      if (head.sha === null)
        return err({ kind: "empty_repository" as const, message: "the repository has no commit yet" });
    }
    if (question.branch !== null) return namedBase(asked, question.branch);
    const branch = yield* await defaultBranch(asked);
    if (branch === null) return checkedOutBase(asked);
    const found = await branchBase(asked, branch);
    return isMissing(found) ? checkedOutBase(asked) : found;
  });
}

async function knownBranches(git: Git, target: GitTarget, remote: Remote | null): GitAnswer<KnownBranches> {
  const tracking = remote === null ? null : `refs/remotes/${remote.name}/`;
  const prefixes = ["refs/heads", ...(tracking === null ? [] : [tracking])];
  const refs = await listRefs(git, target, { prefixes });
  return refs.map((found) => {
    const ofRemote = tracking === null ? [] : found.filter(({ name }) => name.startsWith(tracking));
    const short = (name: string) => name.slice(tracking?.length ?? 0);
    const head = ofRemote.find(({ name }) => short(name) === "HEAD")?.symref ?? "";
    const branches = ofRemote.filter(({ name, symref }) => symref === null && short(name) !== "HEAD");
    return {
      local: new Map(found.flatMap(({ name, sha }) => localBranch(name, sha))),
      remote: new Map(branches.map(({ name, sha }) => [short(name), sha])),
      remoteDefault: tracking !== null && head.startsWith(tracking) ? short(head) : null,
    };
  });
}

function localBranch(name: string, sha: string): (readonly [string, string])[] {
  const branch = branchOf(name);
  return branch === null ? [] : [[branch, sha]];
}

/** The remote's default branch, as far as it can be known without the user's checkout. */
async function defaultBranch({ git, target, question, known }: Asked): GitAnswer<string | null, RemoteError> {
  if (question.remote === null) return ok(null);
  if (known.remoteDefault !== null) return ok(known.remoteDefault);
  if (!question.online) return ok(null);
  return symrefHead(git, target, question.remote.name);
}

/** The last resort: the checked-out branch, as the remote has it, else as it is here. */
async function checkedOutBase(asked: Asked): Promise<BaseAnswer> {
  const head = await readHead(asked.git, asked.target);
  if (head.isErr()) return err(head.error);
  const { branch } = head.value;
  if (branch === null) return err(baseMissing(null, asked));
  const found = await branchBase(asked, branch);
  if (!isMissing(found)) return found;
  const sha = asked.known.local.get(branch);
  const why = `the branch ${branch}, which is checked out, has no commit yet`;
  return sha === undefined
    ? err(baseMissing(branch, asked, { why }))
    : ok({ branch, ref: `refs/heads/${branch}`, sha });
}

function isMissing(answer: BaseAnswer): boolean {
  return answer.isErr() && answer.error.kind === "base_missing";
}
