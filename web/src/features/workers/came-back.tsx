/** Says which machine came back with edits, and takes them in or drops them (ADR 0097). */
import type { AttemptDocument } from "@contract/task-document.ts";
import { cleanLine } from "@contract/text.ts";
import { useMutation } from "@tanstack/react-query";
import { useId } from "react";
import { answerOf, api } from "../../data/api.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { CopyText } from "../../ui/copy-text.tsx";
import { tell, tellProblem } from "../../ui/toast.tsx";
import { TwoPressButton, useTwoPress } from "../../ui/two-press.tsx";

type Offer = NonNullable<AttemptDocument["came_back"]>[number];

export function CameBack({ of }: { readonly of: AttemptDocument }) {
  return (
    <ul>
      {of.came_back?.map((offer) => (
        <Offered key={offer.worker.id} attempt={of.id} offer={offer} />
      ))}
    </ul>
  );
}

function Offered({ attempt, offer }: { readonly attempt: string; readonly offer: Offer }) {
  const { t } = useTranslation("workers");
  const lineId = useId();
  const name = cleanLine(offer.worker.name);
  const lacks = offer.not_contained.map(cleanLine).join(", ");
  return (
    <li className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 border-t border-line pt-2 text-small">
      <span id={lineId} className="basis-full [overflow-wrap:anywhere]">
        {t("cameBack", { name, count: offer.files })}
      </span>
      {lacks !== "" && (
        <span className="basis-full text-ink-3 [overflow-wrap:anywhere]">
          {t("notHeld", { paths: lacks })}
        </span>
      )}
      {offer.ready ? (
        <Acts attempt={attempt} offer={offer} name={name} lineId={lineId} />
      ) : (
        <span className="text-ink-3">{t("notOffered")}</span>
      )}
    </li>
  );
}

/** The first press tells what the second one does, as for other acts that reach beyond this page. */
function Acts(props: {
  readonly attempt: string;
  readonly offer: Offer;
  readonly name: string;
  readonly lineId: string;
}) {
  const { attempt, offer, name, lineId } = props;
  const { t } = useTranslation("workers");
  const decide = useMutation({
    mutationFn: (discard: boolean) => answerOf(api.takeLeft(attempt, { worker: offer.worker.id, discard })),
    onSuccess: (_, discard) => tell({ title: t(discard ? "offerDropped" : "takenIn", { name }) }),
    onError: tellProblem,
  });
  const take = useTwoPress(() => decide.mutate(false));
  const drop = useTwoPress(() => decide.mutate(true));
  const shared = { size: "small", busy: decide.isPending, "aria-describedby": lineId } as const;
  return (
    <>
      <TwoPressButton {...shared} asks="takeLeft" words={t("takeIn")} {...take} />
      <TwoPressButton {...shared} asks="takeLeft" kind="quiet" words={t("dropOffer")} {...drop} />
      <CopyText
        text={`tazuna diff ${attempt.slice(0, 8)} --from ${offer.worker.id}`}
        shown={t("copyDiffCommand")}
      />
    </>
  );
}
