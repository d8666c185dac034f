/** The scripts of a repository as text, and the way to trust them. */
import type { RepositoryDocument } from "@contract/task-document.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { dialogPart } from "../../ui/loaded/part.tsx";
import { ProblemNote } from "../../ui/problem-note.tsx";
import { VerdictSign } from "../../ui/state-sign.tsx";
import { ScriptList } from "../scripts/script-list.tsx";
import { scriptsQuery, useNamed } from "../scripts/scripts.ts";

const TrustDialog = dialogPart(async () => (await import("../scripts/trust-dialog.tsx")).TrustDialog);

export function RepositoryScripts({ repository }: { readonly repository: RepositoryDocument }) {
  const { t } = useTranslation("settings");
  const { t: s } = useTranslation("scripts");
  const named = useNamed(repository);
  const { data: scripts, error } = useQuery({ ...scriptsQuery(named), enabled: named !== null });
  const [isReading, setReading] = useState(false);
  if (error !== null && scripts === undefined) return <ProblemNote error={error} />;
  if (scripts === undefined) return null;
  const waiting = scripts.filter(({ trusted }) => !trusted).length;
  return (
    <div className="mt-2">
      {waiting > 0 && (
        <div className="callout family-needs mb-2 items-center">
          <VerdictSign verdict="over" />
          <span className="min-w-0 flex-1">{s("untrusted", { count: waiting })}</span>
          <Button size="small" asks="trust" data-act="trust" onClick={() => setReading(true)}>
            {s("readAndTrust")}
          </Button>
        </div>
      )}
      <h4 className="mb-1 text-fine font-medium text-ink-3">{t("scripts")}</h4>
      {scripts.length === 0 ? (
        <p className="text-small text-ink-3">{t("noScripts")}</p>
      ) : (
        <ScriptList scripts={scripts} />
      )}
      {isReading && named !== null && (
        <TrustDialog
          open
          onClose={() => setReading(false)}
          repository={{ name: repository.name, named }}
          scripts={scripts}
        />
      )}
    </div>
  );
}
