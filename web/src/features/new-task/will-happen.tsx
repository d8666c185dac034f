/** Says what the form will do, in one sentence with numbers, before it is done. */
import { Trans, useTranslation } from "react-i18next";
import { VerdictSign } from "../../ui/state-sign.tsx";
import { attemptsOf, type TaskForm } from "./form.ts";
import type { Configured } from "./queries.ts";

export function WillHappen(props: {
  readonly form: TaskForm;
  readonly repository: string | null;
  readonly configured: Configured | null;
}) {
  const { t } = useTranslation("newTask");
  const { form, configured, repository } = props;
  const count = attemptsOf(form);
  if (count === 0 || repository === null || configured === null)
    return <p className="text-ink-2">{t("willNothing")}</p>;
  const base = form.fromWorktree
    ? t("baseIsTree")
    : form.base.trim() || configured.base || t("baseIsDefault");
  const publish = form.publish ?? configured.publish;
  const sayPublish = publish === "push" ? "sayPush" : publish === "commit" ? "sayCommit" : "sayHold";
  return (
    <>
      <p className="leading-[21px]">
        <Trans t={t} i18nKey="say" count={count} values={{ repository, base }} components={{ b: <b /> }} />{" "}
        <Trans
          t={t}
          i18nKey={sayPublish}
          values={{ remote: configured.remote }}
          components={{ code: <code /> }}
        />
      </p>
      <ul className="mt-2.5 flex flex-col gap-1.5 text-small">
        <li className="flex items-start gap-2">
          <span className="mt-0.5">
            <VerdictSign verdict="pass" />
          </span>
          {t("untouched")}
        </li>
      </ul>
    </>
  );
}
