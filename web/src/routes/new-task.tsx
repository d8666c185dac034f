/** New task, a form: the issue, who works on it, and what will happen. */

import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { PRESET_KEYS } from "../data/keys/key-table.ts";
import { useWhyNot } from "../data/may.ts";
import { useKeys } from "../features/keys/keys.ts";
import type { TaskForm } from "../features/new-task/form.ts";
import { Limits } from "../features/new-task/limits.tsx";
import { Place } from "../features/new-task/place.tsx";
import { AlwaysAdded, Side } from "../features/new-task/side.tsx";
import { useStartTask } from "../features/new-task/start.ts";
import { StartBar } from "../features/new-task/start-bar.tsx";
import { TextBox } from "../features/new-task/text-box.tsx";
import { type TaskFormState, useTaskForm } from "../features/new-task/use-task-form.ts";
import { Screen } from "../features/shell/screen.tsx";
import { useFormat } from "../i18n/format.ts";
import { useTranslation } from "../i18n/use-translation.tsx";
import { dialogPart } from "../ui/loaded/part.tsx";
import { tell } from "../ui/toast.tsx";

const TrustDialog = dialogPart(
  async () => (await import("../features/scripts/trust-dialog.tsx")).TrustDialog,
);

export function NewTaskRoute() {
  const { t } = useTranslation("newTask");
  const { repository } = useSearch({ from: "/tasks/new" });
  const navigate = useNavigate();
  const state = useTaskForm(repository ?? null);
  const [isReading, setReading] = useState(false);
  const start = useStartTask(state.draft.end);
  const off = useReasonOff(state);
  const begin = () => {
    if (state.asked !== null && off === null && !start.isPending) start.mutate(state.asked);
    else if (state.untrusted.length > 0) setReading(true);
  };
  const keep = () => {
    state.draft.keep();
    tell({ title: t("draftKept") });
    void navigate({ to: "/" });
  };
  useFormKeys(state, begin);
  return (
    <Screen title={t("newTask", { ns: "shell" })} acts={<SavedMark at={state.draft.savedAt} />}>
      <form
        className="grid min-h-0 flex-1 lg:grid-cols-[minmax(0,1fr)_420px] max-lg:block max-lg:overflow-y-auto"
        onSubmit={(event) => event.preventDefault()}
      >
        <div className="min-h-0 border-line lg:overflow-auto lg:border-r">
          <Texts state={state} />
        </div>
        <Side state={state} onRead={() => setReading(true)} />
      </form>
      <StartBar state={state} off={off} busy={start.isPending} onStart={begin} onKeep={keep} />
      {isReading && state.repository !== null && (
        <TrustDialog
          open
          onClose={() => setReading(false)}
          repository={{ name: state.repository.name, named: state.repository.id }}
          scripts={state.scripts}
        />
      )}
    </Screen>
  );
}

function Texts({ state }: { readonly state: TaskFormState }) {
  const { t } = useTranslation("newTask");
  const { form, change, configured } = state;
  const base = form.base.trim();
  const place = useChangePlace(change);
  const files = { repository: form.repository, base: base === "" || form.fromWorktree ? null : base };
  return (
    <div className="mx-auto flex max-w-[820px] flex-col gap-[18px] px-7 py-5 max-sm:px-4">
      <TextBox
        name={t("issue")}
        hint={t("issueHint")}
        files={files}
        isFirst
        rows={3}
        className="min-h-24 px-3! py-2.5! text-title"
        value={form.issue}
        onChange={(issue) => change({ issue })}
      >
        <label className="mt-1.5 flex items-center gap-2 text-small text-ink-3">
          {t("title")}
          <input
            className="h-6 min-w-0 flex-1 rounded-chip border border-transparent bg-transparent px-1 font-medium text-ink-2 placeholder:font-normal placeholder:text-ink-3 hover:border-line-strong focus:border-line-strong max-sm:h-11"
            maxLength={200}
            placeholder={t("titlePlaceholder")}
            value={form.title}
            onChange={({ target }) => change({ title: target.value })}
          />
        </label>
      </TextBox>
      <TextBox
        name={t("context")}
        hint={t("contextHint")}
        files={files}
        rows={5}
        className="min-h-28 px-3! py-2!"
        value={form.context}
        onChange={(context) => change({ context })}
      />
      <TextBox
        name={t("constraints")}
        hint={t("constraintsHint")}
        files={files}
        rows={3}
        className="min-h-[76px] px-3! py-2!"
        value={form.constraints}
        onChange={(constraints) => change({ constraints })}
      >
        {configured !== null && <AlwaysAdded deny={configured.deny} />}
      </TextBox>
      {state.isKnown && (
        <Place
          form={form}
          repositories={state.repositories}
          configured={configured}
          preview={state.preview}
          onChange={place}
        />
      )}
      {configured !== null && <Limits form={form} configured={configured} onChange={change} />}
    </div>
  );
}

/** A repository in the address goes along with the one that is chosen: a reload shows the same. */
function useChangePlace(change: TaskFormState["change"]) {
  const { repository } = useSearch({ from: "/tasks/new" });
  const navigate = useNavigate({ from: "/tasks/new" });
  return (given: Partial<TaskForm>) => {
    change(given);
    if (repository !== undefined && given.repository != null)
      void navigate({ search: { repository: given.repository }, replace: true });
  };
}

function SavedMark({ at }: { readonly at: string | null }) {
  const { t } = useTranslation("newTask");
  const { clock } = useFormat();
  if (at === null) return null;
  return (
    <span className="text-small whitespace-nowrap text-ink-3 max-sm:hidden">
      {t("draftSaved", { time: clock(at) })}
    </span>
  );
}

/** Why the task cannot be started yet; null if it can. */
function useReasonOff({ form, repository, count, untrusted }: TaskFormState): string | null {
  const { t } = useTranslation("newTask");
  const forbidden = useWhyNot()("createTask");
  if (forbidden !== null) return forbidden;
  if (form.issue.trim() === "") return t("offIssue");
  if (repository === null) return t("offRepository");
  if (count === 0) return t("offAgents");
  return untrusted.length > 0 ? t("offScripts") : null;
}

function useFormKeys({ presets, change }: TaskFormState, begin: () => void): void {
  const { t } = useTranslation("newTask");
  useKeys([
    { spec: "mod+enter", words: t("keyStart"), run: begin, whileTyping: true, inBar: true },
    // Boxes and rows handle these themselves; here they have their words.
    { spec: "@", words: t("keyFile"), run: () => undefined, inBar: true },
    { spec: "+", words: t("keyCount"), run: () => undefined, inBar: true },
    { spec: "-", words: t("keyCount"), run: () => undefined, inBar: true },
    {
      spec: "alt+a",
      words: t("keyAgents"),
      run: () => document.querySelector<HTMLElement>("[data-stepper]")?.focus(),
      whileTyping: true,
      inBar: true,
    },
    ...PRESET_KEYS.flatMap((spec, index) => {
      const preset = presets[index];
      if (preset === undefined) return [];
      const run = () => change({ agents: preset.agents });
      return { spec, words: t("keyPreset"), run, whileTyping: true, inBar: index === 0 };
    }),
  ]);
}
