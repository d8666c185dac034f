/** Says whether the work may be merged and why not, and brings it home in each way that there is. */
import { cleanLine } from "@contract/text.ts";
import { useQuery } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import { type ReactNode, useState } from "react";
import { problemOf } from "../../../data/api.ts";
import { repositoriesQuery } from "../../../data/queries.ts";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { Button } from "../../../ui/button.tsx";
import { CopyText } from "../../../ui/copy-text.tsx";
import { Menu, type MenuItem } from "../../../ui/menu.tsx";
import { StateSign } from "../../../ui/state-sign.tsx";
import { tell } from "../../../ui/toast.tsx";
import { TwoPressButton, useTwoPress } from "../../../ui/two-press.tsx";
import { useStartAgain } from "../../attempts/act.ts";
import type { AttemptCard } from "../../attempts/cards.ts";
import { useKeys } from "../../keys/keys.ts";
import type { ShipFacts } from "../facts.ts";
import { useBlockWords } from "./block-words.ts";
import { useLanding } from "./landing.ts";
import { MergeProblem } from "./merge-problem.tsx";
import { RevertDialog } from "./revert-dialog.tsx";

interface BarProps {
  readonly shown: AttemptCard;
  readonly facts: ShipFacts;
  /** By how many commits the base went on; null if that is not known. */
  readonly behind: number | null;
}

const BAR =
  "flex min-h-[50px] flex-none flex-wrap items-center gap-x-2.5 gap-y-1.5 border-t border-line bg-surface px-3.5 py-2";

export function MergeBar(props: BarProps) {
  return props.shown.attempt.merged === null ? <ToMerge {...props} /> : <Merged {...props} />;
}

function ToMerge({ shown: { task, attempt }, facts, behind }: BarProps) {
  const { t } = useTranslation("landing");
  const { t: s } = useTranslation("ship");
  const { t: k } = useTranslation("keys");
  const blockWords = useBlockWords();
  const landing = useLanding(attempt);
  const again = useStartAgain();
  const [squash, setSquash] = useState(false);
  const { data: repositories } = useQuery(repositoriesQuery);
  // The checkout of the demo is Tazuna's own: its files may follow.
  const here = repositories?.items.some(({ id, demo }) => demo && id === task.repository.id) === true;
  /** What kept the last merge back may be over then. */
  const update = () => {
    if (landing.isUpdating) return;
    landing.merge.reset();
    landing.update();
  };
  const merge = () => {
    if (!landing.merge.isPending) landing.merge.mutate({ squash, here });
  };
  const twice = useTwoPress(merge);
  const anyway = useTwoPress(merge);
  const { blocks } = facts;
  const why = blocks.length === 0 ? null : blockWords(blocks);
  const isSoft = blocks.length > 0 && blocks.every((block) => block.isSoft === true);
  const canUpdate = !facts.isWorking && facts.commit !== null;
  useKeys([
    {
      spec: "M",
      words: k("merge"),
      run: ({ repeat }) => why === null && !repeat && twice.press(),
      inBar: true,
    },
    { spec: "U", words: k("update"), run: () => canUpdate && update(), inBar: true },
  ]);
  return (
    <>
      {landing.merge.error !== null && (
        <MergeProblem
          error={landing.merge.error}
          onHere={() => landing.merge.mutate({ squash, here: true })}
          onResolve={update}
          isBusy={landing.merge.isPending}
        />
      )}
      <section data-step="merge" tabIndex={-1} aria-label={s("stepMerge")} className={BAR}>
        <Standing isReady={why === null}>
          {why === null ? (
            <b className="font-semibold">{t("ready")}</b>
          ) : (
            <>
              <b className="font-semibold">{t("notReady")}</b> <span className="text-ink-2">{why}</span>
            </>
          )}
        </Standing>
        <span className="ml-auto flex flex-wrap items-center gap-2">
          <span className="text-small text-ink-3 max-xl:hidden">
            {behind === null || behind === 0 ? t("worktreeGoes") : t("behind", { count: behind })}
          </span>
          <label className="tick text-small text-ink-2">
            <input type="checkbox" checked={squash} onChange={({ target }) => setSquash(target.checked)} />
            {t("squash")}
          </label>
          <WaysOut
            items={[
              { words: t("apply"), run: () => landing.apply.mutate() },
              {
                words: t("startAgain"),
                run: () =>
                  again.mutate({ task, attempt }, { onSuccess: () => tell({ title: t("startedAgain") }) }),
              },
              ...(isSoft ? [{ words: t("mergeAnyway"), run: anyway.press }] : []),
            ]}
          />
          <Button
            keySpec="U"
            data-act="update"
            busy={landing.isUpdating}
            off={canUpdate ? null : s(facts.isWorking ? "whyWorking" : "whyNothing")}
            onClick={update}
          >
            {t("updateBranch")}
          </Button>
          {anyway.isArmed ? (
            <TwoPressButton kind="danger" words={t("mergeAnyway")} {...anyway} />
          ) : (
            <TwoPressButton
              kind="primary"
              keySpec="M"
              data-act="merge"
              words={t("merge")}
              busy={landing.merge.isPending}
              off={why}
              {...twice}
            />
          )}
        </span>
      </section>
    </>
  );
}

