/** Lists every key that holds now. */
import { Link } from "@tanstack/react-router";
import { keyOf } from "../../data/keys/key-of.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { KeyCap } from "../../ui/key-cap.tsx";
import { useActiveKeys } from "./keys.ts";

export function AllKeys({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const { t } = useTranslation("keys");
  const keys = useActiveKeys();
  return (
    <Dialog open={open} onClose={onClose} title={t("title")}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1.5 sm:grid-cols-[auto_1fr_auto_1fr]">
        {keys.map(({ spec, words }) => (
          <div key={spec} data-key={spec} className="contents">
            <dt>
              <span className="visually-hidden">{keyOf(spec)}</span>
              <KeyCap spec={spec} />
            </dt>
            <dd className="text-small">{words}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-small text-ink-2">
        <Link to="/settings" hash="keys" className="text-accent hover:underline" onClick={onClose}>
          {t("changeKeys")}
        </Link>
      </p>
    </Dialog>
  );
}
