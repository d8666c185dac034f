/** The board: six columns that derive from facts. */
import { COLUMNS, type Column } from "@contract/words/present-card.ts";
import { FoldHorizontal, UnfoldHorizontal } from "lucide-react";
import { type CSSProperties, type FocusEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "../../../i18n/use-translation.tsx";
import { Button } from "../../../ui/button.tsx";
import { part } from "../../../ui/loaded/part.tsx";
import { StateSign } from "../../../ui/state-sign.tsx";
import type { Board as BoardOfCards, CardGroup } from "../../attempts/cards.ts";
import { useReturnFocus } from "../came-from.ts";
import { COLUMN_SIGNS } from "../column-signs.ts";
import { FleetCard } from "../fleet-card.tsx";
import type { useHeldCard } from "./use-held-card.ts";
import { useKeptFocus } from "./use-kept-focus.ts";

/** A longer column shows only the cards that are in sight: more than fit the height of most screens. */
const LONG_FROM = 12;
const LongColumn = part(async () => (await import("./long-column.tsx")).LongColumn);

export function Board(props: {
  readonly board: BoardOfCards;
  /** Notes in which card a person types. */
  readonly holding: ReturnType<typeof useHeldCard>["holding"];
  /** The column that a small screen shows. */
  readonly shown: Column;
  readonly onShow: (column: Column) => void;
}) {
  const root = useRef<HTMLDivElement>(null);
  useKeptFocus(root, props.board);
  useReturnFocus(root);
  const [unfolded, setUnfolded] = useState<Column | null>(null);
  const widthOf = (column: Column) => (column === unfolded ? "184px" : "44px");
  return (
    <>
      <ColumnTabs {...props} />
      <div
        ref={root}
        {...props.holding}
        style={{ "--queued": widthOf("queued"), "--done": widthOf("done") } as CSSProperties}
        className="grid min-h-0 flex-1 grid-cols-1 lg:grid-cols-[var(--queued)_minmax(0,1.2fr)_minmax(0,1.2fr)_minmax(0,1.12fr)_minmax(0,1.05fr)_var(--done)] xl:grid-cols-[168px_minmax(0,1.2fr)_minmax(0,1.2fr)_minmax(0,1.12fr)_minmax(0,1.05fr)_168px]"
      >
        {COLUMNS.map((column) => (
          <BoardColumn
            key={column}
            column={column}
            groups={props.board[column]}
            isShown={column === props.shown}
            isFolded={isSide(column) && column !== unfolded}
            onFold={() => setUnfolded(column === unfolded ? null : column)}
            working={props.board.working.flatMap(({ cards }) => cards).length}
          />
        ))}
      </div>
    </>
  );
}

function ColumnTabs({ board, shown, onShow }: Omit<Parameters<typeof Board>[0], "holding">) {
  const { t } = useTranslation("fleet");
  return (
    <div className="flex gap-1 overflow-x-auto border-b border-line px-2 py-1.5 lg:hidden">
      {COLUMNS.map((column) => (
        <button
          key={column}
          type="button"
          data-shows={column}
          aria-pressed={column === shown}
          onClick={() => onShow(column)}
          className="flex h-11 flex-none items-center gap-1.5 rounded-control px-3 text-small font-medium text-ink-2 aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-[inset_0_0_0_1px_var(--line)]"
        >
          <span className={`family-${COLUMN_SIGNS[column].family}`}>
            <StateSign sign={COLUMN_SIGNS[column].sign} isStill />
          </span>
          {t(column)} <span className="text-ink-3 tabular-nums">{board[column].length}</span>
        </button>
      ))}
    </div>
  );
}

function BoardColumn(props: {
  readonly column: Column;
  readonly groups: readonly CardGroup[];
  readonly isShown: boolean;
  /** On a narrower screen only its heading is there. */
  readonly isFolded: boolean;
  readonly onFold: () => void;
  /** How many attempts work now. */
  readonly working: number;
}) {
  const { t } = useTranslation("fleet");
  const { column, isFolded } = props;
  const { isHeld, holding } = useHeld();
  const [showsAll, setShowsAll] = useState(false);
  const wanted = column === "done" && !showsAll ? props.groups.filter(isOfToday) : props.groups;
  const earlier = props.groups.length - wanted.length;
  const { shown, arrivals, letIn } = useFrozen(wanted, { isHeld, showsAll });
  return (
    <section
      data-column={column}
      aria-labelledby={`column-${column}`}
      {...holding}
      className={`group/column flex min-h-0 flex-col border-line lg:border-r lg:last:border-r-0 ${
        column === "needs" && props.groups.length > 0 ? "bg-needs-soft/45" : ""
      } ${props.isShown ? "" : "max-lg:hidden"}`}
    >
      <header
        className={`flex h-9 items-center gap-1.5 px-2.5 max-lg:sr-only ${isFolded ? "lg:max-xl:h-full lg:max-xl:flex-col lg:max-xl:px-1 lg:max-xl:pt-3" : ""}`}
      >
        {isSide(column) && (
          <span className="hidden lg:max-xl:block">
            <Button
              kind="quiet"
              size="small"
              data-shows={column}
              aria-expanded={!isFolded}
              label={t(isFolded ? "unfold" : "fold", { column: t(column) })}
              icon={isFolded ? <UnfoldHorizontal size={14} /> : <FoldHorizontal size={14} />}
              onClick={props.onFold}
            />
          </span>
        )}
        <span className={`family-${COLUMN_SIGNS[column].family}`}>
          <StateSign sign={COLUMN_SIGNS[column].sign} isStill />
        </span>
        <h2
          id={`column-${column}`}
          className={`text-small ${isFolded ? "lg:max-xl:[writing-mode:vertical-rl]" : ""}`}
        >
          {t(column)}
        </h2>
        <span className="text-small text-ink-3 tabular-nums">{wanted.length}</span>
        {column === "needs" && props.groups.length > 1 && (
          <span className="ml-auto truncate text-fine text-ink-3">{t("longestFirst")}</span>
        )}
        {earlier > 0 && (
          <span className="ml-auto truncate text-fine text-ink-3 lg:max-xl:hidden">{t("ofToday")}</span>
        )}
      </header>
      {arrivals > 0 && (
        <button
          type="button"
          onClick={letIn}
          className="mx-2.5 mb-1 rounded-control bg-accent-soft py-0.5 text-fine text-accent"
        >
          {t("newOnes", { count: arrivals })}
        </button>
      )}
      {column === "needs" && props.groups.length === 0 && (
        <p className="px-3 py-1 text-small text-ink-3">{t("nothingNeedsYou", { count: props.working })}</p>
      )}
      <Cards groups={shown} isFolded={isFolded} isHeld={isHeld} />
      {earlier > 0 && (
        <button
          type="button"
          onClick={() => setShowsAll(true)}
          className={`mx-2 mb-2 rounded-control px-1.5 py-1 text-left text-fine text-ink-3 hover:bg-hover hover:text-ink ${isFolded ? "lg:max-xl:hidden" : ""}`}
        >
          {t("earlier", { count: earlier })}
        </button>
      )}
    </section>
  );
}

const isOfToday = ({ cards }: CardGroup) =>
  cards.some(({ card }) => new Date(card.since).toDateString() === new Date().toDateString());

const isSide = (column: Column) => column === "queued" || column === "done";

function Cards(props: {
  readonly groups: readonly CardGroup[];
  readonly isFolded: boolean;
  readonly isHeld: boolean;
}) {
  const { groups, isFolded } = props;
  const scroller = useRef<HTMLUListElement>(null);
  const isLong = useRef(false);
  // The other way to draw them makes all cards anew, with empty fields.
  if (!props.isHeld) isLong.current = groups.length > LONG_FROM;
  return (
    <ul
      ref={scroller}
      className={`flex min-h-0 flex-1 flex-col gap-[7px] overflow-y-auto px-2 pt-1 pb-3 max-lg:grid max-lg:auto-rows-min max-lg:gap-2 max-lg:pt-2 sm:max-lg:grid-cols-2 ${isFolded ? "lg:max-xl:hidden" : ""}`}
    >
      {isLong.current ? (
        <LongColumn
          waiting={<PlainCards groups={groups.slice(0, LONG_FROM)} />}
          groups={groups}
          scroller={scroller}
        />
      ) : (
        <PlainCards groups={groups} />
      )}
    </ul>
  );
}

function PlainCards({ groups }: { readonly groups: readonly CardGroup[] }) {
  return groups.map((group, index) => (
    <li key={group.key}>
      <FleetCard group={group} isTabStop={index === 0} />
    </li>
  ));
}

/** Whether the pointer or the focus is in a column. */
function useHeld() {
  const column = useRef<HTMLElement>(null);
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  // A card that is taken away with the focus tells of no blur.
  useEffect(() => {
    if (isFocused && !column.current?.contains(document.activeElement)) setFocused(false);
  });
  const holding = {
    ref: column,
    onPointerEnter: () => setPointed(true),
    onPointerLeave: () => setPointed(false),
    onFocus: () => setFocused(true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
      if (!currentTarget.contains(relatedTarget)) setFocused(false);
    },
  };
  return { isHeld: isPointed || isFocused, holding };
}

/** A column under the pointer or the focus keeps its order; what arrives waits until it is let in. */
function useFrozen(
  groups: readonly CardGroup[],
  { isHeld, showsAll }: { readonly isHeld: boolean; readonly showsAll: boolean },
) {
  const order = useRef<readonly string[]>([]);
  const [, renew] = useState(0);
  // Earlier ones come because a person asked for them.
  const showed = useRef(showsAll);
  if (!isHeld || showed.current !== showsAll) order.current = groups.map(({ key }) => key);
  showed.current = showsAll;
  const byKey = new Map(groups.map((group) => [group.key, group]));
  const shown = order.current.flatMap((key) => byKey.get(key) ?? []);
  return {
    shown,
    arrivals: groups.length - shown.length,
    letIn: () => {
      order.current = groups.map(({ key }) => key);
      renew((count) => count + 1);
    },
  };
}
