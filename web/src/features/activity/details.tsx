/** Everything about one operation, beside the list. */
import type { OperationDocument } from "@contract/endpoints/operations.ts";
import { cleanText } from "@contract/text.ts";
import { groupOfKind } from "@contract/words/operation-group.ts";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { useActorName } from "../actors/use-actor-name.ts";
import { askedOf, fieldsOf } from "./operations.ts";
import { SubjectLink } from "./subject.tsx";
import { useOperationWords } from "./use-operation-words.ts";

export function Details(props: {
  readonly operation: OperationDocument;
  /** Whether it needs to be told who asked. */
  readonly isNamed: boolean;
  readonly onClose: () => void;
  readonly onShowOnly: (subject: string) => void;
}) {
  const { t } = useTranslation("activity");
  const { t: s } = useTranslation("shell");
  const { seconds } = useFormat();
  const { what, why } = useOperationWords();
  const nameOf = useActorName();
  const { operation, isNamed } = props;
  const { message } = askedOf(operation);
  return (
    <aside
      aria-label={what(operation.kind)}
      className="flex min-h-0 w-(--right) flex-none flex-col overflow-auto border-l border-line bg-surface max-lg:absolute max-lg:inset-0 max-lg:z-10 max-lg:w-auto"
    >
      <section className="section">
        <div className="flex items-center gap-2">
          <h2 className="min-w-0 flex-1 text-body">{what(operation.kind)}</h2>
          <time dateTime={operation.at} className="text-small text-ink-3 tabular-nums">
            {seconds(operation.at)}
          </time>
          <Button
            kind="quiet"
            size="small"
            icon={<X size={14} />}
            label={s("close")}
            onClick={props.onClose}
          />
        </div>
        <Explained kind={operation.kind} />
        {message !== null && (
          <p lang="en" className="callout family-fail mt-2">
            <bdi className="[overflow-wrap:anywhere]">{message}</bdi>
          </p>
        )}
      </section>
      <Fields words={t("before")} fields={fieldsOf(operation.before)} />
      <Fields words={t("after")} fields={fieldsOf(operation.after)} />
      <Commands lines={operation.commands ?? []} />
      <section className="section">
        <dl className="facts">
          {isNamed && (
            <>
              <dt>{t("by")}</dt>
              <dd>
                <bdi>{nameOf(operation.actor)}</bdi>
              </dd>
            </>
          )}
          <dt>{isNamed ? t("colWhy") : t("by")}</dt>
          <dd>
            <bdi>{why(operation, isNamed) || (isNamed ? "—" : t("byTazuna"))}</bdi>
          </dd>
          <dt>{t("subjectKind")}</dt>
          <dd>
            <SubjectLink subject={operation.subject} />
          </dd>
          <dt>{t("operation")}</dt>
          <dd>
            <CopyText text={operation.id} shown={operation.id.slice(0, 8)} />
          </dd>
        </dl>
        <Button size="small" className="mt-3" onClick={() => props.onShowOnly(operation.subject.id)}>
          {t("showOnly")}
        </Button>
      </section>
    </aside>
  );
}

function Explained({ kind }: { readonly kind: string }): ReactNode {
  const { t } = useTranslation("activity");
  if (groupOfKind(kind) !== "stepped") return null;
  return (
    <p className="mt-1.5 text-small text-ink-2">
      {t(kind.startsWith("foreign_") ? "foreignText" : "steppedText")}
    </p>
  );
}

/** What git was told, so that nobody has to guess. */
function Commands({ lines }: { readonly lines: readonly string[] }) {
  const { t } = useTranslation("activity");
  if (lines.length === 0) return null;
  return (
    <section className="section">
      <h3>{t("whatWasRun")}</h3>
      <ul className="flex flex-col gap-1 font-mono text-fine">
        {[...new Set(lines)].map((line) => (
          <li key={line} className="[overflow-wrap:anywhere]">
            <CopyText text={cleanText(line)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Fields(props: {
  readonly words: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}) {
  if (props.fields.length === 0) return null;
  return (
    <section className="section">
      <h3>{props.words}</h3>
      <dl className="facts">
        {props.fields.map(([name, value]) => (
          <div key={name} className="contents">
            <dt>{name.replaceAll("_", " ")}</dt>
            <dd>
              <CopyText text={value} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
