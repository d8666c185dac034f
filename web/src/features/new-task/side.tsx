/** The right side of the form: who works on it, what will happen, and which scripts run. */
import { Rich, useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../../ui/button.tsx";
import { VerdictSign } from "../../ui/state-sign.tsx";
import { ScriptList } from "../scripts/script-list.tsx";
import { AgentRows, Presets } from "./agent-rows.tsx";
import type { TaskFormState } from "./use-task-form.ts";
import { WillHappen } from "./will-happen.tsx";

export function Side({ state, onRead }: { readonly state: TaskFormState; readonly onRead: () => void }) {
  const { t } = useTranslation("newTask");
  const { form, change, repository, configured } = state;
  return (
    <aside aria-label={t("willHappen")} className="flex min-h-0 flex-col lg:overflow-auto">
      <section className="section lg:flex lg:min-h-60 lg:shrink lg:flex-col">
        <h2>
          {t("agents")}
          <span className="ml-auto tabular-nums">{t("attempts", { count: state.count })}</span>
        </h2>
        <AgentRows agents={state.agents} form={form} onChange={change} />
        <Presets presets={state.presets} agents={form.agents} onChoose={({ agents }) => change({ agents })} />
      </section>
      <section className="section flex-none bg-surface">
        <h2>{t("willHappen")}</h2>
        <WillHappen
          form={form}
          repository={repository?.name ?? null}
          configured={configured}
          preview={state.preview}
          refusal={state.refusal}
        />
      </section>
      <Scripts state={state} onRead={onRead} />
    </aside>
  );
}

function Scripts({ state, onRead }: { readonly state: TaskFormState; readonly onRead: () => void }) {
  const { t } = useTranslation("newTask");
  const { t: s } = useTranslation("scripts");
  const { scripts, untrusted } = state;
  if (state.repository === null) return null;
  return (
    <section className="section flex-none">
      <h2>{t("trusted")}</h2>
      {untrusted.length > 0 && (
        <div className="callout family-needs mb-2 items-center">
          <VerdictSign verdict="over" />
          <span className="min-w-0 flex-1">{s("untrusted", { count: untrusted.length })}</span>
          <Button size="small" asks="trust" onClick={onRead}>
            {s("readAndTrust")}
          </Button>
        </div>
      )}
      {scripts.length === 0 ? (
        <p className="text-small text-ink-3">{t("noScripts")}</p>
      ) : (
        <ScriptList scripts={scripts.filter(({ trusted }) => trusted)} />
      )}
    </section>
  );
}

/** What every agent is told besides the constraints. */
export function AlwaysAdded({ deny }: { readonly deny: readonly string[] }) {
  return (
    <p className="mt-1 text-fine text-ink-3">
      <Rich
        noun="newTask"
        words="alwaysAdded"
        values={{ deny: [".git", ...deny].join(" ") }}
        parts={{ code: <code /> }}
      />
    </p>
  );
}
