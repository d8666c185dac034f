/** Makes ready what an allowed git call runs in: the repository is looked at, and the environment is built. */
import { dirname } from "node:path";
import { err, ok, type Result } from "neverthrow";
import type { ToolContext } from "../../core/context.ts";
import type { ToolRefusal } from "../../core/result.ts";
import { type CallNature, callFlaw } from "../run/call-flaw.ts";
import { guardedEnvironment, type Variables } from "../run/git-environment.ts";
import { inspectRepository, unsafeRepository } from "../run/inspect-repository.ts";
import { harmlessInstead } from "../run/planted-programs.ts";

/** The environment of the call, or why this repository must not be touched by it. */
export function prepareCall(
  call: CallNature,
  { context, cwd }: { readonly context: ToolContext; readonly cwd: string },
): Result<Variables, ToolRefusal> {
  const inspected = inspectRepository(cwd, { context, alternates: "refused" });
  if (inspected.isErr()) return err(inspected.error);
  const { topLevel = null, entries = [] } = inspected.value ?? {};
  const flaw = callFlaw(entries, call);
  if (flaw !== null) return err(unsafeRepository(flaw));
  return ok(
    guardedEnvironment({
      workspaceRoot: context.workspaceRoot,
      inherited: context.host.environment(),
      network: call.network,
      ceiling: topLevel === null ? null : dirname(topLevel),
      config: harmlessInstead(entries),
    }),
  );
}
