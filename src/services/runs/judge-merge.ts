/** Lets the publish gate read a branch again after others' commits were merged into it. */
import { err, ok, type Result } from "neverthrow";
import { judgeStaged } from "../../domain/publish/gate.ts";
import { diffFiles } from "../../git/diff.ts";
import type { Remote } from "../../git/remote.ts";
import type { ServiceContext } from "../context.ts";
import { worktreeTarget } from "../worktrees/targets.ts";
import { gatePolicy } from "./gate-policy.ts";
import { gitFailed } from "./git-failure.ts";
import type { RunWorld, Step } from "./step.ts";
import { gateRejected } from "./tell-findings.ts";

/** What the merge would publish beyond the remote's own content, judged path by path. */
export async function judgeMerge(
  context: ServiceContext,
  world: RunWorld,
  remote: Pick<Remote, "name">,
): Promise<Result<void, Step>> {
  const from = `refs/remotes/${remote.name}/${world.attempt.branch}`;
  const files = await diffFiles(context.git, worktreeTarget(world.attempt), { from, to: "HEAD" });
  if (files.isErr()) return err(gitFailed("push", files.error));
  const verdict = judgeStaged(
    {
      staged: files.value
        .filter((file) => file.status !== "deleted")
        .map((file) => ({
          path: file.path,
          change: "modified",
          inHead: true,
          mode: "100644",
          bytes: null,
          sha: null,
        })),
      nestedRepositories: [],
      closedFolders: [],
      dirtySubmodules: [],
      copiedIn: new Set(),
      leftByChecks: new Map(),
      // What we bring was read when it was committed, and what others pushed is not ours to judge.
      inContent: [],
    },
    gatePolicy(world.configuration),
  );
  // No agent had a hand in it since: what a person allowed at a path still is what it was.
  const allowed = [...world.earlier, world.run].flatMap(({ options }) => options.allowance?.findings ?? []);
  const findings = verdict.findings.filter(
    (found) => !allowed.some(({ rule, path }) => rule === found.rule && path === found.path),
  );
  if (findings.every(({ level }) => level === "report")) return ok(undefined);
  return err(gateRejected(world, { findings, lead: "After merging what others pushed: " }));
}
