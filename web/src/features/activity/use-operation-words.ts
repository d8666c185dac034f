/** Names an operation and its reason in the language of this device; a kind of a newer server keeps its own name. */
import type { OperationDocument } from "@contract/endpoints/operations.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { askedOf } from "./operations.ts";

export function useOperationWords() {
  const { t, isKnown } = useTranslation("activity");
  const known = (key: string, otherwise: string) => (isKnown(key) ? t(key) : otherwise);
  const what = (kind: string) => known(`kind_${kind}`, kind.replaceAll("_", " "));
  return {
    what,
    why: (operation: OperationDocument): string => {
      const { by, reason } = askedOf(operation);
      const said = reason === null ? null : known(`reason_${reason}`, reason);
      if (by !== null) return said === null ? by : `${by}: ${said}`;
      if (said !== null) return said;
      return operation.subject.type === "run" ? t("run", { run: operation.subject.id.slice(0, 8) }) : "";
    },
    /** Why there is no undo, in a few words. */
    noUndo: ({ kind, status }: OperationDocument): string => {
      if (status !== "done") return "";
      if (kind === "push" || kind === "merge_on_forge" || kind.startsWith("pull_request_")) return t("never");
      return kind === "fetch" || kind === "snapshot" || kind === "worktree_add"
        ? t("nothingToUndo")
        : t("noUndo");
    },
  };
}
