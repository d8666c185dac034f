/** Says why a base cannot be found, and turns it into the failure of a run. */
import type { ResolveBaseError } from "../../../git/remote/named-base.ts";
import { gitFailed } from "../../run-core/git-failure.ts";
import { failed, type Step } from "../../run-core/step.ts";

/** The step that ends the run; it names the nearest branches if the base is missing. */
export function baseFailed(error: ResolveBaseError, remote: string | null): Step {
  switch (error.kind) {
    case "base_missing":
      return failed("base_missing", sayBaseProblem(error), {
        details: { base: error.branch, nearest: error.nearest, makeable: error.makeable, remote },
      });
    case "empty_repository":
      return failed("empty_repository", sentence(error.message), { details: { remote } });
    default:
      return gitFailed("fetch", error);
  }
}

/** Names the nearest branches if the base is missing. */
export function sayBaseProblem(error: ResolveBaseError): string {
  const near = error.kind === "base_missing" ? error.nearest : [];
  return `${sentence(error.message)}${near.length === 0 ? "" : ` The nearest are: ${near.join(", ")}.`}`;
}

/** Adds a capital at its start and a full stop at its end. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replace(/\.\.$/, ".");
}
