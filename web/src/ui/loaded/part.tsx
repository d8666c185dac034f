/** Parts of a screen that are loaded when they are first shown. What cannot be loaded says so in its place alone. */
import { type ComponentType, type ReactNode, Suspense, use, useEffect, useReducer } from "react";
import { loadPart, onPartsAgain, partsAgain } from "../../data/load-part.ts";
import { useTranslation } from "../../i18n/use-translation.tsx";
import { Button } from "../button.tsx";
import { ProblemNote } from "../problem-note.tsx";
import { tellProblem } from "../toast.tsx";

type Loaded<Props> =
  | { readonly component: ComponentType<Props>; readonly error?: never }
  | { readonly component?: never; readonly error: unknown };

interface Waiting {
  /** Stands there until the part is loaded. */
  readonly waiting?: ReactNode;
}

/** Such a part, and `load`, which loads it before it is shown and never rejects. */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const source = createSource(load);
  function Content({ given }: { readonly given: Props }) {
    const { component: Component, error } = useSource(source);
    return Component === undefined ? <NotLoaded error={error} /> : <Component {...given} />;
  }
  function Part({ waiting = null, ...given }: Props & Waiting) {
    return (
      <Suspense fallback={waiting}>
        <Content given={given as unknown as Props} />
      </Suspense>
    );
  }
  return Object.assign(Part, { load: source.read });
}

/** A part that stands over the screen: if it cannot be loaded, that is told once and it closes. */
export function dialogPart<Props extends { readonly onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
) {
  const source = createSource(load);
  function Content({ given }: { readonly given: Props }) {
    const { component: Component, error } = useSource(source);
    return Component === undefined ? (
      <Refused error={error} onClose={given.onClose} />
    ) : (
      <Component {...given} />
    );
  }
  return function DialogPart(given: Props) {
    return (
      <Suspense>
        <Content given={given} />
      </Suspense>
    );
  };
}

/** One promise for all places that show the part, until it is asked for again after a failure. */
function createSource<Props>(load: () => Promise<ComponentType<Props>>) {
  let loaded: Promise<Loaded<Props>> | null = null;
  const read = () => {
    loaded ??= loadPart(load).then(
      (component) => ({ component }),
      (error: unknown) => {
        const over = onPartsAgain(() => {
          over();
          loaded = null;
        });
        return { error };
      },
    );
    return loaded;
  };
  return { read };
}

function useSource<Props>({ read }: ReturnType<typeof createSource<Props>>): Loaded<Props> {
  const [, look] = useReducer((count: number) => count + 1, 0);
  const loaded = use(read());
  const hasFailed = loaded.component === undefined;
  useEffect(() => (hasFailed ? onPartsAgain(look) : undefined), [hasFailed]);
  return loaded;
}

function NotLoaded({ error }: { readonly error: unknown }) {
  const { t } = useTranslation("shell");
  return (
    <div className="flex flex-col items-start gap-2 p-3">
      <ProblemNote error={error} />
      <Button size="small" onClick={partsAgain}>
        {t("retry")}
      </Button>
    </div>
  );
}

function Refused({ error, onClose }: { readonly error: unknown; readonly onClose: () => void }) {
  useEffect(() => {
    onClose();
    tellProblem(error);
    partsAgain();
  }, [error, onClose]);
  return null;
}
