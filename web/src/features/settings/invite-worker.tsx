/** Invites one more machine: makes the command that is typed there, and shows it once. */
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { answerOf, api } from "../../data/api.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { tellProblem } from "../../ui/toast.tsx";

export function InviteWorker() {
  const { t } = useTranslation("workers");
  const done = useRef<HTMLButtonElement>(null);
  const made = useMutation({ mutationFn: () => answerOf(api.inviteWorker()), onError: tellProblem });
  const { data } = made;
  return (
    <>
      <Button
        size="small"
        asks="inviteWorker"
        aria-haspopup="dialog"
        busy={made.isPending}
        onClick={() => made.mutate()}
      >
        {t("invite")}
      </Button>
      <Dialog open={data !== undefined} onClose={made.reset} title={t("inviteTitle")} firstFocus={done}>
        <p className="mb-2 text-ink-2">{t("inviteText")}</p>
        {data !== undefined && <CopyText text={data.command} />}
        {data?.local_server && <p className="mt-2 text-ink-2">{t("inviteLocal")}</p>}
        {data?.local_database && !data.local_server && (
          <p className="mt-2 text-ink-2">{t("inviteLocalDatabase")}</p>
        )}
        <div className="mt-4 flex justify-end">
          <Button ref={done} onClick={made.reset}>
            {t("inviteDone")}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