function Merged({ shown: { attempt, task } }: BarProps) {
  const { t } = useTranslation("landing");
  const { t: s } = useTranslation("ship");
  const landing = useLanding(attempt);
  const { merged, state } = attempt;
  if (merged === null) return null;
  const by = { forge: t("byForge"), person: t("byPerson"), tazuna: t("byTazuna") }[merged.by];
  return (
    <section data-step="merge" tabIndex={-1} aria-label={s("stepMerge")} className={BAR}>
      <Standing isReady>
        <b className="font-semibold">{t("isMerged", { target: cleanLine(merged.target) })}</b>{" "}
        <span className="text-ink-3">{by}</span>{" "}
        <CopyText text={merged.commit} shown={merged.commit.slice(0, 7)} />
      </Standing>
      <span className="ml-auto flex flex-wrap items-center gap-2">
        <WaysOut items={[{ words: t("apply"), run: () => landing.apply.mutate() }]} />
        <Button busy={landing.revert.isPending} onClick={() => landing.revert.mutate(null)}>
          {t("revert")}
        </Button>
        {state !== "removed" && (
          <Button kind="primary" busy={landing.putAway.isPending} onClick={() => landing.putAway.mutate()}>
            {t("putAway")}
          </Button>
        )}
      </span>
      {landing.revert.error !== null && problemOf(landing.revert.error).code === "revert_conflict" && (
        <RevertDialog
          error={landing.revert.error}
          repository={task.repository.id}
          first={attempt.agent}
          isBusy={landing.revert.isPending}
          onAgent={(agent) => landing.revert.mutate(agent)}
          onClose={landing.revert.reset}
        />
      )}
    </section>
  );
}

function Standing({ isReady, children }: { readonly isReady: boolean; readonly children: ReactNode }) {
  return (
    <p className="flex min-w-0 items-start gap-1.5 text-small">
      <span className={`mt-0.5 ${isReady ? "family-ready" : "family-fail"}`}>
        <StateSign sign={isReady ? "disc-tick" : "square-cross"} />
      </span>
      <span className="min-w-0">{children}</span>
    </p>
  );
}

function WaysOut({ items }: { readonly items: readonly MenuItem[] }) {
  const { t } = useTranslation("landing");
  const { t: k } = useTranslation("keys");
  const [open, setOpen] = useState(false);
  useKeys([{ spec: ".", words: k("actions"), run: () => setOpen(true) }]);
  return (
    <Menu
      open={open}
      onOpenChange={setOpen}
      trigger={<Button label={t("more")} icon={<Ellipsis size={16} aria-hidden="true" />} />}
      items={items}
    />
  );
}
