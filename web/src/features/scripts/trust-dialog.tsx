/** Shows scripts as text before a person trusts them. The safe button has the focus. */
import type { ScriptDocument } from "@contract/endpoints/repositories.ts";
import { useRef } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { tell } from "../../ui/toast.tsx";
import { ScriptList } from "./script-list.tsx";
import { useTrust } from "./scripts.ts";

export function TrustDialog(props: {
  readonly open: boolean;
  readonly onClose: () => void;
  /** `named`: as the server is asked about it. */
  readonly repository: { readonly name: string; readonly named: string };
  readonly scripts: readonly ScriptDocument[];
}) {
  const { t } = useTranslation("scripts");
  const safe = useRef<HTMLButtonElement>(null);
  const trust = useTrust(props.repository.named);
  const waiting = props.scripts.filter(({ trusted }) => !trusted);
  const accept = () =>
    trust.mutate(
      waiting.map(({ hash }) => hash),
      {
        onSuccess: () => {
          tell({ title: t("trustedDone", { count: waiting.length }) });
          props.onClose();
        },
      },
    );
  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      title={t("title", { repository: props.repository.name })}
      firstFocus={safe}
      wide
    >
      <p className="mb-3 text-ink-2">{t("text")}</p>
      <div className="rounded-control bg-sunken p-3">
        <ScriptList scripts={props.scripts} />
      </div>
      <div className="mt-4 flex justify-end gap-2">
        <Button ref={safe} onClick={props.onClose}>
          {t("notNow")}
        </Button>
        <Button kind="primary" asks="trust" busy={trust.isPending} onClick={accept}>
          {t("trust")}
        </Button>
      </div>
    </Dialog>
  );
}
