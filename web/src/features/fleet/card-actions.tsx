/** Opens the menu of a card; its acts are loaded when they are first asked for. */
import { lazy, Suspense } from "react";
import { loadPart } from "../../data/load-part.ts";
import { useLoaded } from "../../ui/loaded/use-loaded.ts";
import type { AttemptCard } from "../attempts/cards.ts";
import { useActions } from "../keys/use-actions.ts";

const loadCardMenu = () => loadPart(() => import("./card-menu.tsx"));
const CardMenu = lazy(async () => ({ default: (await loadCardMenu()).CardMenu }));

export function CardActions({ cards }: { readonly cards: readonly AttemptCard[] }) {
  const { thing, close } = useActions("[data-card]");
  const isLoaded = useLoaded(thing !== null, loadCardMenu, close);
  return thing !== null && isLoaded ? (
    <Suspense>
      <CardMenu cards={cards} thing={thing} onClose={close} />
    </Suspense>
  ) : null;
}
