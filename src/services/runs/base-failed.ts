/** Says what a base that cannot be found means for a run. */
import type { ResolveBaseError } from "../../git/resolve-base.ts";
import { gitFailed } from "./git-failure.ts";
import { failed, type Step } from "./step.ts";

/** The step that ends the run, naming the nearest branches where the base is missing. */
export function baseFailed(error: ResolveBaseError): Step {
  switch (error.kind) {
    case "base_missing": {
      const near = error.nearest.length === 0 ? "" : ` The nearest are: ${error.nearest.join(", ")}.`;
      return failed("base_missing", `${sentence(error.message)}${near}`, {
        details: { base: error.branch, nearest: error.nearest },
      });
    }
    case "empty_repository":
      return failed("empty_repository", sentence(error.message));
    default:
      return gitFailed("fetch", error);
  }
}

/** With a capital at its start and a full stop at its end. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`.replace(/\.\.$/, ".");
}
