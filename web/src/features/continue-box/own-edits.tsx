/** Shows what a person changed in the worktree themselves, and commits it as a run without an agent. */
import { cleanLine } from "@contract/text.ts";
import { UserPen } from "lucide-react";
import { useKeptWords } from "../../data/kept-words.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { tell } from "../../ui/toast.tsx";
import { useFollowUp } from "../attempts/act.ts";
import { useSituation } from "../attempts/situation.ts";

export function OwnEdits({ attempt }: { readonly attempt: string }) {
  const { t } = useTranslation("continue");
  const { situation } = useSituation(attempt);
  const followUp = useFollowUp(attempt);
  const [message, setMessage] = useKeptWords(`edits ${attempt}`);
  const edits = situation?.own_edits ?? [];
  if (edits.length === 0) return null;
  const commit = () =>
    void followUp.mutateAsync({ instruction: null, message: message.trim() === "" ? null : message }).then(
      () => {
        // It belongs to this commit, not to the next one.
        setMessage("");
        tell({ title: t("editsSent") });
      },
      () => undefined,
    );
  return (
    <form
      aria-label={t("ownEdits", { count: edits.length })}
      className="callout family-review flex-col gap-1.5!"
      onSubmit={(event) => {
        event.preventDefault();
        commit();
      }}
    >
      <span className="flex items-center gap-1.5 font-medium">
        <UserPen size={14} aria-hidden="true" />
        {t("ownEdits", { count: edits.length })}
      </span>
      <bdi className="line-clamp-2 text-fine text-ink-2">
        {edits.map(({ path }) => cleanLine(path)).join(", ")}
      </bdi>
      <span className="flex gap-1.5">
        <input
          className="field min-h-7! min-w-0 flex-1 py-0.5!"
          aria-label={t("editsMessage")}
          placeholder={t("editsMessage")}
          value={message}
          onChange={({ target }) => setMessage(target.value)}
        />
        <Button size="small" type="submit" busy={followUp.isPending}>
          {t("commitEdits")}
        </Button>
      </span>
    </form>
  );
}
